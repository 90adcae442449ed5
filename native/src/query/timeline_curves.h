// The step curves of a viewport: extremes of every pixel column, and the state it shows.
#pragma once

#include "query/axis_columns.h"

namespace tidemark {

// In the order of the answer.
inline constexpr Curve kProgramCurves[] = {kAllocated, kActive, kReserved, kRequested};

// One value a column; bytes for the curves.
struct TimelineCurves {
  AxisColumns axis;
  std::vector<double> rep_time_ns;  // NaN before the first event and where the file has no times
  std::vector<double> min[kProgramCurveCount];  // over the column's events and the state it starts with
  std::vector<double> max[kProgramCurveCount];
  std::vector<double> rep[kProgramCurveCount];  // at the column's rep_event
};

// For a checked range. `query/cancelled` when stopped.
Failure timeline_curves(const DeviceColumns& device, const AxisRange& range, const StopSignal& stop, TimelineCurves& out);

}  // namespace tidemark
