#include "query/allocation_filter.h"

#include "store/sql.h"

namespace tidemark {
namespace {

// The items of the array `stacks`; false when one is no integer. Ids that the capture does not have keep nothing.
bool read_stacks(sqlite3* db, const std::string& json, size_t stack_count, std::vector<uint8_t>& stacks) {
  stacks.assign(stack_count + 1, 0);
  Statement items(db, "SELECT type, value FROM json_each(?1, '$.stacks')");
  items.bind(1, json);
  int result = items.step();
  for (; result == SQLITE_ROW; result = items.step()) {
    if (items.text(0) != "integer") return false;
    const uint64_t item = static_cast<uint64_t>(items.integer(1)) + 1;
    if (item < stacks.size()) stacks[item] = 1;
  }
  return result == SQLITE_DONE;
}

}  // namespace

Failure read_filter(sqlite3* db, const std::string& json, size_t stack_count, AllocationFilter& out) {
  out = {};
  if (json.empty()) return {};
  Statement shape(db, "SELECT CASE WHEN json_valid(?1) THEN json_type(?1) END");
  shape.bind(1, json);
  if (shape.step() != SQLITE_ROW || shape.text(0) != "object") return bad_argument("filter must be a JSON object or empty.");

  Statement keys(db, "SELECT key, type, value FROM json_each(?1)");
  keys.bind(1, json);
  int result = keys.step();
  for (; result == SQLITE_ROW; result = keys.step()) {
    const std::string key(keys.text(0));
    const std::string type(keys.text(1));
    const bool is_count = type == "integer" && keys.integer(2) >= 0;
    bool fits = false;
    if (key == "min_bytes") {
      fits = is_count;
      out.min_bytes = static_cast<uint64_t>(keys.integer(2));
    } else if (key == "most_events") {
      fits = is_count;
      out.most_events = keys.integer(2);
    } else if (key == "never_freed") {
      fits = type == "true" || type == "false";
      out.never_freed = type == "true";
    } else if (key == "stacks") {
      fits = out.by_stack = type == "array";
      fits = fits && read_stacks(db, json, stack_count, out.stacks);
    }
    if (!fits) return bad_argument("filter: " + key + " is unknown or its value does not fit.");
  }
  return result == SQLITE_DONE ? Failure{} : bad_argument("filter could not be read.");
}

}  // namespace tidemark
