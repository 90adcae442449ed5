#include "replay/approximate_layout.h"

#include <algorithm>

#include "replay/history_walk.h"
#include "replay/mapped_runs.h"

namespace tidemark {
namespace {

class ApproximateLayout {
 public:
  ApproximateLayout(const AllocationTable& table, SpaceCurves& space, ReservedCurve& reserved, uint64_t most_steps)
      : table_(table), space_(space), reserved_curve_(reserved), steps_left_(most_steps) {}

  // Whether the steps are used up: nothing changes from then on.
  bool is_spent() const { return steps_left_ == 0; }

  void begin(const Reservation& life) {
    if (is_spent()) return;
    const uint64_t held = held_in(life.address, life.end());
    reserved_ += life.end() - life.address - held;  // what lay alone is inside now
    const auto at = runs_.add(life);
    if (!life.is_expandable) at->second.held = held;
    const uint64_t start = at->first;
    const MappedRun& run = at->second;
    count_segment(start, run, 1);
    const Window window = window_around(start, run, life);
    count_gaps(start, run, window.from, life.address, -1);
    count_gaps(life.end(), run, life.end(), window.to, -1);
    count_gaps(start, run, window.from, window.to, 1);
  }

  void end(const Reservation& life) {
    if (is_spent()) return;
    const auto at = runs_.over(life.address);
    if (at == runs_.end()) return;
    const uint64_t start = at->first;
    const MappedRun run = at->second;
    reserved_ -= life.end() - life.address - held_in(life.address, life.end());  // what lies there lies alone now
    count_segment(start, run, -1);
    const Window window = window_around(start, run, life);
    count_gaps(start, run, window.from, window.to, -1);
    runs_.remove(life);
    count_gaps(start, run, window.from, life.address, 1);
    count_gaps(life.end(), run, life.end(), window.to, 1);
  }

  void hold(uint32_t allocation) {
    if (is_spent() || table_.size[allocation] == 0) return;
    held_[table_.address[allocation]] = allocation;
    change(allocation, 1);
  }

  void release(uint32_t allocation) {
    if (is_spent()) return;
    const auto at = held_.find(table_.address[allocation]);
    if (at == held_.end() || at->second != allocation) return;
    change(allocation, -1);
    held_.erase(at);
  }

  void after(int64_t event) {
    if (!is_spent()) {
      last_.inactive_split = static_cast<int64_t>(inactive_split_);
      last_.largest = free_sizes_.empty() ? 0 : static_cast<int64_t>(free_sizes_.rbegin()->first);
      last_.returnable = static_cast<int64_t>(returnable_);
      last_.blocks = free_blocks_;
    }
    const auto reserved = static_cast<int64_t>(reserved_);
    if (event < 0) {
      space_.start(last_);
      reserved_curve_.start = reserved;
      return;
    }
    space_.add(static_cast<size_t>(event), last_);
    reserved_curve_.after.push_back(reserved);
  }

 private:
  // Where the free memory that a change touches begins and ends.
  struct Window {
    uint64_t from, to;
  };

  uint64_t end_of(std::map<uint64_t, uint32_t>::const_iterator block) const { return block->first + table_.size[block->second]; }

  // End of the last block that begins below `address`, at least `least`.
  uint64_t free_from(uint64_t address, uint64_t least) const {
    const auto after = held_.lower_bound(address);
    return after == held_.begin() ? least : std::max(least, end_of(std::prev(after)));
  }

  // Start of the first block from `address` on, at most `most`.
  uint64_t free_to(uint64_t address, uint64_t most) const {
    const auto next = held_.lower_bound(address);
    return next == held_.end() ? most : std::min(most, next->first);
  }

  uint64_t held_in(uint64_t from, uint64_t to) {
    uint64_t bytes = 0;
    for (auto at = held_.lower_bound(from); takes_step() && at != held_.end() && at->first < to; ++at) bytes += table_.size[at->second];
    return bytes;
  }

  // What of a run is counted otherwise with `life` in it. What lies behind it has another start, and other pages if that is
  // no whole number of pages away.
  Window window_around(uint64_t start, const MappedRun& run, const Reservation& life) const {
    Window out{free_from(life.address, start), free_to(life.end(), run.end)};
    if (run.is_expandable && (life.end() - start) % page_bytes(run.is_small) != 0) out.to = run.end;
    return out;
  }

  // Counts the free blocks of a run that begins at `start` between two edges of blocks in or out.
  void count_gaps(uint64_t start, const MappedRun& run, uint64_t from, uint64_t to, int sign) {
    for (auto at = held_.lower_bound(from); takes_step() && at != held_.end() && at->first < to; ++at) {
      count_gap(start, run, from, at->first, sign);
      from = end_of(at);
    }
    count_gap(start, run, from, to, sign);
  }

  bool takes_step() { return steps_left_ > 0 && --steps_left_ > 0; }

  void count_gap(uint64_t start, const MappedRun& run, uint64_t from, uint64_t to, int sign) {
    if (from >= to) return;
    free_blocks_ += sign;
    if (sign > 0) ++free_sizes_[to - from];
    else if (const auto at = free_sizes_.find(to - from); at != free_sizes_.end() && --at->second == 0) free_sizes_.erase(at);
    if (!run.is_expandable) return;
    const uint64_t page = page_bytes(run.is_small);
    const uint64_t first = (from - start) / page + ((from - start) % page != 0);
    const uint64_t last = (to - start) / page;
    if (last > first) add(returnable_, (last - first) * page, sign);
  }

  // Counts a segment that is not expandable in or out: it is given back as a whole, or its free bytes are split off.
  void count_segment(uint64_t start, const MappedRun& run, int sign) {
    if (run.is_expandable) return;
    if (run.held == 0) add(returnable_, run.end - start, sign);
    else add(inactive_split_, run.end - start - run.held, sign);
  }

  // Puts a block into its free block, or takes it out (sign −1); it lies in `held_` both times.
  void change(uint32_t allocation, int sign) {
    const uint64_t address = table_.address[allocation];
    const uint64_t size = table_.size[allocation];
    const auto at = runs_.over(address);
    if (at == runs_.end()) return add(reserved_, size, sign);
    const uint64_t start = at->first;
    MappedRun& run = at->second;
    const uint64_t from = free_from(address, start);
    const uint64_t to = free_to(address + 1, run.end);
    count_segment(start, run, -1);
    add(run.held, size, sign);
    count_segment(start, run, 1);
    count_gap(start, run, from, to, -sign);
    count_gap(start, run, from, address, sign);
    count_gap(start, run, address + size, to, sign);
  }

  static void add(uint64_t& total, uint64_t bytes, int sign) { total = sign > 0 ? total + bytes : total - bytes; }

  const AllocationTable& table_;
  SpaceCurves& space_;
  ReservedCurve& reserved_curve_;
  MappedRuns runs_;
  std::map<uint64_t, uint32_t> held_;          // address → allocation, disjoint
  std::map<uint64_t, uint64_t> free_sizes_;    // bytes → free blocks of that size
  uint64_t reserved_ = 0;
  uint64_t inactive_split_ = 0;
  uint64_t returnable_ = 0;
  int64_t free_blocks_ = 0;
  FreeSpace last_;  // after the last event
  uint64_t steps_left_;
};

}  // namespace

bool approximate_layout(size_t event_count, const std::vector<Reservation>& lives, const AllocationTable& table, SpaceCurves& space,
                        ReservedCurve& reserved, const Progress& progress, uint64_t most_steps) {
  ReservedCurve derived;
  derived.after.reserve(event_count);
  ApproximateLayout layout(table, space, derived, most_steps);
  HistoryWalk(event_count, table, lives).run(layout, progress);
  if (layout.is_spent()) return false;
  reserved = std::move(derived);
  return true;
}

}  // namespace tidemark
