#include <cmath>

#include "store/trace_columns.h"
#include "store/trace_writer.h"

namespace tidemark {
namespace {

using Text = std::optional<std::string>;

const char* word_of(TrackKind kind) {
  switch (kind) {
    case TrackKind::thread: return "thread";
    case TrackKind::stream: return "stream";
    case TrackKind::async: return "async";
    case TrackKind::counter: return "counter";
    case TrackKind::process: return "process";
    default: return "global";
  }
}

Text text_of(const Trace& trace, uint32_t string) {
  return string == kNone ? Text() : Text(clean_text(trace.strings.at(string)));
}

std::optional<int64_t> number_if(bool known, int64_t value) { return known ? std::optional<int64_t>(value) : std::nullopt; }

void write_processes(const IndexWrite& write, const Trace& trace) {
  Insert insert(write, "INSERT INTO process VALUES (?,?,?,?,?)");
  for (size_t i = 0; i < trace.processes.size() && write.goes_on(); ++i) {
    const TraceProcess& process = trace.processes[i];
    const Text pid = process.has_pid ? Text(clean_text(process.pid)) : Text();
    insert.row(static_cast<int64_t>(i), pid, text_of(trace, process.name), text_of(trace, process.labels),
               number_if(process.has_sort_index, process.sort_index));
  }
}

void write_track_rows(const IndexWrite& write, const Trace& trace, const NestedTrace& nested) {
  Insert insert(write, "INSERT INTO track VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)");
  for (const Track& track : nested.tracks) {
    if (!write.goes_on()) return;
    const bool has_process = track.process != kNone;
    const TraceProcess* process = has_process ? &trace.processes[track.process] : nullptr;
    const TraceThread* thread = track.thread == kNone ? nullptr : &trace.threads[track.thread];
    const Text pid = process && process->has_pid ? Text(clean_text(process->pid)) : Text();
    const Text tid = thread && thread->has_tid ? Text(clean_text(thread->tid)) : Text();
    insert.row(track.order, word_of(track.kind), number_if(has_process, int64_t{track.process}), pid, tid, clean_text(track.name),
               int64_t{track.lane_count}, static_cast<int64_t>(track.slice_count), static_cast<int64_t>(track.instant_count),
               track.first_ns, track.last_ns, track.busy_ns, int64_t{track.first_lane});
  }
}

void write_lanes(const IndexWrite& write, const NestedTrace& nested) {
  Insert insert(write, "INSERT INTO lane VALUES (?,?,?,?,?,?)");
  for (size_t i = 0; i < nested.lanes.size() && write.goes_on(); ++i) {
    const Lane& lane = nested.lanes[i];
    insert.row(static_cast<int64_t>(i), int64_t{lane.track}, int64_t{lane.depth}, int{lane.is_spill},
               static_cast<int64_t>(lane.first_slice), static_cast<int64_t>(lane.slice_count));
  }
}

void write_series(const IndexWrite& write, const Trace& trace, const NestedTrace& nested) {
  Insert insert(write, "INSERT INTO counter_series VALUES (?,?,?,?,?,?,?)");
  for (size_t i = 0; i < nested.series.size() && write.goes_on(); ++i) {
    const NestedSeries& series = nested.series[i];
    std::optional<double> least, most;
    for (uint64_t s = series.first_sample; s < series.first_sample + series.sample_count && !is_cancelled_at(s, write.progress); ++s) {
      const double value = nested.samples[s].value;
      if (std::isnan(value)) continue;
      least = least ? std::min(*least, value) : value;
      most = most ? std::max(*most, value) : value;
    }
    const uint32_t key = trace.series[series.series].key;
    insert.row(static_cast<int64_t>(i), int64_t{series.track}, key == kNone ? std::string() : clean_text(trace.strings.at(key)),
               static_cast<int64_t>(series.first_sample), static_cast<int64_t>(series.sample_count), least, most);
  }
}

}  // namespace

void write_tracks(const IndexWrite& write, const Trace& trace, const NestedTrace& nested, uint64_t level_rows) {
  write_processes(write, trace);
  write_track_rows(write, trace, nested);
  write_lanes(write, nested);
  write_series(write, trace, nested);
  Insert size(write, "INSERT INTO relation_size VALUES (?,?)");
  size.row(kSliceRelation, static_cast<int64_t>(nested.slices.size()));
  size.row(kSliceLevelRelation, static_cast<int64_t>(level_rows));
  size.row(kInstantRelation, static_cast<int64_t>(nested.instants.size()));
  size.row(kCounterRelation, static_cast<int64_t>(nested.samples.size()));
  size.row(kFlowRelation, static_cast<int64_t>(nested.flows.size()));
  size.row(kFlowToRelation, static_cast<int64_t>(nested.flows.size()));
}

void write_level_rows(const IndexWrite& write, const std::vector<LevelRows>& levels) {
  Insert insert(write, "INSERT INTO lane_level VALUES (?,?,?,?)");
  for (const LevelRows& level : levels) {
    if (!write.goes_on()) return;
    insert.row(int64_t{level.lane}, int64_t{level.level}, static_cast<int64_t>(level.first_row), static_cast<int64_t>(level.row_count));
  }
}

}  // namespace tidemark
