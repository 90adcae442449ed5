#include "store/sql.h"

#include "model/text.h"
#include "store/connection.h"

namespace tidemark {
namespace {

constexpr int kFirstVersionWithIsInterrupted = 3041000;

}  // namespace

bool is_interrupted(sqlite3* db) {
  return sqlite3_libversion_number() >= kFirstVersionWithIsInterrupted && sqlite3_is_interrupted(db);
}

std::string error_text(const std::string& code, const std::string& message, int64_t offset) {
  std::string out = "tidemark:{\"code\":";
  append_json_string(out, code);
  out += ",\"message\":";
  append_json_string(out, message);
  out += ",\"offset\":" + std::to_string(offset) + "}";
  return out;
}

Failure write_failure(int result, const char* what) {
  const int primary = result & 0xFF;
  const std::string detail = std::string(what) + ": " + sqlite3_errstr(result);
  switch (primary) {
    case SQLITE_FULL: return {"index/disk_full", "The disk is full: the index could not be written.", -1};
    case SQLITE_INTERRUPT: return {"query/cancelled", "The load was cancelled.", -1};
    case SQLITE_NOMEM: return {"engine/out_of_memory", "Out of memory while the index was written.", -1};
    case SQLITE_READONLY:
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return {"index/write_failed", "The index could not be written (" + detail + ").", -1};
    default: return {"engine/internal", "The index could not be written (" + detail + ").", -1};
  }
}

Failure read_failure(int result, const char* what) {
  switch (result & 0xFF) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE: return {};
    case SQLITE_INTERRUPT: return {"query/cancelled", "The query was cancelled.", -1};
    case SQLITE_NOMEM: return {"engine/out_of_memory", "Out of memory while the index was read.", -1};
    default: return {"index/not_an_index", std::string("The index is damaged: ") + what + ".", -1};
  }
}

}  // namespace tidemark
