// The memory events of traces made by hand: pairing, the floor, curves, attribution.
#include <algorithm>
#include <random>

#include "check.h"
#include "replay/innermost_slices.h"
#include "replay/trace_memory.h"
#include "replay/trace_stacks.h"

using namespace tidemark;

namespace {

struct Span {
  int64_t start;
  int64_t end;
};

// A trace of one thread whose slices are put into lanes by the rule of native/TRACES.md, slowly.
class Maker {
 public:
  Trace trace;
  NestedTrace nested;

  Maker() {
    category("", CategoryKind::other);
    trace.processes.emplace_back();
    trace.threads.emplace_back();
    nested.thread_track.push_back(0);
    nested.start_ns = 1000;
  }

  uint16_t category(const char* name, CategoryKind kind) {
    trace.categories.push_back(trace.strings.intern(name));
    trace.category_kinds.push_back(kind);
    return static_cast<uint16_t>(trace.categories.size() - 1);
  }

  // Times are since the start. In order of start, longer ones first.
  void slice(const char* name, uint16_t category, int64_t start, int64_t end) {
    NestedSlice made;
    made.start_ns = start;
    made.dur_ns = end - start;
    made.name = trace.strings.intern(name);
    made.category = category;
    pending_.push_back(made);
  }

  void memory(int64_t time, uint64_t address, int64_t bytes, int64_t total = -1, int64_t reserved = -1) {
    TraceMemoryEvent event;
    event.time_ns = nested.start_ns + time;
    event.address = address;
    event.bytes = bytes;
    event.total_allocated = total;
    event.total_reserved = reserved;
    event.device_type = type;
    event.device_id = device;
    event.order = order++;
    trace.memory_events.push_back(event);
  }
  int16_t type = 1;
  int16_t device = 0;
  uint32_t order = 0;

  void lay_out() {
    std::vector<std::vector<NestedSlice>> lanes, spilled;
    std::vector<int64_t> ends;
    for (const NestedSlice& slice : pending_) {
      const int64_t end = slice.start_ns + slice.dur_ns;
      while (!ends.empty() && ends.back() <= slice.start_ns) ends.pop_back();
      if (!ends.empty() && end > ends.back()) {
        spilled.push_back({slice});
        continue;
      }
      if (lanes.size() == ends.size()) lanes.emplace_back();
      lanes[ends.size()].push_back(slice);
      ends.push_back(end);
    }
    Track track;
    std::vector<NestedSlice> all;
    for (const auto* group : {&lanes, &spilled}) {
      for (const auto& rows : *group) {
        nested.lanes.push_back({0, track.lane_count++, group == &spilled, all.size(), rows.size()});
        all.insert(all.end(), rows.begin(), rows.end());
      }
    }
    nested.slices = Array<NestedSlice>(all.size());
    std::copy(all.begin(), all.end(), nested.slices.begin());
    track.slice_count = all.size();
    nested.tracks = {track};
    for (size_t i = 0; i < nested.slices.size(); ++i) nested.slices[i].parent = parent_of(i);
    pending_.clear();
  }

  TraceMemory run() {
    if (nested.tracks.empty()) lay_out();
    const Progress progress;
    TraceMemory out = trace_memory(trace, nested, progress);
    for (TraceMemoryDevice& one : out.devices) {
      curves.emplace_back();
      run_trace_curves(
          trace, one,
          [&](const CurveBlock& block) {
            curves.back().insert(curves.back().end(), block.value[kAllocated], block.value[kAllocated] + block.count);
          },
          progress, out.findings);
    }
    findings = out.findings.take();
    return out;
  }
  std::vector<std::vector<int64_t>> curves;  // allocated, by device
  std::vector<Finding> findings;

  uint64_t found(const char* code) const {
    for (const Finding& finding : findings) {
      if (finding.code == code) return finding.count;
    }
    return 0;
  }

 private:
  int64_t parent_of(size_t i) const {
    const NestedSlice& inner = nested.slices[i];
    int64_t best = kNoSlice;
    for (size_t j = 0; j < nested.slices.size(); ++j) {
      const NestedSlice& outer = nested.slices[j];
      const bool longer = outer.dur_ns > inner.dur_ns || (outer.dur_ns == inner.dur_ns && j < i);
      if (i == j || !longer || outer.start_ns > inner.start_ns) continue;
      if (outer.start_ns + outer.dur_ns < inner.start_ns + inner.dur_ns) continue;
      if (best == kNoSlice || outer.dur_ns <= nested.slices[static_cast<size_t>(best)].dur_ns) best = static_cast<int64_t>(j);
    }
    return best;
  }

  std::vector<NestedSlice> pending_;
};

std::string stack_text(const TraceMemory& memory, uint32_t stack) {
  if (stack == kNone) return "-";
  std::string out;
  for (size_t i = 0; i < memory.names.stacks.depth(stack); ++i) {
    const uint32_t frame = memory.names.stacks.frames(stack)[i];
    out += memory.names.strings.at(memory.names.frames.name(frame)) + " " + memory.names.strings.at(memory.names.frames.filename(frame)) +
           ":" + std::to_string(memory.names.frames.line(frame)) + ";";
  }
  return out;
}

std::string lives(const TraceMemoryDevice& device) {
  const AllocationTable& t = device.replay.paired.allocations;
  std::string out;
  for (size_t i = 0; i < t.count(); ++i) {
    const int64_t freed = t.free_completed[i] == kNoEvent ? -1 : int64_t{t.free_completed[i]};
    out += std::to_string(t.address[i]) + "=" + std::to_string(t.size[i]) + "@" + std::to_string(t.alloc_event[i]) + ".." +
           std::to_string(freed) + " ";
  }
  return out;
}

int64_t innermost_slowly(const NestedTrace& nested, int64_t time) {
  int64_t best = kNoSlice;
  for (size_t i = 0; i < nested.slices.size(); ++i) {
    const NestedSlice& s = nested.slices[i];
    if (s.start_ns > time || s.start_ns + s.dur_ns < time) continue;
    const NestedSlice* known = best == kNoSlice ? nullptr : &nested.slices[static_cast<size_t>(best)];
    if (!known || s.start_ns > known->start_ns || (s.start_ns == known->start_ns && s.dur_ns <= known->dur_ns)) {
      best = static_cast<int64_t>(i);
    }
  }
  return best;
}

}  // namespace

TEST(the_innermost_slice_is_the_one_that_a_look_at_all_slices_finds) {
  for (uint32_t seed = 1; seed <= 200; ++seed) {
    std::mt19937 random(seed);
    std::vector<Span> spans;
    const uint32_t range = 20 + random() % 200;
    for (uint32_t i = 0; i < 60; ++i) {
      const int64_t start = random() % range;
      spans.push_back({start, start + static_cast<int64_t>(random() % (1 + random() % 60))});
    }
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.start != b.start ? a.start < b.start : a.end > b.end; });
    Maker maker;
    for (const Span& span : spans) maker.slice("s", 0, span.start, span.end);
    maker.lay_out();
    InnermostSlices slices(maker.nested, maker.nested.tracks[0], Progress());
    for (int64_t time = -2; time < 300; time += random() % 4) {
      const int64_t got = slices.at(time);
      CHECK_EQ(got, innermost_slowly(maker.nested, time));
      CHECK_EQ(slices.at(time), got);
    }
  }
}

TEST(frees_close_their_allocations_in_order_of_time_not_of_the_file) {
  Maker maker;
  maker.memory(30, 0x200, -64, 1000);
  maker.memory(10, 0x100, 512, 1512, 4096);
  maker.memory(20, 0x200, 64, 1576, 4096);
  maker.memory(30, 0x100, -512, 488 + 0, 2048);
  maker.trace.memory_events[0].order = 9;
  maker.trace.memory_events[0].total_allocated = 1000;
  maker.trace.memory_events[3].total_allocated = 1064;
  const TraceMemory memory = maker.run();
  CHECK_EQ(lives(memory.devices[0]), std::string("0=1000@-1..-1 256=512@0..2 512=64@1..3 "));
  CHECK_EQ(memory.devices[0].replay.exact, true);
  CHECK_EQ(maker.curves[0] == (std::vector<int64_t>{1512, 1576, 1064, 1000}), true);
  CHECK_EQ(memory.devices[0].replay.curves.peak_event, int64_t{1});
  CHECK_EQ(memory.devices[0].replay.curves.start[kReserved], int64_t{4096});
  CHECK_EQ(memory.devices[0].replay.curves.end[kReserved], int64_t{2048});
  CHECK_EQ(maker.found("trace/memory_unmatched_free"), uint64_t{0});
}

TEST(a_free_of_memory_held_before_takes_its_bytes_from_the_floor) {
  Maker maker;
  maker.memory(10, 0x100, 512, 10512);
  maker.memory(20, 0x300, -3000, 7512);
  maker.memory(30, 0x300, 100, 7612);
  const TraceMemory memory = maker.run();
  CHECK_EQ(lives(memory.devices[0]), std::string("0=7000@-1..-1 768=3000@-1..1 256=512@0..-1 768=100@2..-1 "));
  CHECK_EQ(memory.devices[0].replay.exact, true);
  CHECK_EQ(maker.curves[0] == (std::vector<int64_t>{10512, 7512, 7612}), true);
  CHECK_EQ(maker.found("trace/memory_unmatched_free"), uint64_t{1});
  CHECK_EQ(memory.devices[0].replay.paired.allocations.version[3], uint32_t{1});
}

TEST(a_free_of_memory_that_is_free_changes_nothing) {
  Maker maker;
  maker.memory(10, 0x100, 512, 512);
  maker.memory(20, 0x100, -512, 0);
  maker.memory(30, 0x100, -256, 0);
  const TraceMemory memory = maker.run();
  CHECK_EQ(lives(memory.devices[0]), std::string("256=512@0..1 "));
  CHECK_EQ(memory.devices[0].replay.paired.event_allocation[2], kNoAllocation);
  CHECK_EQ(maker.curves[0] == (std::vector<int64_t>{512, 0, 0}), true);
  CHECK_EQ(maker.found("trace/memory_unmatched_free"), uint64_t{1});
}

TEST(an_allocation_over_an_open_one_ends_that_one) {
  Maker maker;
  maker.memory(10, 0x100, 512, 512);
  maker.memory(20, 0x100, 256, 256);
  maker.memory(30, 0x100, -128, 0);
  const TraceMemory memory = maker.run();
  CHECK_EQ(lives(memory.devices[0]), std::string("256=512@0..1 256=256@1..2 "));
  CHECK_EQ(maker.curves[0] == (std::vector<int64_t>{512, 256, 0}), true);
  CHECK_EQ(maker.found("trace/memory_overwritten"), uint64_t{1});
  CHECK_EQ(maker.found("trace/memory_size_mismatch"), uint64_t{1});
  CHECK_EQ(memory.devices[0].replay.exact, true);
}

TEST(totals_that_drift_from_the_sum_are_told_once_a_drift) {
  Maker maker;
  maker.memory(10, 0x100, 512, 512);
  maker.memory(20, 0x200, 512, 2024);  // 1000 bytes more
  maker.memory(30, 0x300, 512, 2536);
  maker.memory(40, 0x300, -512, 1024);  // which are gone again
  const TraceMemory memory = maker.run();
  CHECK_EQ(memory.devices[0].replay.exact, false);
  CHECK_EQ(maker.found("trace/memory_lost"), uint64_t{2});
}

TEST(without_totals_there_is_no_floor_and_without_addresses_only_a_curve) {
  Maker totals;
  totals.memory(10, 0x100, 512);
  totals.memory(20, 0x200, -64);
  const TraceMemory memory = totals.run();
  CHECK_EQ(lives(memory.devices[0]), std::string("512=64@-1..1 256=512@0..-1 "));
  CHECK_EQ(totals.curves[0] == (std::vector<int64_t>{576, 512}), true);
  CHECK_EQ(memory.devices[0].replay.exact, false);

  Maker addresses;
  addresses.memory(10, 0, 512);
  addresses.memory(20, 0, -2000);
  addresses.memory(30, 0, 100);
  const TraceMemory nameless = addresses.run();
  CHECK_EQ(lives(nameless.devices[0]), std::string("0=1488@-1..-1 "));
  CHECK_EQ(addresses.curves[0] == (std::vector<int64_t>{2000, 0, 100}), true);
  CHECK_EQ(addresses.found("trace/memory_without_address"), uint64_t{3});
}

TEST(a_failed_allocation_is_an_oom_event_that_changes_nothing) {
  Maker maker;
  maker.memory(10, 0x100, 512, 512);
  maker.memory(20, 0, 1 << 30, 512);
  maker.trace.memory_events[1].is_out_of_memory = true;
  const TraceMemory memory = maker.run();
  CHECK_EQ(memory.devices[0].events.action[1], static_cast<uint8_t>(Action::oom));
  CHECK_EQ(maker.curves[0] == (std::vector<int64_t>{512, 512}), true);
  CHECK_EQ(memory.devices[0].replay.exact, true);
  CHECK_EQ(maker.found("trace/memory_without_address"), uint64_t{0});
}

TEST(devices_keep_their_numbers_and_a_second_type_is_moved) {
  Maker maker;
  for (const auto& [type, id] : std::vector<std::pair<int, int>>{{6, 0}, {1, 0}, {0, -1}, {1, 3}, {0, 5}, {12, -4}}) {
    maker.type = static_cast<int16_t>(type);
    maker.device = static_cast<int16_t>(id);
    maker.memory(10, 0x100, 512, 512);
  }
  const TraceMemory memory = maker.run();
  std::string got;
  for (const TraceMemoryDevice& device : memory.devices) {
    got += std::to_string(device.device) + ":" + device_type_name(device.type) + ":" + std::to_string(device.bytes.size()) + " ";
  }
  CHECK_EQ(got, std::string("-1:cpu:2 0:cuda:1 3:cuda:1 6000:hip:1 11996:xpu:1 "));
}

TEST(what_no_device_holds_is_left_out) {
  Maker maker;
  maker.memory(5, 0x50, INT64_MIN, 0);
  maker.memory(6, 0x60, INT64_MAX, 0);
  maker.memory(10, 0x100, 512, 512);
  for (int16_t id = 1; id < 100; ++id) {
    maker.device = id;
    maker.memory(20, 0x100, 512, INT64_MAX);
  }
  const TraceMemory memory = maker.run();
  CHECK_EQ(memory.devices.size(), size_t{64});
  CHECK_EQ(maker.found("trace/memory_left_out"), uint64_t{2 + 36});
  CHECK_EQ(lives(memory.devices[0]), std::string("256=512@0..-1 "));
}

TEST(an_allocation_has_the_stack_and_the_op_around_it) {
  Maker maker;
  const uint16_t op = maker.category("cpu_op", CategoryKind::cpu_op);
  const uint16_t python = maker.category("python_function", CategoryKind::python_function);
  const uint16_t user = maker.category("user_annotation", CategoryKind::user_annotation);
  for (const int64_t step : {0, 1000}) {
    maker.slice(step == 0 ? "ProfilerStep#1" : "ProfilerStep#2", user, step, step + 500);
    maker.slice("train.py(12): run(a): b", python, step + 10, step + 400);
    maker.slice("<built-in method mm>", python, step + 11, step + 390);
    maker.slice("aten::mm", op, step + 20, step + 100);
    maker.slice("aten::empty", op, step + 30, step + 40);
    maker.slice("aten::empty", op, step + 200, step + 240);
    maker.slice("aten::resize_", op, step + 210, step + 220);
  }
  for (const int64_t step : {0, 1000}) {
    for (const int64_t time : {35, 50, 215, 300, 450, 900}) maker.memory(step + time, static_cast<uint64_t>(step + time), 512);
  }
  const TraceMemory memory = maker.run();
  const TraceMemoryDevice& device = memory.devices[0];
  const std::string python_frames = "<built-in method mm> python_function:0;run(a): b train.py:12;";
  const auto& table = device.replay.paired.allocations;
  const auto op_of = [&](size_t i) {
    return device.allocation_op[i] == kNone ? std::string("-") : maker.trace.strings.at(device.allocation_op[i]);
  };
  const char* const ops[] = {"aten::mm", "aten::mm", "aten::resize_", "-", "-", "-"};
  const std::string stacks[] = {"aten::empty cpu_op:0;aten::mm cpu_op:0;" + python_frames, "aten::mm cpu_op:0;" + python_frames,
                                "aten::resize_ cpu_op:0;aten::empty cpu_op:0;" + python_frames, python_frames, "-", "-"};
  for (size_t i = 0; i < 6; ++i) {
    CHECK_EQ(op_of(i), std::string(ops[i]));
    CHECK_EQ(stack_text(memory, table.stack[i]), stacks[i]);
    CHECK_EQ(table.stack[i + 6], table.stack[i]);  // the same code in the next step
    CHECK_EQ(device.allocation_slice[i], innermost_slowly(maker.nested, std::vector<int64_t>{35, 50, 215, 300, 450, 900}[i]));
  }
  CHECK_EQ(memory.annotations.size(), size_t{2});
  CHECK_EQ(memory.annotations[0].is_step, true);
}

TEST(stacks_that_lose_frames_for_want_of_room_are_counted) {
  // One tower of slices that is deep enough, and in its top as many slices as it takes to fill the room, each with an event.
  constexpr size_t kDeep = TraceStacks::kMostFrames - 1;
  constexpr size_t kFilling = TraceStacks::kMostFramesOfAll / TraceStacks::kMostFrames;
  constexpr size_t kCut = 3;
  Maker maker;
  maker.nested.slices = Array<NestedSlice>(kDeep + kFilling + kCut);
  for (size_t i = 0; i < maker.nested.slices.size(); ++i) {
    NestedSlice slice;
    slice.name = maker.trace.strings.intern("slice " + std::to_string(i));
    slice.parent = static_cast<int64_t>(std::min(i, kDeep)) - 1;
    maker.nested.slices[i] = slice;
  }
  Snapshot names;
  TraceStacks stacks(maker.trace, maker.nested, names);
  size_t next = kDeep;
  for (size_t i = 0; i < kFilling; ++i) CHECK_EQ(names.stacks.depth(stacks.at(static_cast<int64_t>(next++)).stack), TraceStacks::kMostFrames);
  CHECK_EQ(stacks.cut_count(), uint64_t{0});
  for (size_t i = 0; i < kCut; ++i) CHECK_EQ(names.stacks.depth(stacks.at(static_cast<int64_t>(next++)).stack), TraceStacks::kFewFrames);
  CHECK_EQ(stacks.cut_count(), uint64_t{kCut});
  stacks.at(static_cast<int64_t>(next - 1));
  stacks.at(2);  // of few frames itself
  CHECK_EQ(stacks.cut_count(), uint64_t{kCut});
}
