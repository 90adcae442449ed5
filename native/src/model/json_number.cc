#include "model/json_number.h"

#include <charconv>
#include <cmath>

// Apple's library has std::to_chars for floating-point numbers from macOS 13.3 on only.
#if !defined(__cpp_lib_to_chars)
#include <limits>
#include <locale>
#include <sstream>
#endif

namespace tidemark {

void append_json_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
#if defined(__cpp_lib_to_chars)
  char digits[40];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);  // the shortest
#else
  std::ostringstream digits;
  digits.imbue(std::locale::classic());
  digits.precision(std::numeric_limits<double>::max_digits10);
  digits << value;
  out += digits.str();
#endif
}

}  // namespace tidemark
