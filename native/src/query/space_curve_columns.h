// The curves of how well reserved memory is used, over a viewport: extremes of every pixel column, and the state it shows.
#pragma once

#include "query/axis_columns.h"

namespace tidemark {

// In the order of the answer.
inline constexpr Curve kSpaceCurves[] = {kReserved,      kActive,      kAllocated,  kRequested,
                                         kInactiveSplit, kLargestFree, kReturnable, kFreeBlocks};
inline constexpr int kSpaceCurveCount = static_cast<int>(std::size(kSpaceCurves));
inline constexpr unsigned kSpaceCurveParts = kAllocatedPart | kCurvesPart | kSpaceCurvesPart | kTimesPart;

// One value a column; bytes, or blocks for kFreeBlocks.
struct SpaceCurveColumns {
  AxisColumns axis;
  std::vector<double> rep_time_ns;  // NaN before the first event and where the file has no times
  std::vector<double> min[kSpaceCurveCount];  // over the column's events and the state it starts with
  std::vector<double> max[kSpaceCurveCount];
  std::vector<double> rep[kSpaceCurveCount];  // at the column's rep_event, that of the largest allocated
};

// For a checked range of a device with kSpaceCurveParts. `query/cancelled` when stopped.
Failure space_curve_columns(const DeviceColumns& device, const AxisRange& range, const StopSignal& stop, SpaceCurveColumns& out);

}  // namespace tidemark
