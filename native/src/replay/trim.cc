#include "replay/trim.h"

#include <algorithm>

#include "replay/history_walk.h"
#include "replay/mapped_runs.h"

namespace tidemark {
namespace {

class Trimming {
 public:
  explicit Trimming(AllocationTable& table) : table_(table) {}

  void begin(const Reservation& life) {
    runs_.add(life);
    cut_edges(life);
  }

  void end(const Reservation& life) {
    runs_.remove(life);
    cut_edges(life);
  }

  void hold(uint32_t allocation) {
    const uint64_t address = table_.address[allocation];
    cut_at(address);
    const auto same = held_.find(address);
    if (same != held_.end()) {
      table_.size[same->second] = 0;
      held_.erase(same);
    }
    uint64_t bound = runs_.bound(address);
    const auto next = held_.upper_bound(address);
    if (next != held_.end()) bound = std::min(bound, next->first);
    table_.size[allocation] = std::min<uint64_t>(table_.size[allocation], bound - address);
    if (table_.size[allocation] > 0) held_[address] = allocation;
  }

  void release(uint32_t allocation) {
    const auto at = held_.find(table_.address[allocation]);
    if (at != held_.end() && at->second == allocation) held_.erase(at);
  }

  void after(int64_t) {}

 private:
  void cut_edges(const Reservation& life) {
    cut_at(life.address);
    cut_at(life.end());
  }

  // Ends the block that `address` lies inside of there.
  void cut_at(uint64_t address) {
    const auto after = held_.lower_bound(address);
    if (after == held_.begin()) return;
    const auto before = std::prev(after);
    table_.size[before->second] = std::min<uint64_t>(table_.size[before->second], address - before->first);
  }

  AllocationTable& table_;
  MappedRuns runs_;
  std::map<uint64_t, uint32_t> held_;  // address → allocation, disjoint
};

// Splits [from, to) by the final ranges: visit(from, to, range), with nullptr outside of all.
template <class Visit>
void split_by(const std::map<uint64_t, ReservedRange>& ranges, uint64_t from, uint64_t to, Visit&& visit) {
  auto at = ranges.upper_bound(from);
  if (at != ranges.begin() && from - std::prev(at)->first < std::prev(at)->second.size) --at;
  while (from < to) {
    const bool is_inside = at != ranges.end() && at->first <= from;
    uint64_t end = to;
    if (at != ranges.end()) end = std::min(to, is_inside ? at->first + at->second.size : at->first);
    visit(from, end, is_inside);
    from = end;
    if (is_inside) ++at;
  }
}

}  // namespace

void end_in_final_state(const std::vector<const Segment*>& final_segments, const std::map<uint64_t, ReservedRange>& final_ranges,
                        int64_t last_event, std::vector<Reservation>& lives) {
  std::vector<Reservation> out;
  std::map<uint64_t, ReservedRange> covered;  // what of the final segments is reserved after the last event
  const auto add = [&](Reservation part) {
    if (part.unmap_event == kNoEvent || part.map_event < int64_t{part.unmap_event}) out.push_back(part);
  };
  for (const Reservation& life : lives) {
    if (life.unmap_event != kNoEvent) {
      add(life);
      continue;
    }
    split_by(final_ranges, life.address, life.end(), [&](uint64_t from, uint64_t to, bool is_final) {
      Reservation part = life;
      part.address = from;
      part.size = to - from;
      if (is_final) covered[from] = {part.size, kNoStream, false};
      else part.unmap_event = static_cast<uint32_t>(last_event);
      add(part);
    });
  }
  for (const auto& [address, range] : final_ranges) {
    const Segment* segment = segment_over(final_segments, address);
    split_by(covered, address, address + range.size, [&](uint64_t from, uint64_t to, bool is_covered) {
      if (is_covered) return;
      Reservation part;
      part.address = from;
      part.size = to - from;
      part.map_event = last_event;
      part.stream = range.stream == kNoStream ? -1 : int32_t{range.stream};
      part.pool = segment && segment->pool != kNone ? static_cast<int32_t>(segment->pool) : -1;
      part.is_small = segment && !segment->is_large;
      part.is_expandable = range.is_expandable;
      out.push_back(part);
    });
  }
  std::sort(out.begin(), out.end(), [](const Reservation& a, const Reservation& b) {
    return a.address != b.address ? a.address < b.address : a.map_event < b.map_event;
  });
  lives = std::move(out);
}

void trim_sizes(size_t event_count, const std::vector<Reservation>& lives, AllocationTable& table, const Progress& progress) {
  Trimming trimming(table);
  HistoryWalk(event_count, table, lives).run(trimming, progress);
}

}  // namespace tidemark
