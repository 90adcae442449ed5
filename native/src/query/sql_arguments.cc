#include "query/sql_arguments.h"

#include <cmath>

namespace tidemark {

void SqlArguments::refuse(const std::string& message) {
  if (!error_.failed()) error_ = bad_argument(message);
}

bool SqlArguments::skip_null() {
  if (sqlite3_value_type(values_[next_]) != SQLITE_NULL) return false;
  ++next_;
  return true;
}

int64_t SqlArguments::integer(const char* name) {
  sqlite3_value* value = next();
  const int type = sqlite3_value_type(value);
  if (type == SQLITE_INTEGER) return sqlite3_value_int64(value);
  if (type == SQLITE_FLOAT) {
    const double number = sqlite3_value_double(value);
    constexpr double kExact = 9007199254740992.0;  // 2^53
    if (std::floor(number) == number && std::fabs(number) <= kExact) return static_cast<int64_t>(number);
  }
  refuse(std::string(name) + " must be an integer.");
  return 0;
}

double SqlArguments::real(const char* name) {
  sqlite3_value* value = next();
  const int type = sqlite3_value_type(value);
  const double number = type == SQLITE_INTEGER || type == SQLITE_FLOAT ? sqlite3_value_double(value) : NAN;
  if (!std::isfinite(number)) refuse(std::string(name) + " must be a finite number.");
  return std::isfinite(number) ? number : 0;
}

std::string SqlArguments::text(const char* name) {
  sqlite3_value* value = next();
  const bool is_text = sqlite3_value_type(value) == SQLITE_TEXT;
  const char* text = is_text ? reinterpret_cast<const char*>(sqlite3_value_text(value)) : nullptr;
  if (!text) refuse(std::string(name) + " must be a text.");
  return text ? std::string(text, static_cast<size_t>(sqlite3_value_bytes(value))) : std::string();
}

std::pair<const uint8_t*, size_t> SqlArguments::blob(const char* name) {
  sqlite3_value* value = next();
  if (sqlite3_value_type(value) != SQLITE_BLOB) {
    refuse(std::string(name) + " must be a BLOB.");
    return {nullptr, 0};
  }
  const auto* bytes = static_cast<const uint8_t*>(sqlite3_value_blob(value));
  return {bytes, static_cast<size_t>(sqlite3_value_bytes(value))};
}

}  // namespace tidemark
