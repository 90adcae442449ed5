// A floating-point number as JSON.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>

namespace tidemark {

// With all its digits; `null` for what is no finite number.
inline std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

}  // namespace tidemark
