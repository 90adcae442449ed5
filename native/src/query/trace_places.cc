#include "query/trace_places.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "store/trace_columns.h"

namespace tidemark {
namespace {

struct Near {
  int64_t slice = kNoSliceFound;
  int64_t start = 0;
  int64_t end = 0;
};

Near slice_at_row(TraceReader& reader, const SliceColumns& columns, size_t row) {
  const int64_t start = reader.at(*columns.start, row);
  return {static_cast<int64_t>(row), start, end_of(start, reader.at(*columns.length, row))};
}

// The row behind the last slice of the lane that begins at `time` or before.
size_t behind(TraceReader& reader, const SliceColumns& columns, const TraceLane& lane, double time) {
  return reader.lower_bound(*columns.start, lane.slices.first, lane.slices.end(), whole_ns(std::floor(time)) + 1);
}

}  // namespace

int64_t pick_slice(TraceReader& reader, const TraceLane& lane, double time, double tolerance) {
  const SliceColumns columns = slice_columns(reader, false);
  const size_t next = behind(reader, columns, lane, time);
  int64_t nearest = kNoSliceFound;
  double distance = tolerance;
  if (next > lane.slices.first) {
    const Near before = slice_at_row(reader, columns, next - 1);
    const double away = std::max(time - static_cast<double>(before.end), 0.0);
    if (away <= distance) {
      nearest = before.slice;
      distance = std::nextafter(away, -1.0);  // what follows has to be nearer
    }
  }
  if (next < lane.slices.end() && distance >= 0) {
    const Near after = slice_at_row(reader, columns, next);
    if (static_cast<double>(after.start) - time <= distance) nearest = after.slice;
  }
  return reader.failed() ? kNoSliceFound : nearest;
}

int64_t innermost_slice_at(TraceReader& reader, const TraceIndex& index, const TraceTrack& track, double time, const std::string& kind,
                           const StopSignal& stop) {
  const SliceColumns columns = slice_columns(reader, false);
  TraceColumn& category = reader.column(kSliceRelation, "category");
  Near innermost;
  for (int64_t at = track.first_lane; at < track.first_lane + track.lane_count; ++at) {
    if (stop() || reader.failed()) return kNoSliceFound;
    const TraceLane& lane = index.lanes()[static_cast<size_t>(at)];
    const size_t next = behind(reader, columns, lane, time);
    if (next == lane.slices.first) continue;
    const Near found = slice_at_row(reader, columns, next - 1);
    if (static_cast<double>(found.end) < time) continue;
    // Later start, then earlier end; of equal ones the deeper lane, which comes later.
    if (innermost.slice != kNoSliceFound && std::tuple(found.start, -found.end) < std::tuple(innermost.start, -innermost.end)) continue;
    if (!kind.empty()) {
      const int64_t id = reader.at(category, static_cast<size_t>(found.slice));
      if (id < 0 || id >= static_cast<int64_t>(index.categories().size()) || index.categories()[static_cast<size_t>(id)].name != kind) continue;
    }
    innermost = found;
  }
  return reader.failed() ? kNoSliceFound : innermost.slice;
}

}  // namespace tidemark
