// Levels of lanes: every item accounts for its slices.
#include <random>

#include "check.h"
#include "nesting/slice_levels.h"
#include "trace_maker.h"

using namespace tidemark;

namespace {

// Walks the slices of a lane beside the items of one of its levels, by the rule in words: short neighbors that begin in the same stretch.
void check_level(const NestedTrace& nested, const SliceLevels& levels, const LevelRows& level) {
  const Lane& lane = nested.lanes[level.lane];
  const int64_t width = int64_t{1} << level.level;
  uint64_t slice = lane.first_slice;
  const uint64_t end = lane.first_slice + lane.slice_count;
  for (uint64_t row = level.first_row; row < level.first_row + level.row_count && slice < end; ++row) {
    const LevelItem& item = levels.items[row];
    const uint64_t first = slice;
    int64_t busy = 0, longest = -1, until = 0;
    uint64_t longest_slice = 0;
    do {
      const NestedSlice& s = nested.slices[slice];
      busy += s.dur_ns;
      until = s.start_ns + s.dur_ns;
      if (s.dur_ns > longest) {
        longest = s.dur_ns;
        longest_slice = slice;
      }
      ++slice;
    } while (slice < end && nested.slices[slice].dur_ns < width && nested.slices[slice - 1].dur_ns < width &&
             nested.slices[slice].start_ns / width == nested.slices[first].start_ns / width);
    CHECK_EQ(item.start, nested.slices[first].start_ns);
    CHECK_EQ(item.extent, until - nested.slices[first].start_ns);
    CHECK_EQ(item.busy, busy);
    CHECK_EQ(uint64_t{item.count}, slice - first);
    CHECK_EQ(uint64_t{item.slice}, longest_slice);
    CHECK_EQ(item.name, nested.slices[longest_slice].name);
  }
  CHECK_EQ(slice, end);
}

NestedTrace random_lane(int64_t seed, size_t count, int64_t most_gap) {
  std::mt19937_64 random(static_cast<uint64_t>(seed));
  TraceMaker make;
  int64_t time = 0;
  for (size_t i = 0; i < count; ++i) {
    time += static_cast<int64_t>(random() % static_cast<uint64_t>(most_gap));
    const auto dur = static_cast<int64_t>(random() % (random() % 50 ? 20 : 5000));
    make.complete(time, dur, "n" + std::to_string(random() % 7));
    time += dur;
  }
  return make.nest();
}

}  // namespace

TEST(every_item_of_a_level_accounts_for_its_slices) {
  const Progress progress;
  for (int seed = 0; seed < 6; ++seed) {
    const NestedTrace nested = random_lane(seed, 20000, seed % 2 ? 10 : 1000);
    const SliceLevels levels = build_levels(nested, progress);
    CHECK(levels.levels.size() > 3);
    for (const LevelRows& level : levels.levels) check_level(nested, levels, level);
  }
}

TEST(a_level_halves_the_one_kept_before_or_thins_out_one_of_over_two_items_a_pixel_and_the_last_has_at_most_256) {
  const Progress progress;
  for (int64_t seed = 9; seed < 15; ++seed) {
    const NestedTrace nested = random_lane(seed, 30000, seed % 2 ? 40 : 4000);
    const SliceLevels levels = build_levels(nested, progress);
    const auto span = static_cast<uint64_t>(nested.slices[nested.slices.size() - 1].start_ns - nested.slices[0].start_ns);
    uint64_t next = 0;
    for (size_t i = 0; i < levels.levels.size(); ++i) {
      const LevelRows& level = levels.levels[i];
      const uint64_t below = i + 1 < levels.levels.size() ? levels.levels[i + 1].row_count : nested.slices.size();
      CHECK(level.row_count * 2 <= below || (below > span >> level.level && level.row_count * 8 <= below * 7));
      CHECK_EQ(level.first_row, next);  // coarsest first
      next += level.row_count;
    }
    CHECK_EQ(next, static_cast<uint64_t>(levels.items.size()));
    CHECK(levels.levels.front().row_count <= kSmallestLevel);
  }
}

TEST(a_lane_of_at_most_256_slices_has_no_levels) {
  const Progress progress;
  CHECK_EQ(build_levels(random_lane(1, 256, 5), progress).levels.size(), size_t{0});
}

TEST(levels_stand_in_order_of_level_then_lane) {
  const Progress progress;
  TraceMaker make(2);
  for (uint32_t t = 0; t < 2; ++t) {
    for (int i = 0; i < 5000; ++i) make.complete(i * 10 + t, 4, "s", t);
  }
  const NestedTrace nested = make.nest();
  const SliceLevels levels = build_levels(nested, progress);
  for (size_t i = 1; i < levels.levels.size(); ++i) {
    const LevelRows &a = levels.levels[i - 1], &b = levels.levels[i];
    CHECK(a.level > b.level || (a.level == b.level && a.lane < b.lane));
  }
  for (const LevelRows& level : levels.levels) check_level(nested, levels, level);
}
