// What a stretch of time on some tracks consists of: its slices, summed by name, category or track.
#pragma once

#include <cstdint>
#include <vector>

#include "query/selection_sums.h"

namespace tidemark {

struct SelectionRequest {
  std::vector<int64_t> tracks;  // ascending
  double t0 = 0;
  double t1 = 0;
  SelectionBy by = SelectionBy::name;
};

// One pass over the slices in the range; while one stretch of them is summed on a thread of its own, the next is read.
Failure sum_selection(TraceReader& reader, const TraceIndex& index, const SelectionRequest& request, const StopSignal& stop, SelectionSums& sums);

}  // namespace tidemark
