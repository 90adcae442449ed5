// Sums over slices that are given lane after lane, with the time of their children.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/array.h"
#include "query/trace_index.h"
#include "store/packed_column.h"

namespace tidemark {

enum class SelectionBy { name, category, track };

// Stored values of one column, from a row of a piece on.
struct StretchColumn {
  PackedPiece piece;
  size_t from = 0;
};

// Consecutive slices of one lane. `key`: their name or category; not set when summed by track.
struct SliceStretch {
  int64_t track = 0;
  // With the first of a track: of each of its lanes, in order, all rows that will be given.
  std::vector<RowStretch> lanes;
  size_t count = 0;
  StretchColumn start, duration, key, parent;
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
  void finish() { end_track(); }

  const std::vector<SelectionGroup>& groups() const { return groups_; }

 private:
  // Values are unpacked for so many slices at a time: they stay in the nearest cache.
  static constexpr size_t kChunk = 1024;
  // Rows of a lane of the track at hand, and where their groups stand in row_groups_.
  struct LaneWindow {
    RowStretch rows;
    size_t at = 0;
  };
  // A child whose parent lies in a lane that comes later, as may be with spill lanes.
  struct EarlyChild {
    int64_t parent = 0;
    int64_t inside = 0;
  };
  struct Chunk {
    int64_t start[kChunk], duration[kChunk], key[kChunk], parent[kChunk];
    int64_t inside[kChunk];  // how much of each slice lies inside the range
  };

  void begin_track(const std::vector<RowStretch>& lanes);
  void end_track();
  void add_slices(int64_t track, size_t count);
  void add_children(size_t count);
  uint32_t group_of(int64_t key) {
    // A key that the index does not list belongs to those without one.
    const size_t at = static_cast<uint64_t>(key) < group_by_key_.size() - 1 ? static_cast<size_t>(key) + 1 : 0;
    const uint32_t group = group_by_key_[at];
    return group != kNoGroup ? group : new_group(at);
  }
  uint32_t new_group(size_t at);
  // The group of a slice of this track; kNoGroup when it is not among the rows given so far.
  uint32_t group_of_row(int64_t row);

  static constexpr uint32_t kNoGroup = UINT32_MAX;
  const SelectionBy by_;
  const int64_t t0_, t1_;
  std::unique_ptr<Chunk> chunk_;
  std::vector<uint32_t> group_by_key_;  // by key + 1
  std::vector<SelectionGroup> groups_;
  std::vector<LaneWindow> windows_;
  size_t last_window_ = 0;              // that of the parent looked up last
  Array<uint32_t> row_groups_;          // by row given of the track
  size_t given_ = 0;                    // of these
  std::vector<EarlyChild> early_;       // of the track at hand
};

}  // namespace tidemark
