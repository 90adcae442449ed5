// The parts of the event scanner that run only where a text is not as JSON asks for.
#include <algorithm>

#include "model/text.h"
#include "readers/trace/event_scanner.h"
#include "readers/trace/text_scan.h"

namespace tidemark::readers::trace {
namespace {

// A text with unescaped quotes goes on at most so far.
constexpr ptrdiff_t kLongestMended = 64 * 1024;
// and holds at most so many quotes: a file of nothing but quotes must not cost more than its length.
constexpr int kMostQuotes = 100;
// An event with more such texts is none: one that runs on through all that follow must not begin again at each of them.
constexpr int kMostMends = 16;
constexpr size_t kDepthLimit = 512;

bool is_one_of(std::string_view text, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return text == word; });
}

// Whether a key of events stands at `p`, which is behind its opening quote.
bool is_event_key(const uint8_t* p) {
  static constexpr const char* kKeys[] = {"ph\"", "cat\"", "name\"", "pid\"", "tid\"", "ts\"", "dur\"", "id\"",
                                          "args\"", "s\"",   "bp\"",  "tts\"", "cname\"", "id2\"", "bind_id\"", "z\""};
  for (const char* key : kKeys) {
    const size_t length = std::strlen(key);
    if (std::memcmp(p, key, length) == 0 && *skip_blanks(p + length) == ':') return true;
  }
  return false;
}

// Whether any key stands at `p`: a short text in quotes and a colon.
bool is_key(const uint8_t* p, const uint8_t* end) {
  if (*p != '"') return false;
  StringMarks marks;
  const uint8_t* const quote = string_end(p + 1, std::min(end, p + 130), marks);
  return quote != nullptr && *skip_blanks(quote + 1) == ':';
}

// Whether the quote at `p` may close a text of an event (or of its args): what follows goes on with a key that may stand there, or closes
// the object in a way that fits.
bool closes_text(const uint8_t* p, const uint8_t* end, bool in_args, bool is_last) {
  const auto event_key = [](const uint8_t* at) { return *at == '"' && is_event_key(at + 1); };
  p = skip_blanks(p + 1);
  if (*p == ',') {
    const uint8_t* const key = skip_blanks(p + 1);
    return in_args ? is_key(key, end) : event_key(key);
  }
  if (*p != '}') return false;
  p = skip_blanks(p + 1);
  const uint8_t* const next = skip_blanks(p + 1);
  if (in_args) return *p == '}' || (*p == ',' && event_key(next));
  return (is_last && p >= end) || *p == ']' || (*p == ',' && *next == '{');
}

}  // namespace

// A bare word: true, false, null, the numbers that JSON does not have, N/A; and numbers that begin in an odd way.
const uint8_t* EventScanner::word(const uint8_t* p, Token& token) {
  const uint8_t* behind = p;
  while (behind < end_ && is_word_byte(*behind) && behind - p < 400) ++behind;
  if (behind >= end_ || behind == p) return fail(behind);
  const std::string_view text(reinterpret_cast<const char*>(p), static_cast<size_t>(behind - p));
  token = {p, static_cast<uint32_t>(text.size()), Kind::word, false};
  if (is_one_of(text, {"true", "false", "null"})) return behind;
  Moment ignored;
  switch (to_moment(text, ignored)) {
    case Decimal::non_finite: event_.findings.count(Code::non_finite_number, offset_of(p)); return behind;
    case Decimal::odd:
    case Decimal::good:
      token.kind = Kind::number;
      event_.findings.count(Code::odd_number, offset_of(p));
      return behind;
    case Decimal::useless: break;
  }
  if (text == "N/A") {
    token.kind = Kind::text;
    event_.findings.count(Code::non_finite_number, offset_of(p));
    return behind;
  }
  return fail(p);
}

// What follows a value is neither a comma nor the end. A text that ended too early goes on to the next quote that can be its end.
const uint8_t* EventScanner::mend(const uint8_t* stuck, Token& token, bool in_args) {
  if (stuck >= end_) return fail(stuck);
  if (token.kind != Kind::text || token.at == nullptr || token.at < begin_) return fail(stuck);
  // Without this much behind a place nothing is decided there, so that the answer does not depend on how the text comes in.
  constexpr ptrdiff_t kNeeded = 512;
  if (++mends_ > kMostMends) return fail(stuck);
  const uint8_t* const limit = std::min(end_, token.at + kLongestMended);
  const uint8_t* quote = token.at + token.length + 1;
  for (int quotes = 0;; ++quotes) {
    reach_ = std::max(reach_, std::min(quote, limit));
    if (quotes == kMostQuotes) return fail(stuck);
    StringMarks marks;
    quote = string_end(quote, limit, marks);
    if (quote == nullptr) reach_ = limit;
    if (!is_last_ && (quote == nullptr ? end_ < token.at + kLongestMended + kNeeded : end_ - quote < kNeeded)) return fail(end_);
    if (quote == nullptr) return fail(stuck);
    token.escaped |= marks.escaped;
    if (closes_text(quote, end_, in_args, is_last_)) break;
    ++quote;
  }
  event_.findings.count(Code::unescaped_quote, offset_of(token.at));
  token.length = static_cast<uint32_t>(quote - token.at);
  return skip_blanks(quote + 1);
}

// The last byte before `p` that is no blank; '\0' at the beginning.
static uint8_t byte_before(const uint8_t* begin, const uint8_t* p) {
  while (p > begin && is_blank(p[-1])) --p;
  return p == begin ? uint8_t{0} : p[-1];
}

const uint8_t* find_event(const uint8_t* begin, const uint8_t* p, const uint8_t* end, bool or_end) {
  for (; p < end; ++p) {
    if (*p == '{') {
      const uint8_t* const key = skip_blanks(p + 1);
      if (*key == '"' && is_event_key(key + 1) && byte_before(begin, p) != ':') return p;
    } else if (*p == ']' && or_end && byte_before(begin, p) == '}') {
      const uint8_t* const next = skip_blanks(p + 1);
      if (*next == '}' || (*next == ',' && is_key(skip_blanks(next + 1), end))) return p;
    }
  }
  return nullptr;
}

const uint8_t* find_key(const uint8_t* begin, const uint8_t* p, const uint8_t* end) {
  for (; p < end; ++p) {
    if (*p != '"') continue;
    const uint8_t before = byte_before(begin, p);
    if ((before == ',' || before == '{') && is_key(p, end)) return p;
  }
  return nullptr;
}

bool begins_with_event_key(const uint8_t* p) {
  p = skip_blanks(p + 1);
  return *p == '"' && is_event_key(p + 1);
}

Scan is_event(const uint8_t* p, const uint8_t* end) {
  for (p = skip_blanks(p + 1); p < end && *p == '"'; p = skip_blanks(p + 1)) {
    StringMarks marks;
    const uint8_t* const key = p + 1;
    const uint8_t* const quote = string_end(key, end, marks);
    if (quote == nullptr) return Scan::more;
    if (quote - key == 2 && key[0] == 'p' && key[1] == 'h') return Scan::done;
    p = skip_blanks(quote + 1);
    if (p >= end) return Scan::more;
    if (*p != ':' || std::string_view(reinterpret_cast<const char*>(key), static_cast<size_t>(quote - key)) == "traceEvents")
      return Scan::damaged;
    const Scan value = check_value(skip_blanks(p + 1), end, p);
    if (value != Scan::done) return value;
    p = skip_blanks(p);
    if (p >= end) return Scan::more;
    if (*p != ',') return Scan::damaged;
  }
  return p < end ? Scan::damaged : Scan::more;
}

Scan check_value(const uint8_t* p, const uint8_t* end, const uint8_t*& next) {
  bool objects[kDepthLimit];  // the open containers
  size_t depth = 0;
  bool wants_key = false;
  for (;;) {
    const auto stop = [&] {
      next = p;
      return p >= end ? Scan::more : Scan::damaged;
    };
    p = skip_blanks(p);
    const bool closes = depth > 0 && *p == (objects[depth - 1] ? '}' : ']');
    if (wants_key && !closes) {
      StringMarks marks;
      if (*p != '"') return stop();
      p = string_end(p + 1, end, marks);
      if (p == nullptr) return Scan::more;
      p = skip_blanks(p + 1);
      if (*p != ':') return stop();
      p = skip_blanks(p + 1);
    }
    if (*p == '{' || *p == '[') {
      if (depth == kDepthLimit) {
        next = p;
        return Scan::damaged;
      }
      objects[depth++] = wants_key = *p++ == '{';
      continue;
    }
    if (closes) {
      ++p;
      --depth;
    } else if (*p == '"') {
      StringMarks marks;
      p = string_end(p + 1, end, marks);
      if (p == nullptr) return Scan::more;
      ++p;
    } else {
      const uint8_t* const word = p;
      while (p < end && is_word_byte(*p)) ++p;
      if (p == word || p >= end) return stop();
    }
    // Behind a value.
    for (;;) {
      if (depth == 0) {
        next = p;
        return Scan::done;
      }
      p = skip_blanks(p);
      if (*p == ',') break;
      if (*p != (objects[depth - 1] ? '}' : ']')) return stop();
      ++p;
      --depth;
    }
    ++p;
    wants_key = objects[depth - 1];
  }
}

size_t escape_length(const uint8_t* p, const uint8_t* end) {
  const auto is_hex = [](uint8_t c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); };
  if (end - p < 2 || p[1] == 0) return 0;
  if (p[1] != 'u') return std::strchr("\"\\/bfnrt", p[1]) != nullptr ? 2 : 0;
  return end - p >= 6 && is_hex(p[2]) && is_hex(p[3]) && is_hex(p[4]) && is_hex(p[5]) ? 6 : 0;
}

void inspect_words(const uint8_t* begin, const uint8_t* end, uint64_t offset, FindingCounts& findings) {
  for (const uint8_t* p = begin; p < end;) {
    if (*p == '"') {
      StringMarks marks;
      p = string_end(p + 1, end, marks);
      if (p == nullptr) return;
      ++p;
      continue;
    }
    if (!is_word_byte(*p)) {
      ++p;
      continue;
    }
    const uint8_t* const word = p;
    while (p < end && is_word_byte(*p)) ++p;
    if (is_digit(*word) || p - word > 10) continue;
    const std::string_view text(reinterpret_cast<const char*>(word), static_cast<size_t>(p - word));
    Moment ignored;
    if (text == "N/A" || to_moment(text, ignored) == Decimal::non_finite)
      findings.count(Code::non_finite_number, offset + static_cast<uint64_t>(word - begin));
  }
}

void inspect_strings(const uint8_t* begin, const uint8_t* end, uint64_t offset, FindingCounts& findings) {
  bool in_string = false;
  const auto at = [&](const uint8_t* p) { return offset + static_cast<uint64_t>(p - begin); };
  for (const uint8_t* p = begin; p < end;) {
    if (*p == '"') in_string = !in_string;
    if (!in_string || (*p >= 0x20 && *p < 0x80 && *p != '\\')) {
      ++p;
    } else if (*p == '\\') {
      if (escape_length(p, end) == 0) findings.count(Code::bad_escape, at(p));
      p += 2;
    } else if (*p < 0x20) {
      findings.count(Code::control_character, at(p++));
    } else {
      const size_t length = utf8_length({reinterpret_cast<const char*>(p), static_cast<size_t>(end - p)});
      if (length == 0) findings.count(Code::invalid_utf8, at(p));
      p += length == 0 ? 1 : length;
    }
  }
}

}  // namespace tidemark::readers::trace
