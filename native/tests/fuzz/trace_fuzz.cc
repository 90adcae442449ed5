// Fuzz entry of the reader of traces: whatever the bytes are, it must answer with a sound trace or with a code of the closed list, and
// with the same however the text is cut.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "readers/trace_text.h"

namespace {

using tidemark::kNone;

void demand(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

void check_trace(const tidemark::Trace& trace, size_t size) {
  const auto text = [&](uint32_t id) { demand(id == kNone || id < trace.strings.size(), "a text that exists"); };
  const auto row = [&](uint32_t thread, uint16_t category) {
    demand(thread < trace.threads.size(), "a thread that exists");
    demand(category < trace.categories.size(), "a category that exists");
  };
  demand(trace.categories.size() == trace.category_kinds.size(), "a kind for each category");
  for (const auto& thread : trace.threads) demand(thread.process < trace.processes.size(), "a process that exists");
  for (size_t i = 0; i < trace.slices.size(); ++i) {
    const auto& slice = trace.slices[i];
    text(slice.name);
    row(slice.thread, slice.category);
    demand(slice.dur_ns >= tidemark::kUnfinished && slice.dur_ns <= INT64_MAX / 2, "a length that can be added");
    demand(slice.start_ns >= -(INT64_MAX / 2) && slice.start_ns <= INT64_MAX / 2, "a start that can be added to");
    demand(trace.is_compressed || slice.source_offset + slice.source_length <= 2 * size, "a source in the file");
  }
  for (size_t i = 0; i < trace.instants.size(); ++i) {
    text(trace.instants[i].name);
    row(trace.instants[i].thread, trace.instants[i].category);
  }
  for (size_t i = 0; i < trace.samples.size(); ++i) demand(trace.samples[i].series < trace.series.size(), "a series that exists");
  for (const auto& series : trace.series) demand(series.process < trace.processes.size(), "a process that exists");
  for (size_t i = 0; i < trace.flow_points.size(); ++i) row(trace.flow_points[i].thread, trace.flow_points[i].category);
  for (size_t i = 0; i < trace.async_points.size(); ++i) demand(trace.async_points[i].key < trace.async_keys.size(), "a key that exists");
  for (size_t i = 0; i < trace.memory_events.size(); ++i) row(trace.memory_events[i].thread, 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  trace_text::Read whole;
  trace_text::read_into(whole, bytes, {8u << 20, 1u << 20, 1});
  if (whole.error.failed()) {
    constexpr std::string_view kCodes = " trace/not_a_trace trace/truncated file/empty file/unsupported_container ";
    demand(kCodes.find(" " + whole.error.code + " ") != std::string_view::npos, whole.error.code.c_str());
    demand(!whole.error.message.empty(), "a message");
  }
  check_trace(whole.trace, size);
  trace_text::Read cut;
  const size_t block = 1 + size % 97;
  trace_text::read_into(cut, bytes, {block, 1 + size % 31, 2});
  demand(trace_text::dump(whole) == trace_text::dump(cut), "the same trace however it is cut");
  return 0;
}
