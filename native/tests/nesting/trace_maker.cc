#include "trace_maker.h"

using namespace tidemark;

TraceMaker::TraceMaker(uint32_t threads) {
  trace_.categories.push_back(kNone);
  trace_.category_kinds.push_back(CategoryKind::other);
  add_process("1");
  for (uint32_t t = 0; t < threads; ++t) add_thread(0, std::to_string(10 + t));
}

uint32_t TraceMaker::add_process(const std::string& pid) {
  TraceProcess process;
  process.pid = pid;
  process.has_pid = true;
  trace_.processes.push_back(process);
  return static_cast<uint32_t>(trace_.processes.size() - 1);
}

uint32_t TraceMaker::add_thread(uint32_t process, const std::string& tid) {
  TraceThread thread;
  thread.process = process;
  thread.tid = tid;
  thread.has_tid = true;
  trace_.threads.push_back(thread);
  return static_cast<uint32_t>(trace_.threads.size() - 1);
}

uint16_t TraceMaker::category(const std::string& name, CategoryKind kind) {
  trace_.categories.push_back(text(name));
  trace_.category_kinds.push_back(kind);
  return static_cast<uint16_t>(trace_.categories.size() - 1);
}

TraceSlice& TraceMaker::add(SlicePhase phase, int64_t time, uint32_t thread) {
  TraceSlice slice;
  slice.phase = phase;
  slice.start_ns = time;
  slice.thread = thread;
  slice.source_offset = trace_.slices.size();
  trace_.slices.push_back(slice);
  return trace_.slices[trace_.slices.size() - 1];
}

TraceSlice& TraceMaker::complete(int64_t start, int64_t dur, const std::string& name, uint32_t thread) {
  TraceSlice& slice = add(SlicePhase::complete, start, thread);
  slice.dur_ns = dur;
  slice.name = text(name);
  return slice;
}

TraceSlice& TraceMaker::begin(int64_t time, const std::string& name, uint32_t thread) {
  TraceSlice& slice = add(SlicePhase::begin, time, thread);
  slice.name = text(name);
  return slice;
}

TraceSlice& TraceMaker::end(int64_t time, uint32_t thread) { return add(SlicePhase::end, time, thread); }

void TraceMaker::flow(char phase, int64_t time, uint64_t id, uint32_t thread, bool binds_enclosing) {
  TraceFlowPoint point;
  point.phase = phase;
  point.time_ns = time;
  point.id = id;
  point.name = text("flow");
  point.thread = thread;
  point.binds_enclosing = binds_enclosing;
  trace_.flow_points.push_back(point);
}

uint32_t TraceMaker::async_key(const std::string& name, uint32_t process) {
  trace_.async_keys.push_back({process, category(name)});
  return static_cast<uint32_t>(trace_.async_keys.size() - 1);
}

void TraceMaker::async(char phase, int64_t time, uint32_t key, const std::string& name) {
  TraceAsyncPoint point;
  point.phase = phase;
  point.time_ns = time;
  point.key = key;
  point.name = text(name);
  trace_.async_points.push_back(point);
}

void TraceMaker::instant(int64_t time, char scope, uint32_t thread) {
  TraceInstant instant;
  instant.time_ns = time;
  instant.scope = scope;
  instant.thread = thread;
  trace_.instants.push_back(instant);
}

NestedTrace TraceMaker::nest() {
  Progress progress;
  return nest_trace(trace_, progress);
}

int64_t find(const Trace& trace, const NestedTrace& nested, const std::string& name) {
  for (size_t i = 0; i < nested.slices.size(); ++i) {
    if (nested.slices[i].name != kNone && trace.strings.at(nested.slices[i].name) == name) return static_cast<int64_t>(i);
  }
  return -1;
}

std::string shape(const NestedTrace& nested, uint32_t track) {
  std::string out;
  const Track& of = nested.tracks[track];
  for (uint32_t l = of.first_lane; l < of.first_lane + of.lane_count; ++l) {
    const Lane& lane = nested.lanes[l];
    for (uint64_t i = lane.first_slice; i < lane.first_slice + lane.slice_count; ++i) {
      if (!out.empty()) out += ' ';
      out += std::to_string(lane.depth) + (lane.is_spill ? "s:" : ":") + std::to_string(nested.slices[i].start_ns) + "+" +
             std::to_string(nested.slices[i].dur_ns);
    }
  }
  return out;
}

uint64_t finding(const NestedTrace& nested, const std::string& code) {
  for (const Finding& f : nested.findings) {
    if (f.code == code) return f.count;
  }
  return 0;
}

std::string name_of_parent(const Trace& trace, const NestedTrace& nested, const std::string& name) {
  const int64_t slice = find(trace, nested, name);
  if (slice < 0) return "no such slice";
  const int64_t parent = nested.slices[static_cast<size_t>(slice)].parent;
  return parent < 0 ? "none" : trace.strings.at(nested.slices[static_cast<size_t>(parent)].name);
}
