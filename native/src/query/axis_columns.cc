#include "query/axis_columns.h"

#include <algorithm>
#include <cmath>

#include "query/event_range.h"

namespace tidemark {
namespace {

// The number of events before position `x` of the event axis: event e lies at x = e.
int64_t events_before(double x, int64_t event_count) {
  if (!(x > 0)) return 0;
  if (x >= static_cast<double>(event_count)) return event_count;
  return static_cast<int64_t>(std::ceil(x));
}

// First index of [from, size) whose value is not below `x`. Gallops from `from`: neighbouring columns lie close together.
int64_t lower_bound_from(const PackedColumn& column, int64_t from, double x) {
  const int64_t size = static_cast<int64_t>(column.size());
  int64_t low = from;
  int64_t step = 1;
  while (low + step <= size && static_cast<double>(column.at(static_cast<size_t>(low + step - 1))) < x) {
    low += step;
    step *= 2;
  }
  int64_t high = std::min(size, low + step - 1);
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (static_cast<double>(column.at(static_cast<size_t>(middle))) < x) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace

Failure check_range(const DeviceColumns& device, const AxisRange& range) {
  if (range.columns < 1 || range.columns > kMostColumns) return bad_argument("columns must be 1 to 16384.");
  if (!std::isfinite(range.x0) || !std::isfinite(range.x1) || !std::isfinite(range.x1 - range.x0)) {
    return bad_argument("x0 and x1 must be finite numbers.");
  }
  if (!(range.x1 > range.x0)) return bad_argument("x1 must be greater than x0.");
  if (range.axis == Axis::time && !device.has_times && device.event_count > 0) {
    return bad_argument("This device has no times: use the event axis.");
  }
  return {};
}

AxisColumns resolve_columns(const DeviceColumns& device, const AxisRange& range, bool with_rep) {
  AxisColumns result;
  const size_t count = static_cast<size_t>(range.columns);
  const int64_t events = static_cast<int64_t>(device.event_count);
  const double width = (range.x1 - range.x0) / static_cast<double>(range.columns);
  result.edge.resize(count + 1);
  int64_t edge = 0;
  for (size_t i = 0; i <= count; ++i) {
    const double x = range.x0 + static_cast<double>(i) * width;
    edge = range.axis == Axis::event ? events_before(x, events) : lower_bound_from(device.time_ns, edge, x);
    result.edge[i] = edge;
  }
  if (!with_rep) return result;
  result.rep_event.resize(count);
  for (size_t i = 0; i < count; ++i) {
    const int64_t from = result.edge[i];
    const int64_t to = result.edge[i + 1];
    result.rep_event[i] = from == to ? from - 1
                                     : largest_allocated_event(device, static_cast<size_t>(from), static_cast<size_t>(to));
  }
  return result;
}

int64_t event_at_time(const DeviceColumns& device, int64_t time_ns) {
  size_t low = 0;
  size_t high = device.time_ns.size();
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (device.time_ns.at(middle) <= time_ns) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return static_cast<int64_t>(low) - 1;
}

}  // namespace tidemark
