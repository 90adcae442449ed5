// Objects of options in JSON, as query functions take them: read member by member, so that an unknown one is refused by its name.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "query/query_error.h"
#include "store/sql.h"

namespace tidemark {

// One member of an object.
struct JsonMember {
  sqlite3* db;
  const std::string& json;  // the whole object
  std::string key;
  std::string type;  // as SQLite's JSON functions name it
  int64_t number = 0;
  std::string text;

  bool is_integer() const { return type == "integer"; }
  bool is_count() const { return is_integer() && number >= 0; }
  bool is_flag() const { return type == "true" || type == "false"; }

  // Calls take(item) for each item of an array; its value is column 1. False when this is no array, has more than `most` items, or one of another
  // type.
  template <class Take>
  bool each_item(const char* of_type, Take&& take, size_t most = std::numeric_limits<size_t>::max()) const {
    if (type != "array") return false;
    Statement items(db, "SELECT type, value FROM json_each(?1, '$.' || ?2)");
    items.bind(1, json);
    items.bind(2, key);
    size_t count = 0;
    int result = items.step();
    for (; result == SQLITE_ROW; result = items.step()) {
      if (items.text(0) != of_type || ++count > most) return false;
      take(items);
    }
    return result == SQLITE_DONE;
  }
};

// Calls read(member), which answers whether it is known and its value fits, for each member; '' has none. `query/bad_argument` names `what` it is
// and the member.
template <class Read>
Failure read_json_object(sqlite3* db, const std::string& json, const std::string& what, Read&& read) {
  if (json.empty()) return {};
  Statement shape(db, "SELECT CASE WHEN json_valid(?1) THEN json_type(?1) END");
  shape.bind(1, json);
  if (shape.step() != SQLITE_ROW || shape.text(0) != "object") return bad_argument(what + " must be a JSON object or empty.");
  Statement members(db, "SELECT key, type, value FROM json_each(?1)");
  members.bind(1, json);
  int result = members.step();
  for (; result == SQLITE_ROW; result = members.step()) {
    const JsonMember member{db,  json, std::string(members.text(0)), std::string(members.text(1)), members.integer(2),
                            std::string(members.text(2))};
    if (!read(member)) return bad_argument(what + ": " + member.key + " is unknown or its value does not fit.");
  }
  return result == SQLITE_DONE ? Failure{} : bad_argument(what + " could not be read.");
}

}  // namespace tidemark
