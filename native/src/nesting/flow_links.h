// Who started what: flow events and equal correlations.
#pragma once

#include <vector>

#include "nesting/nest_rows.h"
#include "nesting/nested_trace.h"

namespace tidemark {

// The flow points of every thread, in order of time, thread after thread.
struct ThreadPoints {
  std::vector<BoundPoint> points;
  std::vector<size_t> first;  // by thread, and the end of the last
};

ThreadPoints points_by_thread(const Trace& trace, const CaptureSpan& span, const Progress& progress);

// Points that stand on slices themselves (bind_id) go to the row of their slice's name among those that start there.
void prefer_own_slice(const Trace& trace, const SliceRow* rows, size_t row_count, BoundPoint* points, size_t point_count,
                      const Progress& progress);

// A slice with a correlation.
struct CorrelatedSlice {
  uint32_t correlation = 0;
  uint32_t slice = 0;  // slice_id
};

// Runtime call → GPU slice by equal correlation, then flow events as catapult binds them; each pair once, ascending by from, to. `slice_of_point`
// by flow point: slice_id or kNone. Points that end up in no pair are counted in `unmatched`.
std::vector<NestedFlow> link_flows(const Trace& trace, const NestedTrace& nested, const std::vector<uint32_t>& slice_of_point,
                                   std::vector<CorrelatedSlice> runtime, const std::vector<CorrelatedSlice>& gpu, uint64_t& unmatched,
                                   const Progress& progress);

}  // namespace tidemark
