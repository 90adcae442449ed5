#include "nesting/slice_levels.h"

#include <algorithm>
#include <array>

#include "model/bits.h"

namespace tidemark {
namespace {

constexpr unsigned kLevels = 62;  // times since the start fit in 62 bits
constexpr size_t kCancelSlices = size_t{1} << 16;

unsigned bit_length(uint64_t value) { return value ? static_cast<unsigned>(highest_bit(value)) + 1 : 0; }

// The levels to keep of a lane and their sizes. Two neighbors are joined from the level on at which both are shorter than its width and begin
// in the same stretch of that width, so one pass tells the size of every level. What lies between two joined slices is joined as well: a
// longer one would reach beyond the stretch.
void plan_lane(const NestedSlice* slices, uint64_t count, uint32_t lane, const Progress& progress, std::vector<LevelRows>& out) {
  std::array<uint64_t, 65> joined_at{};
  for (uint64_t i = 1; i < count; ++i) {
    if (i % kCancelSlices == 0 && progress.cancel) return;
    const NestedSlice &a = slices[i - 1], &b = slices[i];
    const unsigned same_stretch = bit_length(static_cast<uint64_t>(a.start_ns) ^ static_cast<uint64_t>(b.start_ns));
    const unsigned both_short = bit_length(static_cast<uint64_t>(a.dur_ns | b.dur_ns));
    ++joined_at[std::max(same_stretch, both_short)];
  }
  const auto span = static_cast<uint64_t>(slices[count - 1].start_ns - slices[0].start_ns);
  uint64_t items = count - joined_at[0];
  uint64_t kept = count;
  for (unsigned k = 1; k < kLevels && kept > kSmallestLevel; ++k) {
    items -= joined_at[k];
    // Pixels are up to twice as wide as the level they read: without this one they would show `kept` over span / 2^(k + 1) pixels.
    const bool is_crowded = kept > span >> k;
    if (items > (is_crowded ? kept - kept / 8 : kept / 2)) continue;
    out.push_back({lane, k, 0, items});
    kept = items;
  }
}

// Joins items of one lane into those of a coarser level; answers how many were written. `longest` holds the longest duration of each item.
class Joiner {
 public:
  Joiner(unsigned level, LevelItem* out, std::vector<int64_t>& longest) : level_(level), out_(out), longest_(longest) {}

  void add(const LevelItem& item, int64_t longest) {
    const int64_t width = int64_t{1} << level_;
    const bool is_short = item.extent < width;
    if (is_short && open_is_short_ && (out_[count_ - 1].start >> level_) == (item.start >> level_)) return join(item, longest);
    out_[count_] = item;
    longest_.push_back(longest);
    ++count_;
    open_is_short_ = is_short;
  }

 private:
  void join(const LevelItem& item, int64_t longest) {
    LevelItem& open = out_[count_ - 1];
    open.extent = std::max(open.extent, item.start + item.extent - open.start);
    open.busy += item.busy;
    open.count += item.count;
    if (longest <= longest_.back()) return;
    longest_.back() = longest;
    open.slice = item.slice;
    open.name = item.name;
  }

  unsigned level_;
  LevelItem* out_;
  std::vector<int64_t>& longest_;
  uint64_t count_ = 0;
  bool open_is_short_ = false;
};

// Levels of one lane, finest first: the first from its slices, each further one from the one before.
class LaneBuilder {
 public:
  LaneBuilder(const NestedTrace& nested, SliceLevels& out, const Progress& progress) : nested_(nested), out_(out), progress_(progress) {}

  void build(const LevelRows& level) {
    std::vector<int64_t> longest;
    longest.reserve(level.row_count);
    Joiner joiner(level.level, out_.items.begin() + level.first_row, longest);
    if (below_ && below_->lane == level.lane) join_items(joiner);
    else join_slices(nested_.lanes[level.lane], joiner);
    below_ = &level;
    longest_.swap(longest);
  }

 private:
  void join_slices(const Lane& lane, Joiner& joiner) {
    for (uint64_t i = lane.first_slice; i < lane.first_slice + lane.slice_count; ++i) {
      if (i % kCancelSlices == 0 && progress_.cancel) return;
      const NestedSlice& s = nested_.slices[i];
      joiner.add({s.start_ns, s.dur_ns, s.dur_ns, 1, static_cast<uint32_t>(i), s.name}, s.dur_ns);
    }
  }
  void join_items(Joiner& joiner) {
    const LevelItem* items = out_.items.begin() + below_->first_row;
    for (uint64_t i = 0; i < below_->row_count; ++i) joiner.add(items[i], longest_[i]);
  }

  const NestedTrace& nested_;
  SliceLevels& out_;
  const Progress& progress_;
  const LevelRows* below_ = nullptr;
  std::vector<int64_t> longest_;  // of below_'s items
};

}  // namespace

SliceLevels build_levels(const NestedTrace& nested, const Progress& progress) {
  SliceLevels out;
  for (uint32_t lane = 0; lane < nested.lanes.size() && !progress.cancel; ++lane) {
    const Lane& of = nested.lanes[lane];
    if (of.slice_count > kSmallestLevel) plan_lane(nested.slices.begin() + of.first_slice, of.slice_count, lane, progress, out.levels);
  }
  std::sort(out.levels.begin(), out.levels.end(),
            [](const LevelRows& a, const LevelRows& b) { return a.level != b.level ? a.level > b.level : a.lane < b.lane; });
  uint64_t rows = 0;
  for (LevelRows& level : out.levels) {
    level.first_row = rows;
    rows += level.row_count;
  }
  out.items = Array<LevelItem>(rows);
  std::vector<const LevelRows*> finest_first;
  for (const LevelRows& level : out.levels) finest_first.push_back(&level);
  std::sort(finest_first.begin(), finest_first.end(),
            [](const LevelRows* a, const LevelRows* b) { return a->lane != b->lane ? a->lane < b->lane : a->level < b->level; });
  LaneBuilder builder(nested, out, progress);
  for (const LevelRows* level : finest_first) {
    if (progress.cancel) break;
    builder.build(*level);
  }
  return out;
}

}  // namespace tidemark
