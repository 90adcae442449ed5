// The memory events of a trace on their way into the index: the same packed relations and small tables as those of a snapshot's
// history (native/TRACES.md, Memory).
#pragma once

#include "model/finding_log.h"
#include "replay/trace_memory.h"
#include "store/replay_pieces.h"
#include "store/sql.h"

namespace tidemark {

// What the small tables need to know of the memory of a trace.
struct TraceMemoryIndex {
  TraceMemory memory;                    // its findings are in `findings`
  std::vector<DeviceSummary> summaries;  // as many as memory.devices
  std::vector<Finding> findings;

  size_t device_count() const { return summaries.size(); }
  uint64_t event_count() const;          // that are in the index
};

// How far replay_trace_memory() moves Progress::done for every memory event of the trace, about.
inline constexpr uint64_t kMemoryEventSteps = 9;

// Pairs and attributes the memory events of `trace` and pushes the pieces of the relations event, allocation, curve, curve_level and
// stack of every device. Reads the memory events, strings, categories and threads of `trace` and all of `nested`, changes neither; to be
// called on the thread that makes pieces. Stops early, with a useless result, once `progress.cancel` is set. Does not close the queue.
TraceMemoryIndex replay_trace_memory(const Trace& trace, const NestedTrace& nested, PieceQueue& queue, Progress& progress);

// Writes the small tables on the thread that owns the connection: device, stream, pool, frame, stack_frame, stack_depth, annotation and
// oom; and adds the findings. allocation.op names strings of `trace`: the ingest writes the text of every slice name to `string`.
void write_trace_memory(const IndexWrite& write, const Trace& trace, const NestedTrace& nested, const TraceMemoryIndex& index,
                        FindingLog& findings);

}  // namespace tidemark
