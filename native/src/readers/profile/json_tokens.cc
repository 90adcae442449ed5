#include "readers/profile/json_tokens.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "readers/trace/decimal.h"
#include "readers/trace/raw_event.h"
#include "readers/trace/text_scan.h"

namespace tidemark::readers::profile {
namespace {

constexpr size_t kLongestScalar = 1024;  // lies in the window as a whole

}  // namespace

JsonTokens::JsonTokens(ByteSource& source) : source_(source) {
  if (source_.ensure(3) && std::memcmp(source_.cursor(), "\xEF\xBB\xBF", 3) == 0) source_.set_cursor(source_.cursor() + 3);
}

bool JsonTokens::skip_blanks() {
  for (;;) {
    const uint8_t* at = source_.cursor();
    while (at < source_.end() && trace::is_blank(*at)) ++at;
    source_.set_cursor(at);
    if (at < source_.end()) return true;
    if (!source_.ensure(1)) return false;
  }
}

JsonToken JsonTokens::next() {
  if (damaged_) return JsonToken::damaged;
  for (;;) {
    if (expect_ == Expect::nothing) return JsonToken::end;
    if (!skip_blanks()) return ended();
    const uint8_t c = *source_.cursor();
    if (expect_ == Expect::colon || expect_ == Expect::comma_or_end) {
      const bool is_colon = expect_ == Expect::colon;
      if (!is_colon && (c == '}' || c == ']')) return close(c);
      if (c != (is_colon ? ':' : ',')) return broken();
      source_.set_cursor(source_.cursor() + 1);
      expect_ = is_colon || !objects_.back() ? Expect::value : Expect::key;
      continue;
    }
    if (expect_ == Expect::value || expect_ == Expect::value_or_end)
      return c == ']' && expect_ == Expect::value_or_end ? close(c) : value(c);
    if (c == '}' && expect_ == Expect::key_or_end) return close(c);
    return c == '"' ? string(JsonToken::key) : broken();
  }
}

JsonToken JsonTokens::value(uint8_t c) {
  if (c == '{' || c == '[') return open(c == '{');
  return c == '"' ? string(JsonToken::text) : scalar();
}

JsonToken JsonTokens::open(bool is_object) {
  if (objects_.size() == kMostDepth) return broken();
  source_.set_cursor(source_.cursor() + 1);
  objects_.push_back(is_object);
  expect_ = is_object ? Expect::key_or_end : Expect::value_or_end;
  return is_object ? JsonToken::object : JsonToken::array;
}

JsonToken JsonTokens::close(uint8_t c) {
  const bool is_object = c == '}';
  if (objects_.empty() || objects_.back() != is_object) return broken();
  source_.set_cursor(source_.cursor() + 1);
  objects_.pop_back();
  after_value();
  return is_object ? JsonToken::object_end : JsonToken::array_end;
}

// Looks at one byte more than what is kept, so that a text is known to be cut.
JsonToken JsonTokens::string(JsonToken kind) {
  source_.set_cursor(source_.cursor() + 1);
  raw_.clear();
  bool is_escaped = false, is_literal = false;  // the byte behind a backslash is literal
  for (bool is_open = true; is_open;) {
    if (!source_.ensure(1)) return ended();
    const uint8_t* const first = source_.cursor();
    const uint8_t* at = first;
    for (; at < source_.end() && (is_literal || *at != '"'); ++at) {
      is_literal = !is_literal && *at == '\\';
      is_escaped = is_escaped || is_literal;
    }
    const size_t room = kLongestText + 1 - raw_.size();
    raw_.append(reinterpret_cast<const char*>(first), std::min(static_cast<size_t>(at - first), room));
    is_open = at == source_.end();
    source_.set_cursor(is_open ? at : at + 1);
  }
  trace::Token token;
  token.at = reinterpret_cast<const uint8_t*>(raw_.data());
  token.length = static_cast<uint32_t>(raw_.size());
  token.escaped = is_escaped;
  std::string scratch;
  text_ = trace::decoded(token, scratch);
  if (kind == JsonToken::key) expect_ = Expect::colon;
  else after_value();
  return kind;
}

JsonToken JsonTokens::scalar() {
  source_.ensure(kLongestScalar);
  const uint8_t* const first = source_.cursor();
  const uint8_t* at = first;
  while (at < source_.end() && trace::is_word_byte(*at)) ++at;
  const std::string_view word(reinterpret_cast<const char*>(first), static_cast<size_t>(at - first));
  if (word.empty() || word.size() >= kLongestScalar) return broken();
  if (at == source_.end() && !objects_.empty()) {  // a number at the cut may be the beginning of a longer one
    source_.set_cursor(at);
    return ended();
  }
  source_.set_cursor(at);
  after_value();
  if (word == "true" || word == "false" || word == "null") return JsonToken::literal;
  int64_t whole = 0;
  if (word.find_first_of(".eE") == std::string_view::npos && trace::to_integer(word, whole)) {
    number_ = static_cast<double>(whole);
    return JsonToken::number;
  }
  const trace::Decimal read = trace::to_double(word, number_);
  if (read == trace::Decimal::useless) return broken();
  if (read == trace::Decimal::non_finite) number_ = std::nan("");
  return JsonToken::number;
}

bool JsonTokens::skip(JsonToken first) {
  if (first == JsonToken::end || first == JsonToken::damaged) return false;
  if (first != JsonToken::object && first != JsonToken::array) return true;
  for (const size_t outside = depth() - 1; depth() > outside;) {
    const JsonToken token = next();
    if (token == JsonToken::end || token == JsonToken::damaged) return false;
  }
  return true;
}

}  // namespace tidemark::readers::profile
