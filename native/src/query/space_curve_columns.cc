#include "query/space_curve_columns.h"

#include <limits>

#include "query/event_range.h"

namespace tidemark {
namespace {

// The value after `event`; kBefore is the state before the first event.
double value_at(const DeviceColumns& device, Curve curve, int64_t event) {
  return static_cast<double>(event == kBefore ? device.start[curve] : device.curve[curve].at(static_cast<size_t>(event)));
}

void resolve_curve(const DeviceColumns& device, Curve curve, const AxisColumns& axis, size_t column, double& min, double& max,
                   double& rep) {
  const int64_t from = axis.edge[column];
  const int64_t to = axis.edge[column + 1];
  min = max = value_at(device, curve, from - 1);
  rep = value_at(device, curve, axis.rep_event[column]);
  if (from == to) return;
  const CurveExtremes extremes = curve_extremes(device, curve, static_cast<size_t>(from), static_cast<size_t>(to));
  min = std::min(min, static_cast<double>(extremes.min));
  max = std::max(max, static_cast<double>(extremes.max));
}

}  // namespace

Failure space_curve_columns(const DeviceColumns& device, const AxisRange& range, const StopSignal& stop, SpaceCurveColumns& out) {
  out.axis = resolve_columns(device, range);
  const size_t count = out.axis.count();
  out.rep_time_ns.assign(count, std::numeric_limits<double>::quiet_NaN());
  for (size_t column = 0; column < count && device.has_times; ++column) {
    const int64_t rep = out.axis.rep_event[column];
    if (rep != kBefore) out.rep_time_ns[column] = static_cast<double>(device.time_ns.at(static_cast<size_t>(rep)));
  }
  for (int i = 0; i < kSpaceCurveCount; ++i) {
    if (stop()) return query_cancelled();
    for (auto* values : {&out.min[i], &out.max[i], &out.rep[i]}) values->resize(count);
    for (size_t column = 0; column < count; ++column) {
      resolve_curve(device, kSpaceCurves[i], out.axis, column, out.min[i][column], out.max[i][column], out.rep[i][column]);
    }
  }
  return {};
}

}  // namespace tidemark
