#include "query/timeline_curves.h"

#include <limits>

#include "query/event_range.h"

namespace tidemark {
namespace {

// Bytes after `event`; kBefore is the state before the first event.
int64_t curve_at(const DeviceColumns& device, int curve, int64_t event) {
  return event == kBefore ? device.start[curve] : device.curve[curve].at(static_cast<size_t>(event));
}

void resolve_column(const DeviceColumns& device, size_t column, TimelineCurves& out) {
  const int64_t from = out.axis.edge[column];
  const int64_t to = out.axis.edge[column + 1];
  RangeExtremes extremes = range_extremes(device, static_cast<size_t>(from), static_cast<size_t>(to));
  const int64_t rep = from == to ? from - 1 : extremes.rep_event;
  out.axis.rep_event[column] = rep;
  if (rep != kBefore && device.has_times) {
    out.rep_time_ns[column] = static_cast<double>(device.time_ns.at(static_cast<size_t>(rep)));
  }
  for (int curve = 0; curve < kProgramCurveCount; ++curve) {
    const int64_t start = curve_at(device, curve, from - 1);
    out.min[curve][column] = static_cast<double>(std::min(start, extremes.curve[curve].min));
    out.max[curve][column] = static_cast<double>(std::max(start, extremes.curve[curve].max));
    out.rep[curve][column] = static_cast<double>(curve_at(device, curve, rep));
  }
}

}  // namespace

Failure timeline_curves(const DeviceColumns& device, const AxisRange& range, const StopSignal& stop, TimelineCurves& out) {
  out.axis = resolve_columns(device, range, false);
  const size_t count = static_cast<size_t>(range.columns);
  out.axis.rep_event.assign(count, kBefore);
  out.rep_time_ns.assign(count, std::numeric_limits<double>::quiet_NaN());
  for (int curve = 0; curve < kProgramCurveCount; ++curve) {
    out.min[curve].resize(count);
    out.max[curve].resize(count);
    out.rep[curve].resize(count);
  }
  constexpr size_t kColumnsPerLook = 256;
  for (size_t column = 0; column < count; ++column) {
    if (column % kColumnsPerLook == 0 && stop()) return query_cancelled();
    resolve_column(device, column, out);
  }
  return {};
}

}  // namespace tidemark
