// Sums over slices that are given lane after lane, with the time of their children.
#pragma once

#include <cstdint>
#include <vector>

#include "query/trace_index.h"

namespace tidemark {

enum class SelectionBy { name, category, track };

// Stored values of consecutive slices of one lane. `key`: their name or category; empty when summed by track.
struct SliceStretch {
  int64_t track = 0;
  RowStretch lane;  // all rows of the lane that will be given, one stretch after the other
  bool begins_track = false, begins_lane = false;
  std::vector<int64_t> start, duration, key, parent;
};

// Slices with one name, of one category or track. total and children only count what lies inside the range; shortest and longest are
// whole durations.
struct SelectionGroup {
  int64_t key = -1;  // string_id, category_id or track_id; −1 = slices without a name
  uint64_t count = 0;
  int64_t total = 0;
  int64_t children = 0;
  int64_t shortest = INT64_MAX;
  int64_t longest = 0;
  // Children of one slice that overlap each other (in spill lanes) may add up to more than it.
  int64_t self() const { return total > children ? total - children : 0; }
};

class SelectionSums {
 public:
  // Of what lies in [t0, t1), nanoseconds.
  SelectionSums(SelectionBy by, size_t keys, int64_t t0, int64_t t1);

  void add(const SliceStretch& stretch);
  // To be called when all is given.
  void finish();

  const std::vector<SelectionGroup>& groups() const { return groups_; }

 private:
  // Rows of a lane of the track at hand, and where their groups stand in row_groups_.
  struct LaneWindow {
    RowStretch rows;
    size_t at = 0;
  };
  void begin(const SliceStretch& stretch);
  void add_children(const SliceStretch& stretch, bool by_track);
  void end_track();
  uint32_t group_of(int64_t key);
  // The group of a slice of this track; kNoGroup when it is not among the rows given so far.
  uint32_t group_of_row(int64_t row);

  // A child whose parent lies in a lane that comes later, as may be with spill lanes.
  struct EarlyChild {
    int64_t parent = 0;
    int64_t inside = 0;
  };

  static constexpr uint32_t kNoGroup = UINT32_MAX;
  const SelectionBy by_;
  const int64_t t0_, t1_;
  std::vector<uint32_t> group_by_key_;  // by key + 1
  std::vector<SelectionGroup> groups_;
  std::vector<LaneWindow> windows_;
  size_t last_window_ = 0;              // that of the parent looked up last
  std::vector<uint32_t> row_groups_;    // by row given of the track
  std::vector<EarlyChild> early_;       // of the track at hand
  std::vector<int64_t> inside_;         // of the stretch at hand: how much of each slice lies inside the range
};

}  // namespace tidemark
