// Prints what read_snapshot() made of a file, as JSON on standard output: for tests, scripts and measurements.
// Usage: read_main FILE [--time]. Exit status 0; 2 when the file cannot be read.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>

#ifdef __unix__
#include <sys/resource.h>
#endif

#include "model/snapshot.h"
#include "model/text.h"
#include "readers/read_snapshot.h"

namespace {

using tidemark::append_json_string;

constexpr const char* kActions[] = {"alloc",        "free_requested", "free_completed", "segment_alloc", "segment_free",
                                    "segment_map",  "segment_unmap",  "snapshot",       "oom",           "annotate",
                                    "user_defined", "free",           "unknown"};

std::string quoted(const std::string& text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string field(const char* name, uint64_t value) {
  return std::string("\"") + name + "\":" + std::to_string(value) + ",";
}

std::string device_json(const tidemark::DeviceTrace& trace) {
  std::map<std::string, uint64_t> counts;
  uint64_t with_stack = 0;
  uint64_t size_sum = 0;
  uint64_t address_sum = 0;
  uint64_t time_sum = 0;
  for (size_t i = 0; i < trace.action.size(); ++i) {
    ++counts[kActions[trace.action[i]]];
    with_stack += trace.stack[i] != tidemark::kNone;
    size_sum += trace.size[i];
    address_sum += trace.address[i];
    time_sum += trace.time[i] == tidemark::kNoTime ? 0 : static_cast<uint64_t>(trace.time[i]);
  }
  std::string out = "{" + field("events", trace.action.size()) + field("with_stack", with_stack) +
                    field("size_sum", size_sum) + field("address_sum", address_sum) + field("time_sum", time_sum) +
                    "\"actions\":{";
  const char* comma = "";
  for (const auto& [action, count] : counts) {
    out += comma + quoted(action) + ":" + std::to_string(count);
    comma = ",";
  }
  return out + "}}";
}

std::string findings_json(const tidemark::Snapshot& snapshot) {
  std::string out = "[";
  const char* comma = "";
  for (const tidemark::Finding& finding : snapshot.findings) {
    out += comma;
    out += "{\"code\":" + quoted(finding.code) + "," + field("count", finding.count) +
           "\"first_at\":" + std::to_string(finding.first_at) + ",\"message\":" + quoted(finding.message) + "}";
    comma = ",";
  }
  return out + "]";
}

// Sum over all stacks that events refer to of (depth of the stack): checks stacks without printing them.
uint64_t stack_depth_sum(const tidemark::Snapshot& snapshot) {
  uint64_t sum = 0;
  for (const tidemark::DeviceTrace& trace : snapshot.traces) {
    for (size_t i = 0; i < trace.stack.size(); ++i) {
      if (trace.stack[i] != tidemark::kNone) sum += snapshot.stacks.depth(trace.stack[i]);
    }
  }
  return sum;
}

std::string summary(const tidemark::Snapshot& snapshot) {
  uint64_t blocks = 0;
  uint64_t reserved = 0;
  uint64_t requested = 0;
  for (const tidemark::Segment& segment : snapshot.segments) {
    blocks += segment.blocks.size();
    reserved += segment.total_size;
    for (const tidemark::Block& block : segment.blocks) requested += block.requested_size;
  }
  std::string out = "{\"format\":" + quoted(snapshot.format_detail) + "," +
                    field("segments", snapshot.segments.size()) + field("blocks", blocks) +
                    field("reserved", reserved) + field("requested", requested) +
                    field("frames", snapshot.frames.size()) + field("stacks", snapshot.stacks.size()) +
                    field("strings", snapshot.strings.size()) + field("streams", snapshot.streams.size()) +
                    field("pools", snapshot.pools.size()) + field("annotations", snapshot.annotations.size()) +
                    field("stack_depth_sum", stack_depth_sum(snapshot)) + "\"devices\":[";
  const char* comma = "";
  for (const tidemark::DeviceTrace& trace : snapshot.traces) {
    out += comma + device_json(trace);
    comma = ",";
  }
  out += "],\"settings\":" + (snapshot.settings_json.empty() ? "null" : snapshot.settings_json) +
         ",\"extra\":" + (snapshot.extra_json.empty() ? "null" : snapshot.extra_json) +
         ",\"findings\":" + findings_json(snapshot);
  return out;
}

long peak_kib() {
#ifdef __unix__
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
#else
  return 0;
#endif
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: read_main FILE [--time]\n");
    return 1;
  }
  tidemark::Progress progress;
  tidemark::Snapshot snapshot;
  const auto start = std::chrono::steady_clock::now();
  const tidemark::Failure error = tidemark::read_snapshot(argv[1], progress, snapshot);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  const bool timed = argc > 2 && std::strcmp(argv[2], "--time") == 0;
  if (timed) std::fprintf(stderr, "%.3f s, %.1f MiB peak\n", seconds.count(), static_cast<double>(peak_kib()) / 1024.0);
  if (error.failed()) {
    std::printf("{\"error\":{\"code\":%s,\"message\":%s,\"offset\":%lld}}\n", quoted(error.code).c_str(),
                quoted(error.message).c_str(), static_cast<long long>(error.offset));
    return 2;
  }
  std::printf("%s}\n", summary(snapshot).c_str());
  return 0;
}
