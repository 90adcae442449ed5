// Bounded JSON text for values that no part of the viewer understands, so that they can be kept without being modeled.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "readers/slots.h"

namespace tidemark::readers {

// One dict or list being written. It stops growing at the limit and then says so in its last item.
struct JsonText {
  static constexpr size_t kLimit = 64 * 1024;

  std::string text;  // the items, without the brackets
  bool is_dict = false;
  bool cut = false;
  bool shared = false;  // another handle may exist: do not release
  uint16_t depth = 1;

  // Adds an item (of a dict: `key` is its JSON string) unless `limit` bytes are reached.
  void add(std::string_view key, std::string_view item, size_t limit = kLimit);
  std::string rendered() const;
};

}  // namespace tidemark::readers
