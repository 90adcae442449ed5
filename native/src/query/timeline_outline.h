// One allocation in the stack of live allocations: where its band runs, and which band lies under a point.
#pragma once

#include "query/axis_columns.h"
#include "query/lifetimes.h"

namespace tidemark {

struct TimelineOutline {
  std::vector<int64_t> rep_event;
  std::vector<double> y0;  // bytes below the allocation at rep_event; NaN where it is not alive
};

// The outline of allocation `index` (< lifetimes.count()) over a checked range.
TimelineOutline timeline_outline(const Lifetimes& lifetimes, const AxisRange& range, size_t index);

// The index of the allocation whose band [b, b + size) holds byte `offset` of the stack after `event`, which lies between
// kBefore and the last event; −1 when `offset` is outside the stack.
int64_t timeline_pick(const Lifetimes& lifetimes, int64_t event, double offset);

}  // namespace tidemark
