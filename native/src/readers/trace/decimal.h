// Microseconds written in decimal become nanoseconds without passing through a double.
#pragma once

#include <cstdint>
#include <string_view>

namespace tidemark::readers::trace {

// A time or a length: whole nanoseconds, rounded down, and what was cut off.
struct Moment {
  static constexpr uint32_t kWhole = 1'000'000'000;  // `rest` counts billionths of a nanosecond
  int64_t ns = 0;
  uint32_t rest = 0;  // digits beyond these count as one more
};

enum class Decimal : uint8_t { good, odd, non_finite, useless };

// The largest time and length: two of them added stay within int64.
inline constexpr int64_t kLargestTime = INT64_MAX / 4;

// Reads `text` (a number, or the content of a string). odd: read, though it is not as JSON writes numbers (+1, .5, 1., 007, -1.-05).
// Numbers beyond kLargestTime are useless as a time.
Decimal to_moment(std::string_view text, Moment& moment);

// A number for a counter. NaN and infinities are non_finite.
Decimal to_double(std::string_view text, double& value);
// A whole number in 64 bits; fractions of zero are cut off. False = it is none or does not fit.
bool to_integer(std::string_view text, int64_t& value);
bool to_unsigned(std::string_view text, uint64_t& value);

// The nanoseconds from start, rounded down, to end, rounded up.
inline int64_t length_of(const Moment& start, const Moment& length) {
  const uint64_t rest = uint64_t{start.rest} + length.rest;
  return length.ns + (rest == 0 ? 0 : rest <= Moment::kWhole ? 1 : 2);
}

}  // namespace tidemark::readers::trace
