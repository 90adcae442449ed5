// Names behind small codes, read once a connection.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "store/sqlite_api.h"

namespace tidemark {

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
  bool streams_loaded_ = false, pools_loaded_ = false, actions_loaded_ = false;  // whole: an interrupted read is repeated
  std::map<int64_t, int64_t> streams_;
  std::map<int64_t, std::string> pools_;
  std::map<int64_t, std::string> actions_;
};

// Words of Action and BlockState in their stored order.
extern const char* const kActionWords[];
extern const int kActionWordCount;
extern const char* const kStateWords[];
extern const int kStateWordCount;

}  // namespace tidemark
