#include <cstdio>

#include "store/index_writer.h"

namespace tidemark {
namespace {

// Length of the well-formed UTF-8 sequence at `p` (RFC 3629), 0 when it is not one.
size_t sequence_length(const unsigned char* p, size_t left) {
  if (p[0] < 0x80) return p[0] == 0 ? 0 : 1;  // NUL would end the text in many readers
  size_t length = 0;
  if (p[0] >= 0xC2 && p[0] <= 0xDF) length = 2;
  else if ((p[0] & 0xF0) == 0xE0) length = 3;
  else if (p[0] >= 0xF0 && p[0] <= 0xF4) length = 4;
  if (length == 0 || length > left) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((p[i] & 0xC0) != 0x80) return 0;
  }
  const bool overlong = (p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xF0 && p[1] < 0x90);
  const bool surrogate = p[0] == 0xED && p[1] > 0x9F;
  const bool too_large = p[0] == 0xF4 && p[1] > 0x8F;
  return overlong || surrogate || too_large ? 0 : length;
}

}  // namespace

std::string clean_text(const std::string& text) {
  std::string out;
  out.reserve(text.size());
  const auto* p = reinterpret_cast<const unsigned char*>(text.data());
  for (size_t i = 0; i < text.size();) {
    const size_t length = sequence_length(p + i, text.size() - i);
    if (length == 0) {
      out += "\xEF\xBF\xBD";
      ++i;
    } else {
      out.append(text, i, length);
      i += length;
    }
  }
  return out;
}

std::string pool_name(const PoolId& pool) {
  return "(" + std::to_string(pool.first) + "," + std::to_string(pool.second) + ")";
}

std::string hex_address(uint64_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

}  // namespace tidemark
