#include "query/flame_options.h"

#include "store/sql.h"

namespace tidemark {
namespace {

// More texts or frames than anyone picks; keeps the work of a question in bounds.
constexpr size_t kMostItems = 1000;

class OptionReader {
 public:
  OptionReader(sqlite3* db, const std::string& json, CallTreeOptions& out) : db_(db), json_(json), out_(out) {}

  // Whether the value of `key`, which is of the JSON type `type`, fits.
  bool read(const std::string& key, const std::string& type, const Statement& value) {
    if (key == "direction") return read_word(value, "callees", "callers", out_.from_innermost);
    if (key == "merge") {
      bool by_line = false;
      const bool fits = read_word(value, "function", "line", by_line);
      out_.merge = by_line ? FrameMerge::line : FrameMerge::function;
      return fits;
    }
    if (key == "fold_recursion") {
      out_.fold_recursion = type == "true";
      return type == "true" || type == "false";
    }
    if (key == "pivot") {
      out_.pivot = value.integer(2);
      return type == "integer" && out_.pivot >= 0;
    }
    if (type != "array") return false;
    if (key == "hide") return read_items("text", [&](const Statement& item) { out_.hide.emplace_back(item.text(1)); }, key);
    if (key == "with") return read_items("integer", [&](const Statement& item) { out_.with.push_back(item.integer(1)); }, key);
    if (key == "without") return read_items("integer", [&](const Statement& item) { out_.without.push_back(item.integer(1)); }, key);
    return false;
  }

 private:
  static bool read_word(const Statement& value, const char* no, const char* yes, bool& out) {
    out = value.text(2) == yes;
    return out || value.text(2) == no;
  }

  template <class Take>
  bool read_items(const char* type, Take take, const std::string& key) {
    Statement items(db_, "SELECT type, value FROM json_each(?1, '$.' || ?2)");
    items.bind(1, json_);
    items.bind(2, key);
    size_t count = 0;
    int result = items.step();
    for (; result == SQLITE_ROW; result = items.step()) {
      if (items.text(0) != type || ++count > kMostItems) return false;
      take(items);
    }
    return result == SQLITE_DONE;
  }

  sqlite3* db_;
  const std::string& json_;
  CallTreeOptions& out_;
};

}  // namespace

Failure read_call_tree_options(sqlite3* db, const std::string& json, CallTreeOptions& out) {
  out = {};
  if (json.empty()) return {};
  Statement shape(db, "SELECT CASE WHEN json_valid(?1) THEN json_type(?1) END");
  shape.bind(1, json);
  if (shape.step() != SQLITE_ROW || shape.text(0) != "object") return bad_argument("options must be a JSON object or empty.");
  OptionReader reader(db, json, out);
  Statement keys(db, "SELECT key, type, value FROM json_each(?1)");
  keys.bind(1, json);
  int result = keys.step();
  for (; result == SQLITE_ROW; result = keys.step()) {
    const std::string key(keys.text(0));
    const std::string type(keys.text(1));
    if (!reader.read(key, type, keys)) return bad_argument("options: " + key + " is unknown or its value does not fit.");
  }
  return result == SQLITE_DONE ? Failure{} : bad_argument("options could not be read.");
}

}  // namespace tidemark
