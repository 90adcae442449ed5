// Statistics of a range of events: what was allocated and freed in it, and how the curves went.
#pragma once

#include <string>
#include <vector>

#include "query/lifetimes.h"
#include "query/stack_totals.h"

namespace tidemark {

struct CurveStats {
  int64_t min = 0;
  int64_t min_event = 0;  // the first event with that value
  double mean = 0;        // weighted by the time a value stood where the file has times, else by events
  int64_t max = 0;
  int64_t max_event = 0;
};

struct RangeStats {
  int64_t from_event = 0;  // [from, to)
  int64_t to_event = 0;
  int64_t from_time_ns = 0;  // of from_event; only where the device has times
  int64_t to_time_ns = 0;    // of to_event, of the last event when the range reaches the end
  CurveStats curve[kProgramCurveCount];
  uint64_t allocated_count = 0;
  uint64_t allocated_bytes = 0;  // rounded, as all bytes here
  uint64_t freed_count = 0;      // by free_requested
  uint64_t freed_bytes = 0;
  std::vector<StackTotal> top_stacks;  // by bytes allocated in the range
};

inline constexpr size_t kRangeStacks = 10;

// Value × weight summed over stretches of events, so that the mean of a long range reads few of them: derived once a device,
// which takes as long as one mean without it. Weights are those of CurveStats::mean.
struct CurveIntegrals {
  std::vector<double> run[kProgramCurveCount];
};

// `query/cancelled` when stopped; `out` is then unchanged.
Failure integrate_curves(const DeviceColumns& device, const StopSignal& stop, CurveIntegrals& out);

// For 0 ≤ from < to ≤ event_count; `integrals` of the same device. `query/cancelled` when stopped.
Failure range_stats(const Lifetimes& lifetimes, const CurveIntegrals& integrals, int64_t from, int64_t to,
                       const StopSignal& stop, RangeStats& out);

// The JSON of native/README.md; times are null where the device has none.
std::string to_json(const DeviceColumns& device, const RangeStats& stats);

}  // namespace tidemark
