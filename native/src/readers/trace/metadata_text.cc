#include "readers/trace/metadata_text.h"

#include <cstdio>
#include <cstring>
#include <string_view>

#include "model/text.h"
#include "readers/trace/decimal.h"
#include "readers/trace/event_scanner.h"
#include "readers/trace/text_scan.h"

namespace tidemark::readers::trace {
namespace {

size_t digits_at(std::string_view text, size_t at) {
  size_t count = 0;
  while (at + count < text.size() && is_digit(static_cast<uint8_t>(text[at + count]))) ++count;
  return count;
}

// An exponent from `at` to the end of the text, or nothing there.
bool is_exponent(std::string_view text, size_t at) {
  if (at == text.size()) return true;
  if (text[at] != 'e' && text[at] != 'E') return false;
  ++at;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  const size_t digits = digits_at(text, at);
  return digits > 0 && at + digits == text.size();
}

bool is_json_number(std::string_view text) {
  size_t at = text.substr(0, 1) == "-" ? 1 : 0;
  const size_t whole = digits_at(text, at);
  if (whole == 0 || (whole > 1 && text[at] == '0')) return false;
  at += whole;
  if (at < text.size() && text[at] == '.') {
    const size_t fraction = digits_at(text, at + 1);
    if (fraction == 0) return false;
    at += 1 + fraction;
  }
  return is_exponent(text, at);
}

// A number in an odd form (to_moment() says which) as JSON writes it; "null" when it is none.
std::string plain_number(std::string_view text) {
  bool negative = false;
  size_t at = 0;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) negative = text[at++] == '-';
  size_t whole = digits_at(text, at);
  std::string_view before = text.substr(at, whole);
  at += whole;
  std::string fraction;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (at < text.size() && text[at] == '-') {
      negative = true;
      fraction = "0";
      ++at;
    }
    const size_t digits = digits_at(text, at);
    fraction += text.substr(at, digits);
    at += digits;
  }
  if ((before.empty() && fraction.empty()) || !is_exponent(text, at)) return "null";
  while (before.size() > 1 && before[0] == '0') before.remove_prefix(1);
  std::string out = negative ? "-" : "";
  out += before.empty() ? std::string_view("0") : before;
  if (!fraction.empty()) out += "." + fraction;
  return out.append(text.substr(at));
}

class Cleaner {
 public:
  Cleaner(const uint8_t* begin, const uint8_t* end, uint64_t offset, FindingCounts& findings)
      : begin_(begin), end_(end), offset_(offset), findings_(findings) {}

  std::string run() {
    out_.reserve(static_cast<size_t>(end_ - begin_));
    for (const uint8_t* p = begin_; p < end_;) {
      if (*p == '"') {
        p = text(p);
      } else if (is_word_byte(*p)) {
        p = word(p);
      } else {
        out_ += static_cast<char>(*p++);
      }
    }
    return std::move(out_);
  }

 private:
  void count(Code code, const uint8_t* p) { findings_.count(code, offset_ + static_cast<uint64_t>(p - begin_)); }

  const uint8_t* text(const uint8_t* p) {
    StringMarks marks;
    const uint8_t* const quote = string_end(p + 1, end_, marks);
    const uint8_t* const behind = quote == nullptr ? end_ : quote + 1;
    if (!marks.odd) {
      out_.append(reinterpret_cast<const char*>(p), static_cast<size_t>(behind - p));
      return behind;
    }
    inspect_strings(p, behind, offset_ + static_cast<uint64_t>(p - begin_), findings_);
    while (p < behind) {
      if (*p == '\\') {
        const size_t length = escape_length(p, behind);
        if (length == 0) out_ += '\\';
        out_.append(reinterpret_cast<const char*>(p), length == 0 ? 1 : length);
        p += length == 0 ? 1 : length;
      } else if (*p < 0x20) {
        char escaped[8];
        std::snprintf(escaped, sizeof escaped, "\\u%04x", *p++);
        out_ += escaped;
      } else {
        const size_t length = utf8_length({reinterpret_cast<const char*>(p), static_cast<size_t>(behind - p)});
        if (length == 0) out_ += kReplacement;
        out_.append(reinterpret_cast<const char*>(p), length);
        p += length == 0 ? 1 : length;
      }
    }
    return behind;
  }

  const uint8_t* word(const uint8_t* p) {
    const uint8_t* behind = p;
    while (behind < end_ && is_word_byte(*behind)) ++behind;
    const std::string_view text(reinterpret_cast<const char*>(p), static_cast<size_t>(behind - p));
    if (text == "true" || text == "false" || text == "null" || is_json_number(text)) {
      out_ += text;
      return behind;
    }
    Moment ignored;
    const Decimal read = to_moment(text, ignored);
    const bool is_number = read != Decimal::non_finite && text != "N/A" && !is_bare_word(text);
    count(is_number ? Code::odd_number : read == Decimal::non_finite || text == "N/A" ? Code::non_finite_number : Code::syntax, p);
    out_ += is_number ? plain_number(text) : "null";
    return behind;
  }

  // Words have letters where numbers have none but an exponent.
  static bool is_bare_word(std::string_view text) {
    for (const char c : text) {
      if (!is_digit(static_cast<uint8_t>(c)) && std::strchr("+-.eE", c) == nullptr) return true;
    }
    return false;
  }

  const uint8_t* begin_;
  const uint8_t* end_;
  uint64_t offset_;
  FindingCounts& findings_;
  std::string out_;
};

}  // namespace

std::string valid_json(const uint8_t* begin, const uint8_t* end, uint64_t offset, FindingCounts& findings) {
  return Cleaner(begin, end, offset, findings).run();
}

}  // namespace tidemark::readers::trace
