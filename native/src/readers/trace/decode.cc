#include <cstring>

#include "model/text.h"
#include "readers/trace/raw_event.h"

namespace tidemark::readers::trace {
namespace {

bool hex4(std::string_view text, uint32_t& number) {
  if (text.size() < 4) return false;
  number = 0;
  for (size_t i = 0; i < 4; ++i) {
    const char c = text[i];
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    if (digit < 0) return false;
    number = number * 16 + static_cast<uint32_t>(digit);
  }
  return true;
}

// A \u escape at text[at], which is the backslash; the place behind it.
size_t unicode_escape(std::string_view text, size_t at, std::string& out) {
  uint32_t first = 0;
  if (!hex4(text.substr(at + 2), first)) {
    out += "\\u";
    return at + 2;
  }
  at += 6;
  uint32_t second = 0;
  if (first >= 0xD800 && first < 0xDC00 && text.substr(at, 2) == "\\u" && hex4(text.substr(at + 2), second) &&
      second >= 0xDC00 && second < 0xE000) {
    append_utf8(out, 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00));
    return at + 6;
  }
  if (first >= 0xD800 && first < 0xE000) {
    out += kReplacement;
  } else {
    append_utf8(out, first);
  }
  return at;
}

}  // namespace

std::string_view decoded(const Token& token, std::string& scratch) {
  const std::string_view text = token.raw();
  if (!token.escaped) return text;
  static constexpr char kLetters[] = "\"\\/bfnrt";
  static constexpr char kMeanings[] = "\"\\/\b\f\n\r\t";
  scratch.clear();
  size_t at = 0;
  while (at < text.size()) {
    const size_t slash = text.find('\\', at);
    scratch.append(text.substr(at, slash - at));
    if (slash == std::string_view::npos) break;
    const char letter = slash + 1 < text.size() ? text[slash + 1] : '\0';
    if (letter == 'u') {
      at = unicode_escape(text, slash, scratch);
      continue;
    }
    const char* const known = letter == '\0' ? nullptr : std::strchr(kLetters, letter);
    if (known == nullptr) {
      scratch += '\\';
      at = slash + 1;
    } else {
      scratch += kMeanings[known - kLetters];
      at = slash + 2;
    }
  }
  return scratch;
}

}  // namespace tidemark::readers::trace
