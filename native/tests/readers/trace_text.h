// Reads a trace from bytes in memory, the way read_trace() does from a file, cut in many ways: all of them must agree.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "model/trace.h"
#include "readers/trace/read_opened.h"

namespace trace_text {

using tidemark::Trace;

class MemorySource : public tidemark::readers::trace::TextSource {
 public:
  explicit MemorySource(const std::string& bytes) : bytes_(bytes) {}
  size_t read(uint64_t offset, uint8_t* to, size_t capacity) override {
    if (offset >= bytes_.size()) return 0;
    const size_t count = std::min<size_t>(capacity, bytes_.size() - offset);
    std::memcpy(to, bytes_.data() + offset, count);
    return count;
  }
  bool failed() const override { return false; }

 private:
  const std::string& bytes_;
};

struct Read {
  Trace trace;
  tidemark::Failure error;
  bool agrees = true;  // every other way of cutting gave the same

  uint64_t finding(const std::string& code) const {
    for (const tidemark::Finding& finding : trace.findings) {
      if (finding.code == code) return finding.count;
    }
    return 0;
  }
  int64_t first_at(const std::string& code) const {
    for (const tidemark::Finding& finding : trace.findings) {
      if (finding.code == code) return finding.first_at;
    }
    return -1;
  }
  // All codes, in order, with their counts.
  std::string findings() const {
    std::string out;
    for (const tidemark::Finding& finding : trace.findings) {
      if (!out.empty()) out += ' ';
      out += finding.code.substr(6) + "=" + std::to_string(finding.count);
    }
    return out;
  }
  std::string text(uint32_t id) const { return id == tidemark::kNone ? "(none)" : trace.strings.at(id); }
  // The names of the slices, in order.
  std::string names() const {
    std::string out;
    for (size_t i = 0; i < trace.slices.size(); ++i) {
      if (i > 0) out += '|';
      out += text(trace.slices[i].name);
    }
    return out;
  }
  std::string metadata(const std::string& key) const {
    for (const auto& [known, json] : trace.metadata) {
      if (known == key) return json;
    }
    return "(none)";
  }
};

inline void append(std::string& out, std::initializer_list<int64_t> numbers) {
  for (const int64_t number : numbers) out += std::to_string(number) + ",";
  out += '\n';
}

inline int64_t number_of(uint64_t value) { return static_cast<int64_t>(value); }

// Everything that a trace says, as text.
inline std::string dump(const Read& read) {
  const Trace& trace = read.trace;
  std::string out = read.error.code + trace.format_detail + "\n";
  for (size_t i = 0; i < trace.strings.size(); ++i) out += trace.strings.at(static_cast<uint32_t>(i)) + "\n";
  for (const auto& process : trace.processes)
    out += process.pid + (process.pid_is_text ? "t" : "n") + std::to_string(process.name) + "," + std::to_string(process.labels) + "," + std::to_string(process.sort_index) + "\n";
  for (const auto& thread : trace.threads)
    out += thread.tid + (thread.tid_is_text ? "t" : "n") + std::to_string(thread.process) + "," + std::to_string(thread.name) + "," + std::to_string(thread.sort_index) + "\n";
  for (size_t i = 0; i < trace.slices.size(); ++i) {
    const auto& s = trace.slices[i];
    append(out, {s.start_ns, s.dur_ns, number_of(s.source_offset), s.source_length, s.name, s.thread, s.external_id, s.correlation, s.category, static_cast<int>(s.phase)});
  }
  for (size_t i = 0; i < trace.instants.size(); ++i) {
    const auto& s = trace.instants[i];
    append(out, {s.time_ns, number_of(s.source.offset), s.source.length, s.name, s.thread, s.category, s.scope});
  }
  for (size_t i = 0; i < trace.samples.size(); ++i) out += std::to_string(trace.samples[i].value) + ":" + std::to_string(trace.samples[i].series) + "\n";
  for (const auto& s : trace.series) append(out, {s.process, s.name, s.key, s.id});
  for (size_t i = 0; i < trace.flow_points.size(); ++i) {
    const auto& s = trace.flow_points[i];
    append(out, {s.time_ns, number_of(s.id), s.name, s.thread, s.category, s.phase, s.binds_enclosing});
  }
  for (size_t i = 0; i < trace.async_points.size(); ++i) {
    const auto& s = trace.async_points[i];
    append(out, {s.time_ns, s.key, s.name, s.thread, s.phase, number_of(s.source.offset)});
  }
  for (const auto& s : trace.async_keys) append(out, {s.process, s.category});
  for (size_t i = 0; i < trace.memory_events.size(); ++i) {
    const auto& s = trace.memory_events[i];
    append(out, {s.time_ns, number_of(s.address), s.bytes, s.total_allocated, s.total_reserved, s.thread, s.order, s.device_type, s.device_id, s.is_out_of_memory});
  }
  for (const auto& [key, json] : trace.metadata) out += key + "=" + json + "\n";
  for (const auto& finding : trace.findings) out += finding.code + std::to_string(finding.count) + "@" + std::to_string(finding.first_at) + "\n";
  return out + std::to_string(trace.event_count) + "," + std::to_string(trace.base_ns);
}

inline void read_into(Read& read, const std::string& bytes, const tidemark::readers::trace::Cut& cut) {
  tidemark::Progress progress;
  tidemark::readers::Head head = tidemark::readers::head_of(bytes);
  MemorySource source(bytes);
  tidemark::readers::trace::Opened opened;
  opened.anywhere = &source;
  opened.packed = std::make_unique<tidemark::readers::MemoryInput>(bytes);
  read.error = tidemark::readers::trace::read_opened(head, std::move(opened), cut, progress, read.trace);
}

// Reads with one thread in one block, then with blocks down to a few bytes and with more threads.
inline std::unique_ptr<Read> read_trace_text(const std::string& bytes) {
  auto read = std::make_unique<Read>();
  read_into(*read, bytes, {});
  const std::string expected = dump(*read);
  constexpr tidemark::readers::trace::Cut kCuts[] = {{1, 1, 2}, {7, 3, 1}, {64, 64, 2}, {64, 4096, 3}, {150, 17, 2}, {1000, 1 << 20, 2}};
  for (const auto& cut : kCuts) {
    Read other;
    read_into(other, bytes, cut);
    if (dump(other) == expected) continue;
    read->agrees = false;
    std::printf("cut {%d, %d, %u} gives\n%s\nnot\n%s\n", static_cast<int>(cut.block), static_cast<int>(cut.step), cut.threads, dump(other).c_str(), expected.c_str());
    break;
  }
  return read;
}

}  // namespace trace_text
