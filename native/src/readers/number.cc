#include "readers/number.h"

#include <charconv>
#include <cstdint>
#include <limits>
#include <string>

// Apple's library has std::from_chars for whole numbers only, so far.
#if !defined(__cpp_lib_to_chars)
#include <locale.h>
#include <stdlib.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif
#endif

namespace tidemark::readers {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

#if defined(__cpp_lib_to_chars)
// Whether a number too large or too small for a double is the former.
bool is_large(std::string_view text) {
  int64_t whole = 0, zeros = 0;  // digits before the point, and zeros that lead behind it
  bool behind_point = false, any = false;
  size_t at = 0;
  for (; at < text.size() && (is_digit(text[at]) || text[at] == '.'); ++at) {
    any = any || (text[at] != '0' && text[at] != '.');
    if (text[at] == '.') behind_point = true;
    else if (!any) zeros += behind_point;
    else if (!behind_point) ++whole;
  }
  if (at == text.size()) return whole > 0;
  text.remove_prefix(at + 1);  // e
  const bool negative = !text.empty() && text[0] == '-';
  if (negative || (!text.empty() && text[0] == '+')) text.remove_prefix(1);
  int64_t exponent = 0;
  for (const char c : text) exponent = exponent < std::numeric_limits<int32_t>::max() ? exponent * 10 + (c - '0') : exponent;
  return whole - zeros + (negative ? -exponent : exponent) > 0;
}
#endif

}  // namespace

bool to_nearest_double(std::string_view text, double& value) {
  std::string_view digits = text;
  const bool negative = !digits.empty() && digits[0] == '-';
  if (negative) digits.remove_prefix(1);
  // Infinities and numbers of base 16 are none here.
  if (digits.empty() || digits.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return false;
  if (!is_digit(digits[0]) && digits[0] != '.') return false;
  double size = 0;
#if defined(__cpp_lib_to_chars)
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), size);
  if (read.ec == std::errc::invalid_argument || read.ptr != digits.data() + digits.size()) return false;
  if (read.ec == std::errc::result_out_of_range) size = is_large(digits) ? std::numeric_limits<double>::infinity() : 0;
#else
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  const std::string ended(digits);
  char* end = nullptr;
  size = strtod_l(ended.c_str(), &end, plain);
  if (end != ended.c_str() + ended.size()) return false;
#endif
  value = negative ? -size : size;
  return true;
}

}  // namespace tidemark::readers
