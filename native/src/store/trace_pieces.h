// The packed relations of a trace (trace_columns.h) on their way to the index.
#pragma once

#include <vector>

#include "nesting/nested_trace.h"
#include "nesting/slice_levels.h"
#include "store/piece_queue.h"

namespace tidemark {

// How many slices have a name or category, and how long they last together.
struct SliceTotal {
  int64_t count = 0;
  int64_t total_ns = 0;
};
struct SliceTotals {
  std::vector<SliceTotal> names;       // by Trace::strings id
  std::vector<SliceTotal> categories;  // by category
};

// slice. Counts slices in `progress`. Stops early once `progress.cancel` is set, as all of these.
SliceTotals push_slices(const Trace& trace, const NestedTrace& nested, PieceQueue& queue, Progress& progress);

// slice_level; gives up the items.
void push_levels(SliceLevels& levels, PieceQueue& queue, const Progress& progress);

// instant, counter, flow, flow_to.
void push_point_events(const NestedTrace& nested, PieceQueue& queue, const Progress& progress);

}  // namespace tidemark
