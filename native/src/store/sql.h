// Prepared statements on the caller's connection, with failures as values in the closed list of codes.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/failure.h"
#include "model/progress.h"
#include "store/sqlite_api.h"

namespace tidemark {

// Whether the connection was interrupted (sqlite3_interrupt); false on hosts older than SQLite 3.41.
bool is_interrupted(sqlite3* db);

// The failure that an SQLite result code means while an index is written.
Failure write_failure(int result, const char* what);

// The failure that an SQLite result code means while the index is read; none for SQLITE_OK, SQLITE_ROW and SQLITE_DONE.
Failure read_failure(int result, const char* what);

struct BlobView {
  std::string_view bytes;
};

class Statement {
 public:
  Statement() = default;
  Statement(sqlite3* db, const char* sql) { result_ = sqlite3_prepare_v2(db, sql, -1, &statement_, nullptr); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { sqlite3_finalize(statement_); }

  // SQLITE_OK, or why it could not be prepared.
  int result() const { return result_; }
  sqlite3_stmt* get() const { return statement_; }

  void bind(int at, int64_t value) { sqlite3_bind_int64(statement_, at, value); }
  void bind(int at, int value) { sqlite3_bind_int64(statement_, at, value); }
  void bind(int at, std::optional<int64_t> value) {
    value ? sqlite3_bind_int64(statement_, at, *value) : sqlite3_bind_null(statement_, at);
  }
  void bind(int at, std::optional<double> value) {
    value ? sqlite3_bind_double(statement_, at, *value) : sqlite3_bind_null(statement_, at);
  }
  // Texts must live until the next step.
  void bind(int at, const std::optional<std::string>& value) {
    value ? bind(at, std::string_view(*value)) : static_cast<void>(sqlite3_bind_null(statement_, at));
  }
  void bind(int at, std::string_view value) {
    sqlite3_bind_text(statement_, at, value.empty() ? "" : value.data(), static_cast<int>(value.size()), SQLITE_STATIC);
  }
  void bind(int at, const std::string& value) { bind(at, std::string_view(value)); }
  void bind(int at, const char* value) { bind(at, std::string_view(value)); }
  void bind(int at, BlobView value) {
    sqlite3_bind_blob(statement_, at, value.bytes.empty() ? "" : value.bytes.data(), static_cast<int>(value.bytes.size()),
                      SQLITE_STATIC);
  }

  int step() { return statement_ ? sqlite3_step(statement_) : result_; }
  int reset() { return sqlite3_reset(statement_); }
  int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }
  bool is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
  // Valid until the next step.
  std::string_view text(int column) const {
    const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return data ? std::string_view(data, static_cast<size_t>(sqlite3_column_bytes(statement_, column))) : std::string_view();
  }
  std::string_view blob(int column) const {
    const auto* data = static_cast<const char*>(sqlite3_column_blob(statement_, column));
    return data ? std::string_view(data, static_cast<size_t>(sqlite3_column_bytes(statement_, column))) : std::string_view();
  }

 private:
  sqlite3_stmt* statement_ = nullptr;
  int result_ = SQLITE_OK;
};

// An index on its way to the database: who writes it stops at the first failure, which stays, and once the load is cancelled.
struct IndexWrite {
  sqlite3* db;
  Progress& progress;
  Failure& failure;

  // To be asked for every row of what can be long.
  bool goes_on() const { return !failure.failed() && !progress.cancel.load(std::memory_order_relaxed); }
};

// Inserts rows into one table, as long as the write goes on.
class Insert {
 public:
  Insert(const IndexWrite& write, const char* sql) : statement_(write.db, sql), write_(write) {
    if (statement_.result() != SQLITE_OK && !write_.failure.failed()) write_.failure = write_failure(statement_.result(), sql);
  }

  template <typename... Values>
  void row(const Values&... values) {
    if (!write_.goes_on()) return;
    int at = 0;
    (statement_.bind(++at, values), ...);
    const int result = statement_.step();
    if (result != SQLITE_DONE) write_.failure = write_failure(result, "a row of the index");
    statement_.reset();
  }

 private:
  Statement statement_;
  const IndexWrite write_;
};

}  // namespace tidemark
