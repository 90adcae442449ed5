// The steps of a trace and what each did with memory (native/TRACES.md, trace_steps).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "query/query_error.h"
#include "store/device_columns.h"

namespace tidemark {

struct TraceStep {
  std::string name;
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  int64_t start_event = 0;      // events [start_event, end_event) lie in it
  int64_t end_event = 0;
  int64_t peak_bytes = 0;       // most allocated from its start to its end
  int64_t allocated_bytes = 0;  // sum of all that the curve rose
  int64_t freed_bytes = 0;      // and fell
  int64_t growth_bytes = 0;     // at its end less at its start
};

// Fills in the rest of each step, of which name and times are known, from the curve of a device with kTimesPart and kAllocatedPart.
// `query/cancelled` when stopped.
Failure measure_steps(const DeviceColumns& device, const StopSignal& stop, std::vector<TraceStep>& steps);

}  // namespace tidemark
