#include "store/trace_memory_pieces.h"

#include "store/index_writer.h"
#include "store/pack_column.h"

namespace tidemark {
namespace {

CaptureClock trace_clock(const NestedTrace& nested) {
  CaptureClock clock;
  clock.has_times = true;
  clock.unit_ns = 1;
  clock.start = nested.start_ns;
  return clock;
}

// The columns that the event and allocation relations of a snapshot do not have.
void push_trace_columns(const TraceMemoryDevice& device, PieceQueue& queue, const Progress& progress) {
  const auto push = [&](const char* relation, const char* name, size_t count, auto value_at) {
    pack_column(count, progress, value_at,
                [&](int64_t piece, PieceBytes data) { queue.push({relation, device.device, name, piece, std::move(data)}); });
  };
  const size_t events = device.bytes.size();
  push("event", "bytes", events, [&](size_t i) { return device.bytes[i]; });
  push("event", "slice", events, [&](size_t i) { return device.slice[i]; });
  push("event", "total_allocated", events, [&](size_t i) { return device.total_allocated[i]; });
  push("event", "total_reserved", events, [&](size_t i) { return device.total_reserved[i]; });
  const size_t allocations = device.allocation_op.size();
  push("allocation", "op", allocations, [&](size_t i) { return stored_id(device.allocation_op[i]); });
  push("allocation", "slice", allocations, [&](size_t i) { return device.allocation_slice[i]; });
}

void write_trace_annotations(const IndexWrite& write, const Trace& trace, const NestedTrace& nested, const TraceMemoryIndex& index) {
  Insert insert(write, "INSERT INTO annotation VALUES (?,?,?,?,?,?)");
  for (const DeviceSummary& summary : index.summaries) {
    for (const TraceAnnotation& annotation : index.memory.annotations) {
      if (!write.goes_on()) return;
      const NestedSlice& slice = nested.slices[annotation.slice];
      insert.row(summary.device, clean_text(trace.strings.at(slice.name)), slice.start_ns, slice.start_ns + slice.dur_ns,
                 int64_t{annotation.track}, annotation.is_step ? "step" : "user");
    }
  }
}

}  // namespace

uint64_t TraceMemoryIndex::event_count() const {
  uint64_t count = 0;
  for (const DeviceSummary& summary : summaries) count += summary.event_count;
  return count;
}

TraceMemoryIndex replay_trace_memory(const Trace& trace, const NestedTrace& nested, PieceQueue& queue, Progress& progress) {
  TraceMemoryIndex out;
  out.memory = trace_memory(trace, nested, progress);
  const CaptureClock clock = trace_clock(nested);
  int64_t next_id = 0;
  for (TraceMemoryDevice& device : out.memory.devices) {
    if (progress.cancel) return out;
    write_events(device.device, device.events, EventTimes(device.events, clock), progress, [&](ColumnPiece&& piece) {
      queue.push(std::move(piece));
      return true;
    });
    push_trace_columns(device, queue, progress);
    const auto replay = [&](const CurveSink& sink) {
      run_trace_curves(trace, device, sink, progress, out.memory.findings);
      return std::move(device.replay);
    };
    out.summaries.push_back(push_replay(out.memory.names, device.device, next_id, replay, queue, progress));
    out.summaries.back().device_type = device_type_name(device.type);
    next_id += out.summaries.back().allocation_count;
  }
  out.findings = out.memory.findings.take();
  return out;
}

void write_trace_memory(const IndexWrite& write, const Trace& trace, const NestedTrace& nested, const TraceMemoryIndex& index,
                        FindingLog& findings) {
  write_names(write, index.memory.names);
  write_trace_annotations(write, trace, nested, index);
  const CaptureClock clock = trace_clock(nested);
  for (size_t i = 0; i < index.summaries.size() && write.goes_on(); ++i) {
    const DeviceTrace& events = index.memory.devices[i].events;
    const EventTimes times(events, clock);
    write_ooms(write, index.summaries[i].device, events, times);
    write_device(write, index.memory.names, index.summaries[i], times);
  }
  for (const Finding& finding : index.findings) findings.add(finding);
}

}  // namespace tidemark
