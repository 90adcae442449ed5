// What the memory events of a trace amount to: for every device its events in order of time, the allocations they make and the curves
// (native/TRACES.md, Memory).
#pragma once

#include <string>

#include "model/finding_log.h"
#include "nesting/nested_trace.h"
#include "replay/replay.h"

namespace tidemark {

// The events of one device in order of (time, Ev Idx, file), and their allocations. Columns without a word have one item an event.
struct TraceMemoryDevice {
  int32_t device = 0;                // an accelerator's ordinal, −1 for the CPU
  int16_t type = 0;                  // c10 enum, see device_type_name()
  std::vector<uint32_t> rows;        // Trace::memory_events indices
  DeviceTrace events;                // Action::alloc, free and oom; times as in the file
  Column<int64_t> bytes;             // as in the file: > 0 allocation, < 0 free
  Column<int64_t> slice;             // innermost slice of the event's thread, kNoSlice
  Column<int64_t> total_allocated;   // −1 = the file does not say
  Column<int64_t> total_reserved;
  DeviceReplay replay;               // curves and `exact` come from run_trace_curves(); no reservations
  Column<uint32_t> allocation_op;    // by allocation: Trace::strings id of the op that made it, kNone
  Column<int64_t> allocation_slice;  // by allocation: innermost slice where it was made, kNoSlice
};

// A step, or a range that the program has named.
struct TraceAnnotation {
  uint64_t slice = 0;
  uint32_t track = 0;
  bool is_step = false;
};

struct TraceMemory {
  Snapshot names;                            // strings, frames and stacks of what is stored; no events
  std::vector<TraceMemoryDevice> devices;    // ascending by device
  std::vector<TraceAnnotation> annotations;  // of the threads; empty where no device has memory events
  FindingLog findings;
};

// Sorts, attributes and pairs. Stops early, with a useless result, once `progress.cancel` is set.
TraceMemory trace_memory(const Trace& trace, const NestedTrace& nested, const Progress& progress);

// Runs over the events of a device, hands the curves to `sink` and fills device.replay.curves and .exact; counts what does not agree with
// the file's totals.
void run_trace_curves(const Trace& trace, TraceMemoryDevice& device, const CurveSink& sink, const Progress& progress,
                      FindingLog& findings);

// "cuda", "cpu", "hip", … of a c10 device type; "device N" of an unknown one.
std::string device_type_name(int16_t type);

}  // namespace tidemark
