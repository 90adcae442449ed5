// Reads the text of an event again from the file that a trace was read from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/failure.h"
#include "model/trace.h"

namespace tidemark {

// Puts the `length` bytes at `offset` (of the inflated text; both from a SourceSpan) into `out`. `checkpoints` are the trace's, ascending by
// offset; without them a compressed file is inflated from its beginning. Errors: file/not_found, file/unreadable, trace/source_changed (there
// is no JSON object at this place any more), engine/out_of_memory.
Failure read_source_text(const std::string& path, const std::vector<InflateCheckpoint>& checkpoints, uint64_t offset, uint64_t length,
                         std::string& out);

}  // namespace tidemark
