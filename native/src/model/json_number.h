// Floating-point numbers as JSON.
#pragma once

#include <string>

namespace tidemark {

// Appends the number so that it reads back exactly, with a point whatever the process' locale has for it; `null` for what is no finite number.
void append_json_number(std::string& out, double value);

inline std::string json_number(double value) {
  std::string out;
  append_json_number(out, value);
  return out;
}

}  // namespace tidemark
