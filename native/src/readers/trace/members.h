// Goes through the members of an object that is known to lie in the text as a whole: counters, ids in two parts, tables of frames.
#pragma once

#include "readers/trace/event_scanner.h"
#include "readers/trace/text_scan.h"

namespace tidemark::readers::trace {

inline Kind kind_at(const uint8_t* p) {
  if (*p == '"') return Kind::text;
  if (*p == '{' || *p == '[') return Kind::container;
  return is_digit(*p) || *p == '-' || *p == '+' || *p == '.' ? Kind::number : Kind::word;
}

// The value from `p` to `behind` as a token.
inline Token token_at(const uint8_t* p, const uint8_t* behind) {
  const Kind kind = kind_at(p);
  if (kind != Kind::text) return {p, static_cast<uint32_t>(behind - p), kind, false};
  const auto length = static_cast<uint32_t>(behind - p - 2);
  return {p + 1, length, kind, std::memchr(p + 1, '\\', length) != nullptr};
}

// Calls visit(key, value) with tokens for each member of the object at `p`, as far as they can be read.
template <typename Visit>
void for_each_member(const uint8_t* p, const uint8_t* end, Visit&& visit) {
  if (*p != '{') return;
  p = skip_blanks(p + 1);
  while (p < end && *p == '"') {
    const uint8_t* const key = p;
    if (check_value(p, end, p) != Scan::done) return;
    const uint8_t* const behind = p;
    p = skip_blanks(p);
    if (*p != ':') return;
    const uint8_t* const value = skip_blanks(p + 1);
    if (check_value(value, end, p) != Scan::done) return;
    visit(token_at(key, behind), token_at(value, p));
    p = skip_blanks(p);
    if (*p != ',') return;
    p = skip_blanks(p + 1);
  }
}

}  // namespace tidemark::readers::trace
