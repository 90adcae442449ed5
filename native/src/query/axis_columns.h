// Pixel columns of a viewport resolved to events: which events a column covers and which one it shows.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "query/query_error.h"
#include "store/device_columns.h"

namespace tidemark {

inline constexpr int64_t kMostColumns = 16384;
inline constexpr int64_t kMostRows = 16384;
inline constexpr int64_t kMostCells = 4 << 20;

enum class Axis { event, time };

// `query/bad_argument` unless the axis exists on the device.
Failure check_axis(const DeviceColumns& device, Axis axis);

// The x side of a viewport: column i covers [x0 + i·w, x0 + (i + 1)·w), w = (x1 − x0) / columns, in events or in
// nanoseconds since the capture's start.
struct AxisRange {
  Axis axis = Axis::event;
  double x0 = 0;
  double x1 = 0;
  int64_t columns = 0;
};

// `query/bad_argument` unless 1 ≤ columns ≤ kMostColumns, the ends are finite, x1 > x0, the width of a column is a normal
// number and the axis exists on the device.
Failure check_range(const DeviceColumns& device, const AxisRange& range);

// `query/bad_argument` unless the ends are finite, y1 > y0 and the height of one of the `rows` is a normal number.
Failure check_heights(double y0, double y1, int64_t rows);

// `query/bad_argument` unless 1 ≤ columns ≤ kMostColumns, 1 ≤ rows ≤ kMostRows and columns × rows ≤ kMostCells.
Failure check_cells(int64_t columns, int64_t rows);

struct AxisColumns {
  std::vector<int64_t> edge;       // columns + 1: column i covers events [edge[i], edge[i + 1])
  std::vector<int64_t> rep_event;  // non-decreasing; kBefore = the state before the first event
  size_t count() const { return rep_event.size(); }
};

// Resolves a checked range. With `with_rep` false, rep_event stays empty: the caller finds it with its own pass.
AxisColumns resolve_columns(const DeviceColumns& device, const AxisRange& range, bool with_rep = true);

// The last event at or before `time_ns`; kBefore when there is none. The device must have times.
int64_t event_at_time(const DeviceColumns& device, int64_t time_ns);

}  // namespace tidemark
