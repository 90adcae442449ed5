#include "readers/json_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "readers/number.h"

namespace tidemark::readers {
namespace {

// Longest number and literal; they lie in the window as a whole.
constexpr size_t kLongestScalar = 1024;

bool is_blank(uint8_t c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
bool is_number_byte(uint8_t c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

}  // namespace

JsonReader::Step JsonReader::fail(const char* code, const char* message) {
  if (!error_.failed()) error_ = {code, message, static_cast<int64_t>(source_.offset())};
  return Step::failed;
}

Failure JsonReader::read() {
  if (source_.ensure(3) && std::memcmp(source_.cursor(), "\xEF\xBB\xBF", 3) == 0)
    source_.set_cursor(source_.cursor() + 3);
  Step last = Step::more;
  while (last == Step::more) last = skip_blanks() ? step() : Step::cut;
  return finish(last);
}

Failure JsonReader::finish(Step last) {
  if (source_.cancelled())
    return {"query/cancelled", "The load was cancelled.", static_cast<int64_t>(source_.offset())};
  if (last == Step::cut) {
    truncated_ = true;
    assembler_.salvage();
    return {};
  }
  if (last == Step::end && assembler_.finish()) {
    skip_blanks();
    return {};
  }
  return error_.failed() ? error_ : assembler_.error();
}

bool JsonReader::skip_blanks() {
  for (;;) {
    const uint8_t* at = source_.cursor();
    const uint8_t* const end = source_.end();
    while (at < end && is_blank(*at)) ++at;
    source_.set_cursor(at);
    if (at < end) return true;
    if (!source_.ensure(1)) return false;
  }
}

JsonReader::Step JsonReader::step() {
  const uint8_t c = *source_.cursor();
  switch (expect_) {
    case Expect::value_or_end:
      if (c == ']') return close(c);
      return value(c);
    case Expect::value: return value(c);
    case Expect::key_or_end:
      if (c == '}') return close(c);
      return key();
    case Expect::key: return key();
    case Expect::colon:
      if (c != ':') return fail("snapshot/malformed", "A colon is missing after a key.");
      source_.set_cursor(source_.cursor() + 1);
      expect_ = Expect::value;
      return Step::more;
    case Expect::comma_or_end: return separator(c);
  }
  return Step::failed;
}

JsonReader::Step JsonReader::value(uint8_t c) {
  if (c == '{' || c == '[') return open(c == '{');
  if (c == '"') {
    Value text;
    const Step read = string(text);
    if (read != Step::more) return read;
    return assembler_.push(text) ? after_value() : Step::failed;
  }
  if ((c >= '0' && c <= '9') || c == '-') return number();
  return literal(c);
}

JsonReader::Step JsonReader::after_value() {
  if (objects_.empty()) return Step::end;
  expect_ = Expect::comma_or_end;
  return Step::more;
}

JsonReader::Step JsonReader::open(bool object) {
  source_.set_cursor(source_.cursor() + 1);
  if (object && !assembler_.begin_dict()) return Step::failed;
  if (!object && !assembler_.begin_list()) return Step::failed;
  if (assembler_.saw_trace_event())
    return fail("snapshot/not_a_snapshot", "The file is a list of Chrome trace events.");
  objects_.push_back(object);
  expect_ = object ? Expect::key_or_end : Expect::value_or_end;
  return check(assembler_.mark());
}

JsonReader::Step JsonReader::close(uint8_t c) {
  const bool object = c == '}';
  if (objects_.empty() || objects_.back() != object)
    return fail("snapshot/malformed", "A bracket does not match the one that it closes.");
  source_.set_cursor(source_.cursor() + 1);
  objects_.pop_back();
  if (object && !assembler_.set_marked()) return Step::failed;
  if (!object && !assembler_.append_marked()) return Step::failed;
  if (assembler_.saw_trace_event())
    return fail("snapshot/not_a_snapshot", "The file is a list of Chrome trace events.");
  return after_value();
}

JsonReader::Step JsonReader::key() {
  if (*source_.cursor() != '"') return fail("snapshot/malformed", "A key in quotes is missing.");
  Value text;
  const Step read = string(text);
  if (read != Step::more) return read;
  if (text.bits == w_traceEvents && objects_.size() == 1)
    return fail("snapshot/not_a_snapshot", "The file is a Chrome trace.");
  expect_ = Expect::colon;
  return check(assembler_.push(text));
}

JsonReader::Step JsonReader::separator(uint8_t c) {
  if (c == '}' || c == ']') return close(c);
  if (c != ',') return fail("snapshot/malformed", "A comma or a closing bracket is missing.");
  source_.set_cursor(source_.cursor() + 1);
  expect_ = objects_.back() ? Expect::key : Expect::value;
  return Step::more;
}

JsonReader::Step JsonReader::number() {
  source_.ensure(kLongestScalar);
  const uint8_t* at = source_.cursor();
  bool real = false;
  while (at < source_.end() && is_number_byte(*at)) {
    real |= *at == '.' || *at == 'e' || *at == 'E';
    ++at;
  }
  const std::string_view digits(reinterpret_cast<const char*>(source_.cursor()),
                                static_cast<size_t>(at - source_.cursor()));
  if (at == source_.end()) {
    // A number at the very end is either cut or the whole document.
    if (digits.size() >= kLongestScalar) return fail("snapshot/malformed", "A number is too long.");
    return Step::cut;
  }
  if (digits == "-" && *at == 'I') return literal('-');
  Step read = Step::more;
  if (real) {
    double parsed = 0;
    if (!to_nearest_double(digits, parsed)) return fail("snapshot/malformed", "A number cannot be read.");
    read = check(assembler_.push_real(parsed));
  } else {
    read = integer(digits);
  }
  if (read != Step::more) return read;
  source_.set_cursor(at);
  return after_value();
}

// Integers are exact up to 64 bits; they never go through a double.
JsonReader::Step JsonReader::integer(std::string_view digits) {
  const char* const last = digits.data() + digits.size();
  if (digits[0] == '-') {
    int64_t parsed = 0;
    const auto result = std::from_chars(digits.data(), last, parsed);
    if (result.ec == std::errc::result_out_of_range)
      return fail("snapshot/integer_too_large", "An integer has more than 64 bits.");
    if (result.ec != std::errc{} || result.ptr != last) return fail("snapshot/malformed", "A number cannot be read.");
    return check(assembler_.push_integer(parsed));
  }
  uint64_t parsed = 0;
  const auto result = std::from_chars(digits.data(), last, parsed);
  if (result.ec == std::errc::result_out_of_range)
    return fail("snapshot/integer_too_large", "An integer has more than 64 bits.");
  if (result.ec != std::errc{} || result.ptr != last) return fail("snapshot/malformed", "A number cannot be read.");
  return check(assembler_.push_unsigned(parsed));
}

JsonReader::Step JsonReader::literal(uint8_t c) {
  struct Literal {
    const char* text;
    Kind kind;
    double number;
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static const Literal kLiterals[] = {{"null", Kind::none, 0},
                                      {"true", Kind::yes, 0},
                                      {"false", Kind::no, 0},
                                      {"NaN", Kind::real, std::nan("")},
                                      {"Infinity", Kind::real, kInfinity},
                                      {"-Infinity", Kind::real, -kInfinity}};
  source_.ensure(16);
  for (const Literal& literal : kLiterals) {
    if (static_cast<uint8_t>(literal.text[0]) != c) continue;
    const size_t length = std::strlen(literal.text);
    const size_t there = std::min(length, source_.available());
    if (std::memcmp(source_.cursor(), literal.text, there) != 0) break;
    if (there < length) return Step::cut;
    source_.set_cursor(source_.cursor() + length);
    const bool pushed =
        literal.kind == Kind::real ? assembler_.push_real(literal.number) : assembler_.push_kind(literal.kind);
    return pushed ? after_value() : Step::failed;
  }
  return fail("snapshot/malformed", "A value is missing or cannot be read.");
}

}  // namespace tidemark::readers
