// Curves and marks of a trace that are no slices: counters and instants, by column.
#pragma once

#include <vector>

#include "query/trace_index.h"
#include "query/trace_sight.h"

namespace tidemark {

// A counter keeps its value until the next sample. By column: least and greatest value in it, that it starts with included, and the value
// at its end; NaN before the first sample.
struct CounterCurve {
  std::vector<double> min, max, last;
};
Failure counter_curve(TraceReader& reader, const CounterSeries& series, const TimeRange& range, const StopSignal& stop, CounterCurve& out);

// Counters with their samples at the same times, as one stack: by series, then by column, the values at the moment of the column at which they
// hold most together (below 0 nothing is held), what the column starts with included; NaN before the first sample. The number of samples must be
// that of the first. At least one series.
Failure counter_stack(TraceReader& reader, const std::vector<CounterSeries>& series, const TimeRange& range, const StopSignal& stop,
                      std::vector<double>& out);

// By column: how many instants, and the instant_id of the first, NaN without one.
struct InstantMarks {
  std::vector<double> count, first;
};
Failure instant_marks(TraceReader& reader, const TraceTrack& track, const TimeRange& range, const StopSignal& stop, InstantMarks& out);

}  // namespace tidemark
