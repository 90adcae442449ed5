// The wire format of protocol buffers: fields one after the other, every length checked against what is there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tidemark::readers::profile {

enum class WireType : uint8_t { varint = 0, eight_bytes = 1, bytes = 2, four_bytes = 5 };

struct WireField {
  uint32_t number = 0;
  WireType type = WireType::varint;
  uint64_t value = 0;      // of a varint
  std::string_view bytes;  // of bytes
};

class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}

  // The next field; false at the end, or where the message is damaged or cut, which damaged() tells.
  bool next(WireField& field);
  // A varint from the front; false = there is none.
  bool varint(uint64_t& value);
  bool damaged() const { return damaged_; }
  bool empty() const { return rest_.empty(); }

 private:
  bool take(uint64_t count, std::string_view& bytes);

  std::string_view rest_;
  bool damaged_ = false;
};

// use(value) for each of a repeated number's values in a field, whether they are packed or not. False = the field is damaged.
template <typename Use>
bool each_number(const WireField& field, Use&& use) {
  if (field.type == WireType::varint) {
    use(field.value);
    return true;
  }
  if (field.type != WireType::bytes) return false;
  WireReader packed(field.bytes);
  uint64_t value = 0;
  while (!packed.empty()) {
    if (!packed.varint(value)) return false;
    use(value);
  }
  return true;
}

// Whether the text begins as a pprof profile does: with sample types, and known fields behind them as far as it goes.
bool looks_like_pprof(std::string_view text);

}  // namespace tidemark::readers::profile
