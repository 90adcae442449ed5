// Prints what read_trace() made of a file, as JSON on standard output: for tests, scripts and measurements.
// Usage: trace_main FILE [--time] [--threads N] [--block BYTES]. Exit status 0; 2 when the file cannot be read.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#ifdef __unix__
#include <sys/resource.h>
#endif

#include "model/text.h"
#include "readers/trace/read_opened.h"

namespace {

using tidemark::Trace;

std::string quoted(const std::string& text) {
  std::string out;
  tidemark::append_json_string(out, text);
  return out;
}

void field(const char* name, uint64_t value) { std::printf("\"%s\":%llu,", name, static_cast<unsigned long long>(value)); }

// Sums over the slices: wrong values and lost events show in them.
void print_slices(const Trace& trace) {
  uint64_t start = 0, length = 0, external = 0, correlation = 0, bytes = 0, names = 0;
  uint64_t phases[3] = {0, 0, 0};
  std::map<std::string, uint64_t> categories;
  std::vector<uint64_t> by_category(trace.categories.size());
  for (size_t i = 0; i < trace.slices.size(); ++i) {
    const tidemark::TraceSlice& slice = trace.slices[i];
    ++phases[static_cast<size_t>(slice.phase)];
    start += static_cast<uint64_t>(slice.start_ns);
    length += slice.dur_ns >= 0 ? static_cast<uint64_t>(slice.dur_ns) : 0;
    external += slice.external_id == tidemark::kNoId ? 0 : slice.external_id;
    correlation += slice.correlation == tidemark::kNoId ? 0 : slice.correlation;
    bytes += slice.source_length;
    names += slice.name == tidemark::kNone ? 0 : trace.strings.at(slice.name).size();
    ++by_category[slice.category];
  }
  field("X", phases[0]);
  field("B", phases[1]);
  field("E", phases[2]);
  field("start_sum", start);
  field("dur_sum", length);
  field("external_sum", external);
  field("correlation_sum", correlation);
  field("source_bytes", bytes);
  field("name_bytes", names);
  std::printf("\"categories\":{");
  for (size_t i = 0; i < by_category.size(); ++i)
    std::printf("%s%s:%llu", i == 0 ? "" : ",", quoted(trace.strings.at(trace.categories[i])).c_str(), static_cast<unsigned long long>(by_category[i]));
  std::printf("},");
}

void print_rest(const Trace& trace) {
  uint64_t bytes = 0, address = 0, reserved = 0;
  for (size_t i = 0; i < trace.memory_events.size(); ++i) {
    bytes += static_cast<uint64_t>(trace.memory_events[i].bytes);
    address += trace.memory_events[i].address;
    reserved += static_cast<uint64_t>(trace.memory_events[i].total_reserved);
  }
  field("memory_bytes", bytes);
  field("memory_address", address);
  field("memory_reserved", reserved);
  std::printf("\"metadata\":{");
  for (size_t i = 0; i < trace.metadata.size(); ++i)
    std::printf("%s%s:%s", i == 0 ? "" : ",", quoted(trace.metadata[i].first).c_str(), trace.metadata[i].second.c_str());
  std::printf("},\"findings\":[");
  for (size_t i = 0; i < trace.findings.size(); ++i) {
    const tidemark::Finding& finding = trace.findings[i];
    std::printf("%s{\"code\":%s,\"count\":%llu,\"first_at\":%lld}", i == 0 ? "" : ",", quoted(finding.code).c_str(),
                static_cast<unsigned long long>(finding.count), static_cast<long long>(finding.first_at));
  }
  std::printf("]");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 1;
  tidemark::readers::trace::Cut cut;
  bool timed = false;
  for (int i = 2; i < argc; ++i) {
    if (std::strcmp(argv[i], "--time") == 0) timed = true;
    if (std::strcmp(argv[i], "--threads") == 0 && i + 1 < argc) cut.threads = static_cast<unsigned>(std::atoi(argv[++i]));
    if (std::strcmp(argv[i], "--block") == 0 && i + 1 < argc) cut.block = cut.step = static_cast<size_t>(std::atoll(argv[++i]));
  }
  tidemark::Progress progress;
  Trace trace;
  const auto begun = std::chrono::steady_clock::now();
  const tidemark::Failure error = tidemark::readers::trace::read_trace_cut(argv[1], cut, progress, trace);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begun;
  if (timed) std::fprintf(stderr, "%.3f s\n", seconds.count());
#ifdef __unix__
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  if (timed) std::fprintf(stderr, "%.1f MiB peak\n", static_cast<double>(usage.ru_maxrss) / 1024.0);
#endif
  if (error.failed()) {
    std::printf("{\"error\":{\"code\":%s,\"message\":%s}}\n", quoted(error.code).c_str(), quoted(error.message).c_str());
    return 2;
  }
  std::printf("{");
  field("events", trace.event_count);
  field("instants", trace.instants.size());
  field("samples", trace.samples.size());
  field("series", trace.series.size());
  field("flow_points", trace.flow_points.size());
  field("async_points", trace.async_points.size());
  field("memory_events", trace.memory_events.size());
  field("processes", trace.processes.size());
  field("threads", trace.threads.size());
  field("strings", trace.strings.size());
  field("checkpoints", trace.checkpoints.size());
  print_slices(trace);
  print_rest(trace);
  std::printf("}\n");
  return 0;
}
