// Arguments of the SQL query functions, checked. The first that does not fit is remembered; later reads answer a default.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

#include "query/query_error.h"
#include "store/sqlite_api.h"

namespace tidemark {

class SqlArguments {
 public:
  SqlArguments(sqlite3_value** values, int count) : values_(values), count_(count) {}

  // Whether there are arguments that were not read.
  bool more() const { return next_ < count_; }

  // Whether the next argument is NULL, which then counts as read.
  bool skip_null();

  // An INTEGER, or a REAL without a fraction (what a driver makes of a JavaScript number).
  int64_t integer(const char* name);
  // An INTEGER or REAL; finite.
  double real(const char* name);
  // A TEXT.
  std::string text(const char* name);
  // A BLOB, read where it lies while the function runs. An empty one has no bytes to point at.
  std::pair<const uint8_t*, size_t> blob(const char* name);
  // One of the given words.
  template <class Value>
  Value word(const char* name, std::initializer_list<std::pair<const char*, Value>> words);

  const Failure& error() const { return error_; }

 private:
  sqlite3_value* next() { return values_[next_++]; }
  void refuse(const std::string& message);

  sqlite3_value** values_;
  int count_;
  int next_ = 0;
  Failure error_;
};

template <class Value>
Value SqlArguments::word(const char* name, std::initializer_list<std::pair<const char*, Value>> words) {
  sqlite3_value* value = next();
  std::string expected;
  const bool is_text = sqlite3_value_type(value) == SQLITE_TEXT;
  const char* text = is_text ? reinterpret_cast<const char*>(sqlite3_value_text(value)) : nullptr;
  for (const auto& word : words) {
    if (text && std::string(text) == word.first) return word.second;
    expected += (expected.empty() ? "" : ", ") + std::string(word.first);
  }
  refuse(std::string(name) + " must be one of: " + expected + ".");
  return words.begin()->second;
}

}  // namespace tidemark
