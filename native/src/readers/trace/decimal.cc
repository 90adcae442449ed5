#include "readers/trace/decimal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "readers/number.h"
#include "readers/trace/text_scan.h"

namespace tidemark::readers::trace {
namespace {

constexpr int kNanosecondDigits = 3;  // of a microsecond
constexpr int kRestDigits = 9;        // of a nanosecond
// More digits than that in front of the point are no time.
constexpr int kLongestWhole = 40;

bool same_word(std::string_view text, const char* word) {
  size_t i = 0;
  for (; i < text.size() && word[i] != '\0'; ++i) {
    const char c = text[i];
    if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != word[i]) return false;
  }
  return i == text.size() && word[i] == '\0';
}

bool is_non_finite(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return same_word(text, "nan") || same_word(text, "inf") || same_word(text, "infinity");
}

// The parts of a decimal number: digits with the point at `point`, times ten to the power of `exponent`.
struct Parts {
  std::string digits;
  int64_t point = 0;
  bool negative = false;
  bool odd = false;
};

bool read_exponent(std::string_view text, size_t at, Parts& parts) {
  ++at;
  bool negative = false;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) negative = text[at++] == '-';
  if (at == text.size()) return false;
  int64_t exponent = 0;
  for (; at < text.size(); ++at) {
    if (!is_digit(static_cast<uint8_t>(text[at]))) return false;
    exponent = exponent < 100000 ? exponent * 10 + (text[at] - '0') : exponent;
  }
  parts.point += negative ? -exponent : exponent;
  return true;
}

bool read_parts(std::string_view text, Parts& parts) {
  size_t at = 0;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) {
    parts.negative = text[at] == '-';
    parts.odd = text[at++] == '+';
  }
  const size_t whole = at;
  while (at < text.size() && is_digit(static_cast<uint8_t>(text[at]))) ++at;
  parts.digits.assign(text.substr(whole, at - whole));
  parts.point = static_cast<int64_t>(parts.digits.size());
  parts.odd |= parts.digits.empty() || (parts.digits.size() > 1 && parts.digits[0] == '0');
  if (at < text.size() && text[at] == '.') {
    const size_t fraction = ++at;
    // A formatter that prints whole and fraction apart writes -1.-05 for -1.005.
    if (at < text.size() && text[at] == '-') {
      parts.negative = parts.odd = true;
      parts.digits += '0';
      ++at;
    }
    const size_t first = at;
    while (at < text.size() && is_digit(static_cast<uint8_t>(text[at]))) ++at;
    parts.digits.append(text.substr(first, at - first));
    parts.odd |= at == fraction;
  }
  if (parts.digits.empty()) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) return read_exponent(text, at, parts);
  return at == text.size();
}

// The digit `places` behind the point.
int digit_at(const Parts& parts, int64_t place) {
  const int64_t at = parts.point + place;
  return at >= 0 && at < static_cast<int64_t>(parts.digits.size()) ? parts.digits[static_cast<size_t>(at)] - '0' : 0;
}

bool round_down(Parts& parts, Moment& moment) {
  const size_t zeros = parts.digits.find_first_not_of('0');
  if (zeros == std::string::npos) return true;  // zero, whatever its exponent
  parts.digits.erase(0, zeros);
  parts.point -= static_cast<int64_t>(zeros);
  if (parts.point > kLongestWhole) return false;
  int64_t ns = 0;
  for (int64_t place = std::min<int64_t>(0, -parts.point); place < kNanosecondDigits; ++place) {
    if (place < -parts.point) continue;
    const int digit = digit_at(parts, place);
    if (ns > (kLargestTime - digit) / 10) return false;
    ns = ns * 10 + digit;
  }
  uint32_t rest = 0;
  for (int place = kNanosecondDigits; place < kNanosecondDigits + kRestDigits; ++place)
    rest = rest * 10 + static_cast<uint32_t>(digit_at(parts, place));
  const int64_t seen = parts.point + kNanosecondDigits + kRestDigits;
  const size_t behind = seen <= 0 ? 0 : static_cast<size_t>(seen);
  if (parts.digits.find_first_not_of('0', behind) != std::string::npos && rest < Moment::kWhole - 1) ++rest;
  moment.ns = ns;
  moment.rest = rest;
  if (parts.negative) {
    moment.ns = -ns - (rest != 0 ? 1 : 0);
    moment.rest = rest != 0 ? Moment::kWhole - rest : 0;
  }
  return true;
}

}  // namespace

Decimal to_moment(std::string_view text, Moment& moment) {
  moment = {};
  Parts parts;
  if (!read_parts(text, parts)) return is_non_finite(text) ? Decimal::non_finite : Decimal::useless;
  if (!round_down(parts, moment)) return Decimal::useless;
  return parts.odd ? Decimal::odd : Decimal::good;
}

Decimal to_double(std::string_view text, double& value) {
  if (is_non_finite(text)) return Decimal::non_finite;
  Parts parts;
  if (!read_parts(text, parts)) return Decimal::useless;
  const std::string plain =
      (parts.negative ? "-0." : "0.") + parts.digits + "e" + std::to_string(parts.point);
  if (!to_nearest_double(plain, value) || !std::isfinite(value)) return Decimal::non_finite;
  return parts.odd ? Decimal::odd : Decimal::good;
}

bool to_integer(std::string_view text, int64_t& value) {
  // Nearly all are a few digits.
  int64_t plain = 0;
  size_t digits = 0;
  while (digits < text.size() && digits < 18 && is_digit(static_cast<uint8_t>(text[digits]))) plain = plain * 10 + (text[digits++] - '0');
  if (digits > 0 && digits == text.size()) {
    value = plain;
    return true;
  }
  const char* const last = text.data() + text.size();
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  const auto result = std::from_chars(text.data(), last, value);
  if (result.ec != std::errc{}) return false;
  if (result.ptr == last) return true;
  double real = 0;
  if (to_double(text, real) > Decimal::odd || real != std::floor(real) || std::fabs(real) > 9e15) return false;
  value = static_cast<int64_t>(real);
  return true;
}

bool to_unsigned(std::string_view text, uint64_t& value) {
  const int base = text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X" ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  const char* const last = text.data() + text.size();
  const auto result = std::from_chars(text.data(), last, value, base);
  return result.ec == std::errc{} && result.ptr == last;
}

}  // namespace tidemark::readers::trace
