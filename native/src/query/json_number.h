// A floating-point number as JSON.
#pragma once

#include <charconv>
#include <cmath>
#include <string>

namespace tidemark {

// With all its digits and a point, whatever the process' locale has for it; `null` for what is no finite number.
inline std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  constexpr int kDigits = 17;  // tell every double from its neighbours
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, kDigits).ptr};
}

}  // namespace tidemark
