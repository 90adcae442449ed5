#include "query/axis_columns.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "query/event_range.h"

namespace tidemark {
namespace {

// The number of events before position `x` of the event axis: event e lies at x = e.
int64_t events_before(double x, int64_t event_count) {
  if (!(x > 0)) return 0;
  if (x >= static_cast<double>(event_count)) return event_count;
  return static_cast<int64_t>(std::ceil(x));
}

// First index of [from, size) whose value is not below `x`. Gallops from `from`: neighboring columns lie close together.
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

// The ends of a side of a viewport that is divided into `cells`.
Failure check_ends(const std::string& side, double low, double high, int64_t cells) {
  if (!std::isfinite(low) || !std::isfinite(high) || !std::isfinite(high - low)) {
    return bad_argument(side + "0 and " + side + "1 must be finite numbers.");
  }
  if (!(high > low)) return bad_argument(side + "1 must be greater than " + side + "0.");
  // Positions are divided by the length of a cell: where it is 0 or subnormal, the quotients are not finite.
  if (std::isnormal((high - low) / static_cast<double>(cells))) return {};
  return bad_argument(side + "0 and " + side + "1 are too close to each other.");
}

}  // namespace

Failure check_axis(const DeviceColumns& device, Axis axis) {
  if (axis == Axis::event || device.has_times || device.event_count == 0) return {};
  return bad_argument("This device has no times: use the event axis.");
}

Failure check_range(const DeviceColumns& device, const AxisRange& range) {
  if (range.columns < 1 || range.columns > kMostColumns) return bad_argument("columns must be 1 to 16384.");
  const Failure error = check_ends("x", range.x0, range.x1, range.columns);
  return error.failed() ? error : check_axis(device, range.axis);
}

Failure check_heights(double y0, double y1, int64_t rows) { return check_ends("y", y0, y1, rows); }

Failure check_cells(int64_t columns, int64_t rows) {
  if (columns < 1 || columns > kMostColumns) return bad_argument("columns must be 1 to 16384.");
  if (rows < 1 || rows > kMostRows) return bad_argument("rows must be 1 to 16384.");
  return columns * rows > kMostCells ? bad_argument("columns × rows must not exceed 4194304.") : Failure{};
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
