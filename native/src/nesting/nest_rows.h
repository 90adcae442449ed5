// Lanes and parents of the slices of one track.
#pragma once

#include <cstdint>
#include <vector>

#include "nesting/slice_rows.h"

namespace tidemark {

// Slices nested deeper than this go to spill lanes.
inline constexpr size_t kMostDepth = 512;

// A point of a flow on the track: which row it binds to.
struct BoundPoint {
  int64_t time = 0;        // since the capture's start
  uint32_t point = 0;      // index into Trace::flow_points
  bool binds_next = false; // to the first row that starts at or after `time`, instead of the innermost one around it
  uint32_t row = kNone;    // the answer
};

// What nest_rows() says of a track.
struct NestedRows {
  std::vector<uint64_t> lane_slices;  // by lane: first the depths, then the spill lanes
  size_t depths = 0;
  uint64_t overlaps = 0;              // of rows that went to spill lanes: overlapping …
  uint64_t too_deep = 0;              // … and nested too deep
  uint32_t first_overlap = kNone;     // rows
  uint32_t first_too_deep = kNone;
  int64_t first_ns = 0;
  int64_t last_ns = 0;
  int64_t busy_ns = 0;
};

// Places sorted rows: `place` becomes the row's lane, parents[row] the row of its parent (kNone = none): of the rows that contain it, the last in
// order. A row that lies inside the innermost open one goes one lane further down, one that overlaps with it to the first spill lane with room.
// The points, in order of time, are bound to rows. Each row costs the same however much overlaps (but for log(spill lanes)).
NestedRows nest_rows(SliceRow* rows, size_t count, uint32_t* parents, BoundPoint* points, size_t point_count,
                     const Progress& progress);

}  // namespace tidemark
