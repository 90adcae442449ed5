// Reads the rows of one relation on one device: stored values, and their SQL form.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "store/relation.h"
#include "store/stored_column.h"

namespace tidemark {

// Names behind small codes, loaded once a scan.
class RelationNames {
 public:
  explicit RelationNames(sqlite3* db) : db_(db) {}
  std::optional<int64_t> stream(int64_t index);
  const std::string* pool(int64_t index);
  const std::string* action(int64_t code);
  std::optional<int64_t> action_code(std::string_view word);

 private:
  void load_streams();
  void load_pools();
  void load_actions();

  sqlite3* db_;
  bool streams_loaded_ = false, pools_loaded_ = false, actions_loaded_ = false;
  std::map<int64_t, int64_t> streams_;
  std::map<int64_t, std::string> pools_;
  std::map<int64_t, std::string> actions_;
};

class RelationReader {
 public:
  RelationReader(sqlite3* db, const Relation& relation, int32_t device, int64_t first_id, RelationNames& names);

  // The value stored in `column` at `row`; `missing` where the index has none.
  int64_t stored(int column, size_t row, int64_t missing);

  // Sets the result of an SQL column.
  void result(sqlite3_context* context, int column, size_t row);

  bool damaged() const;

 private:
  StoredColumn* other(std::unique_ptr<StoredColumn>& kept, const char* relation, const char* name);
  void result_event_time(sqlite3_context* context, int64_t event);
  void result_string(sqlite3_context* context, int64_t id);
  void result_device_free(sqlite3_context* context, size_t row);
  void result_mapped(sqlite3_context* context, const RelationColumn& column, int64_t value, size_t row);

  sqlite3* db_;
  const Relation& relation_;
  int32_t device_;
  int64_t first_id_;
  RelationNames& names_;
  std::vector<std::unique_ptr<StoredColumn>> columns_;
  std::unique_ptr<StoredColumn> event_times_, slots_, free_completed_;
  bool oom_loaded_ = false;
  std::map<int64_t, int64_t> device_free_;  // by oom event
};

// Words of Action and BlockState in their stored order.
extern const char* const kActionWords[];
extern const int kActionWordCount;
extern const char* const kStateWords[];
extern const int kStateWordCount;

}  // namespace tidemark
