// Matches the memory events of one device of a trace by address (native/TRACES.md, Memory).
#pragma once

#include "model/finding_log.h"
#include "replay/trace_memory.h"

namespace tidemark {

// Fills `device.replay.paired` and the columns by allocation. `event_op`: by event, the op around it. Stops early, with a useless result, once
// `progress.cancel` is set.
void pair_trace_events(const Trace& trace, const std::vector<uint32_t>& event_op, TraceMemoryDevice& device, FindingLog& findings,
                       const Progress& progress);

}  // namespace tidemark
