#include <cstdio>

#include "model/text.h"
#include "store/index_writer.h"

namespace tidemark {
std::string clean_text(const std::string& text) {
  std::string out;
  out.reserve(text.size());
  const std::string_view all = text;
  for (size_t i = 0; i < all.size();) {
    const size_t length = all[i] == 0 ? 0 : utf8_length(all.substr(i));  // NUL would end the text in many readers
    if (length == 0) {
      out += kReplacement;
      ++i;
    } else {
      out.append(all, i, length);
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
