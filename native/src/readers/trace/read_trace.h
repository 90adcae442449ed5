// Entry of the reader of Chrome traces: a file on disk becomes a Trace, or a coded error.
#pragma once

#include <string>

#include "model/failure.h"
#include "model/progress.h"
#include "model/trace.h"

namespace tidemark {

// Reads the trace at `path` (JSON, plain or gzip). Damage is repaired and told as findings. Errors: file/not_found, file/unreadable,
// file/empty, file/unsupported_container, trace/not_a_trace (no events), trace/truncated (nothing usable before the cut),
// query/cancelled, engine/out_of_memory. `progress.cancel` is looked at for every MiB of text.
Failure read_trace(const std::string& path, Progress& progress, Trace& out);

}  // namespace tidemark
