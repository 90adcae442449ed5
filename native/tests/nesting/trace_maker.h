// Small traces made in memory, and what the tests ask of a nested one.
#pragma once

#include <string>
#include <vector>

#include "nesting/nested_trace.h"

// Adds events to a trace. Threads 0 … threads − 1 belong to process 0 unless `add_thread` says otherwise.
class TraceMaker {
 public:
  explicit TraceMaker(uint32_t threads = 1);

  tidemark::Trace& trace() { return trace_; }
  uint32_t add_process(const std::string& pid);
  uint32_t add_thread(uint32_t process, const std::string& tid);
  uint16_t category(const std::string& name, tidemark::CategoryKind kind = tidemark::CategoryKind::other);
  uint32_t text(const std::string& text) { return trace_.strings.intern(text); }

  // Each answers the slice, which may be changed; its source_offset is its place in the file.
  tidemark::TraceSlice& complete(int64_t start, int64_t dur, const std::string& name = "x", uint32_t thread = 0);
  tidemark::TraceSlice& begin(int64_t time, const std::string& name, uint32_t thread = 0);
  tidemark::TraceSlice& end(int64_t time, uint32_t thread = 0);
  void flow(char phase, int64_t time, uint64_t id, uint32_t thread = 0, bool binds_enclosing = true);
  void async(char phase, int64_t time, uint32_t key, const std::string& name);
  uint32_t async_key(const std::string& category, uint32_t process = 0);
  void instant(int64_t time, char scope, uint32_t thread = 0);

  tidemark::NestedTrace nest();

 private:
  tidemark::TraceSlice& add(tidemark::SlicePhase phase, int64_t time, uint32_t thread);
  tidemark::Trace trace_;
};

// The slice_id of the first slice of this name, −1 without one.
int64_t find(const tidemark::Trace& trace, const tidemark::NestedTrace& nested, const std::string& name);
// "lane:start+dur" of every slice of a track, in stored order.
std::string shape(const tidemark::NestedTrace& nested, uint32_t track = 0);
uint64_t finding(const tidemark::NestedTrace& nested, const std::string& code);
std::string name_of_parent(const tidemark::Trace& trace, const tidemark::NestedTrace& nested, const std::string& name);
