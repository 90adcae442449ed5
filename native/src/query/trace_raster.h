// The picture of a trace's lanes: a color and a covered share for each cell, and the slices wide enough to be drawn as boxes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "query/trace_filter.h"
#include "query/trace_sight.h"

namespace tidemark {

enum class TraceColor { name, category };

struct TraceRasterRequest {
  std::vector<int64_t> lanes;
  TimeRange range;
  TraceColor color_by = TraceColor::name;
  TraceFilter filter;
  size_t cells() const { return lanes.size() * static_cast<size_t>(range.columns); }
};

// A slice at least 3 columns wide.
struct TraceBox {
  uint32_t lane = 0;  // place in the request
  uint8_t slot = 0;
  int64_t start = 0;
  int64_t duration = 0;
  int64_t slice = 0;
  int64_t name = -1;
};

struct TraceRasterSummary {
  std::vector<TraceBox> boxes;  // the widest, in order of lane and start
  uint64_t in_sight = 0;        // slices
  uint64_t boxes_left_out = 0;
};

inline constexpr size_t kMostTraceBoxes = 5000;
inline constexpr size_t kMostRasterLanes = 1000;

// Paints request.cells() cells, lane after lane: `cells` color slots, 0 = nothing there; `fill` the covered share, 0 = no slice, else 1 to
// 255. Of the slices of a column that which covers most gives the color; with a filter, of those that pass: 63 only where none does.
Failure paint_trace(TraceReader& reader, const TraceIndex& index, const TraceRasterRequest& request, PassingSlices& passing,
                    const StopSignal& stop, uint8_t* cells, uint8_t* fill, TraceRasterSummary& summary);

}  // namespace tidemark
