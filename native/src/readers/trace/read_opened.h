// Reads a trace from an already opened source; what read_trace(), the tests and the fuzz entry share.
#pragma once

#include <memory>
#include <string>

#include "readers/head.h"
#include "readers/trace/read_trace.h"
#include "readers/trace/window.h"

namespace tidemark::readers::trace {

// How the work is cut; the answer does not depend on it.
struct Cut {
  uint64_t block = 8u << 20;  // bytes of text that a thread takes at once
  size_t step = 1u << 18;     // bytes read at once: what was read is still in the cache of the processor when it is scanned
  unsigned threads = 2;
};

// The same bytes twice: readable from anywhere by several threads, and from the beginning below a gzip layer.
struct Opened {
  TextSource* anywhere = nullptr;
  std::unique_ptr<Input> packed;
};

Failure read_opened(const Head& head, Opened opened, const Cut& cut, Progress& progress, Trace& out);
// read_trace() with a cut of the caller's.
Failure read_trace_cut(const std::string& path, const Cut& cut, Progress& progress, Trace& out);

}  // namespace tidemark::readers::trace
