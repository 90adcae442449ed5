#include "readers/json_text.h"

#include <charconv>
#include <cmath>
#include <cstdio>

#include "readers/utf8.h"

namespace tidemark::readers {

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  size_t at = 0;
  while (at < text.size()) {
    const auto c = static_cast<unsigned char>(text[at]);
    if (c >= 0x80) {
      const size_t length = utf8_length(text.substr(at));
      if (length == 0) {
        out += "\xEF\xBF\xBD";
        ++at;
      } else {
        out.append(text, at, length);
        at += length;
      }
      continue;
    }
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", c);
      out += escaped;
    } else {
      out += static_cast<char>(c);
    }
    ++at;
  }
  out += '"';
}

void append_json_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  char digits[40];
  const auto written = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, written.ptr);
}

void JsonText::add(std::string_view key, std::string_view item, size_t limit) {
  if (cut) return;
  if (text.size() + key.size() + item.size() > limit) {
    cut = true;
    return;
  }
  if (!text.empty()) text += ',';
  if (is_dict) {
    text += key;
    text += ':';
  }
  text += item;
}

std::string JsonText::rendered() const {
  std::string out;
  out.reserve(text.size() + 16);
  out += is_dict ? '{' : '[';
  out += text;
  if (cut) {
    if (!text.empty()) out += ',';
    out += is_dict ? "\"…\":\"…\"" : "\"…\"";
  }
  out += is_dict ? '}' : ']';
  return out;
}

}  // namespace tidemark::readers
