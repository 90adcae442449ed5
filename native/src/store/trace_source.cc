#include "store/trace_source.h"

#include <sys/stat.h>
#include <zlib.h>

#include <cerrno>
#include <vector>

#include "readers/trace/source_text.h"
#include "store/sql.h"

namespace tidemark {
namespace {

constexpr size_t kWindow = 32 << 10;

// The last checkpoint at or before `offset`; none where the source is not compressed.
Failure find_checkpoint(sqlite3* db, uint64_t offset, std::vector<InflateCheckpoint>& out) {
  Statement found(db, "SELECT offset, packed_offset, bits, window FROM main.source_checkpoint WHERE offset <= ? ORDER BY offset DESC LIMIT 1");
  found.bind(1, static_cast<int64_t>(offset));
  const int result = found.step();
  if (result != SQLITE_ROW) return read_failure(result, "relation source_checkpoint");
  InflateCheckpoint checkpoint;
  checkpoint.offset = static_cast<uint64_t>(found.integer(0));
  checkpoint.packed_offset = static_cast<uint64_t>(found.integer(1));
  checkpoint.bits = static_cast<uint8_t>(found.integer(2));
  checkpoint.window.resize(kWindow);
  const std::string_view packed = found.blob(3);
  uLongf size = kWindow;
  const int unpacked = uncompress(reinterpret_cast<Bytef*>(checkpoint.window.data()), &size, reinterpret_cast<const Bytef*>(packed.data()),
                                  static_cast<uLong>(packed.size()));
  const bool fits = unpacked == Z_OK && found.integer(0) >= 0 && found.integer(1) >= 0 && found.integer(2) >= 0 && found.integer(2) < 8;
  if (!fits) return read_failure(SQLITE_CORRUPT, "relation source_checkpoint");
  checkpoint.window.resize(size);
  out.push_back(std::move(checkpoint));
  return {};
}

}  // namespace

Failure check_source(sqlite3* db, const std::string& path) {
  struct stat file;
  if (path.find('\0') != std::string::npos || stat(path.c_str(), &file) != 0) {
    const bool is_missing = path.find('\0') != std::string::npos || errno == ENOENT || errno == ENOTDIR;
    return is_missing ? Failure{"file/not_found", "The source of the trace is not there.", -1}
                      : Failure{"file/unreadable", "The source of the trace cannot be read.", -1};
  }
  if (!S_ISREG(file.st_mode)) return {"file/unreadable", "The source of the trace is no file.", -1};
  Statement stored(db, "SELECT source_bytes FROM main.capture");
  const int result = stored.step();
  if (result != SQLITE_ROW && result != SQLITE_DONE) return read_failure(result, "relation capture");
  const bool is_known = result == SQLITE_ROW && !stored.is_null(0);
  if (is_known && stored.integer(0) != static_cast<int64_t>(file.st_size)) {
    return {"trace/source_changed", "The source of the trace has another size than when it was read.", -1};
  }
  return {};
}

Failure stored_source_text(sqlite3* db, const std::string& path, uint64_t offset, uint64_t length, std::string& out) {
  std::vector<InflateCheckpoint> checkpoints;
  const Failure failure = find_checkpoint(db, offset, checkpoints);
  return failure.failed() ? failure : read_source_text(path, checkpoints, offset, length, out);
}

}  // namespace tidemark
