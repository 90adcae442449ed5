// Names behind small codes, read once a connection.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "store/sqlite_api.h"

namespace tidemark {

// The stored value behind a text of a relation. Two of a file's texts may have become equal where they were no valid UTF-8: then, and where
// the look-up failed, no value stands for all rows with the text.
struct TextCode {
  std::optional<int64_t> value;  // none: no row has the text
  bool is_sole = true;
};

class RelationNames {
 public:
  explicit RelationNames(sqlite3* db) : db_(db) {}
  std::optional<int64_t> stream(int64_t index);
  const std::string* pool(int64_t index);
  const std::string* action(int64_t code);
  // Of a trace; null for events without a category.
  const std::string* category(int64_t id);
  const std::string* device_type(int64_t device);
  std::optional<int64_t> action_code(std::string_view word);
  TextCode category_code(std::string_view name);
  TextCode string_code(std::string_view text);

 private:
  void load_streams();
  void load_pools();
  void load_actions();
  void load_categories();
  void load_device_types();

  sqlite3* db_;
  // Whole: an interrupted read is repeated.
  bool streams_loaded_ = false, pools_loaded_ = false, actions_loaded_ = false, device_types_loaded_ = false, categories_loaded_ = false;
  std::map<int64_t, int64_t> streams_;
  std::map<int64_t, std::string> pools_;
  std::map<int64_t, std::string> actions_;
  std::map<int64_t, std::string> categories_;
  std::map<int64_t, std::string> device_types_;
  std::optional<std::pair<std::string, TextCode>> last_string_;  // a join asks for the same text again and again
};

// Words of Action and BlockState in their stored order.
extern const char* const kActionWords[];
extern const int kActionWordCount;
extern const char* const kStateWords[];
extern const int kStateWordCount;

}  // namespace tidemark
