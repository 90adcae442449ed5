// Reads the rows of one relation on one device: stored values, and their SQL form.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "store/connection.h"
#include "store/relation.h"
#include "store/sql.h"
#include "store/stored_column.h"

namespace tidemark {

// Lives as long as a cursor: it may hold a prepared statement, which a connection must not have when it closes.
class RelationReader {
 public:
  RelationReader(ConnectionState& state, const Relation& relation, const DeviceRows& rows);

  // The stored values of an SQL column.
  StoredColumn& column(int index);

  // Sets the result of an SQL column.
  void result(sqlite3_context* context, int column, size_t row);

  // The rows that belong to a track, where the relation has a column of that kind (Show::lane_track, Show::series_track).
  void rows_of_track(Show show, int64_t track, int64_t& from, int64_t& to);

  // SQLITE_OK, or the first failure of a column that was read.
  int result_code() const;

 private:
  StoredColumn& other(std::unique_ptr<StoredColumn>& kept, const char* relation, const char* name);
  void result_event_time(sqlite3_context* context, int64_t event);
  void result_string(sqlite3_context* context, int64_t id);
  void result_device_free(sqlite3_context* context, size_t row);
  void result_owner(sqlite3_context* context, Show show, size_t row);
  void result_args(sqlite3_context* context, int64_t offset, size_t row);
  void result_mapped(sqlite3_context* context, const RelationColumn& column, int64_t value, size_t row);
  void result_life(sqlite3_context* context, const RelationColumn& column, int64_t value, size_t row);
  // AllocationMark bits of a row of the relation `allocation`.
  unsigned marks(size_t row);

  ConnectionState& state_;
  const Relation& relation_;
  int32_t device_;
  int64_t first_id_;
  std::vector<std::unique_ptr<StoredColumn>> columns_;
  std::unique_ptr<StoredColumn> event_times_, slots_, free_completed_, marks_, lengths_;
  std::unique_ptr<Statement> string_text_;
  std::unique_ptr<Statement> event_args_;
  bool oom_loaded_ = false;
  std::map<int64_t, int64_t> device_free_;  // by oom event
};

}  // namespace tidemark
