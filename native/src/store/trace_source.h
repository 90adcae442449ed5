// Text of events from the file that a trace's index was made of.
#pragma once

#include <cstdint>
#include <string>

#include "model/failure.h"
#include "store/sqlite_api.h"

namespace tidemark {

// No event that the reader looks at is longer.
inline constexpr int64_t kLongestEventText = int64_t{64} << 20;

// Whether the file at `path` can be the source of the index: there, and of the size that the capture had (`capture.source_bytes`).
// Errors: file/not_found, file/unreadable, trace/source_changed, index/not_an_index.
Failure check_source(sqlite3* db, const std::string& path);

// The `length` bytes at `offset` of the source, inflated where it is compressed; from the nearest checkpoint of the index. Errors as
// check_source(), which is for the caller to ask; trace/source_changed where the text is no JSON object.
Failure stored_source_text(sqlite3* db, const std::string& path, uint64_t offset, uint64_t length, std::string& out);

}  // namespace tidemark
