// JSON as text, put together member by member.
#pragma once

#include <cstdint>
#include <string>

#include "model/text.h"
#include "store/index_writer.h"

namespace tidemark {

class JsonObject {
 public:
  // A member whose value is JSON already.
  JsonObject& json(const char* name, const std::string& value) {
    text_ += text_.empty() ? "{" : ",";
    append_json_string(text_, name);
    text_ += ":" + value;
    return *this;
  }
  JsonObject& text(const char* name, const std::string& value) {
    std::string quoted;
    append_json_string(quoted, value);
    return json(name, quoted);
  }
  JsonObject& number(const char* name, uint64_t value) { return json(name, std::to_string(value)); }
  // As a text `0x…`, since a JSON number does not hold 64 bits.
  JsonObject& address(const char* name, uint64_t value) { return text(name, hex_address(value)); }
  std::string take() { return text_.empty() ? "{}" : text_ + "}"; }

 private:
  std::string text_;
};

// An array of to_json(item).
template <class Items, class ToJson>
std::string json_array(const Items& items, ToJson to_json) {
  std::string out = "[";
  for (const auto& item : items) out += (out.size() > 1 ? "," : "") + to_json(item);
  return out + "]";
}

}  // namespace tidemark
