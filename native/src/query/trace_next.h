// The next slice of some names in order of time.
#pragma once

#include <cstdint>
#include <vector>

#include "query/trace_filter.h"

namespace tidemark {

struct NextSliceRequest {
  TraceFilter names;
  std::vector<int64_t> lanes;
  double time = 0;       // the place to go on from, in order of (start, slice_id); slice −1 = before all that begin at this time
  int64_t slice = -1;
  bool forward = true;
};

// Answers the slice_id in `out`, −1 without one. Cost: two binary searches a lane; then names are passed over, all lanes in turn, until
// each has found one or is behind what another found.
Failure next_slice(TraceReader& reader, const TraceIndex& index, const NextSliceRequest& request, const StopSignal& stop, int64_t& out);

}  // namespace tidemark
