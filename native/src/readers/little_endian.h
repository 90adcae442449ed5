// Reading little-endian numbers from bytes, whatever the machine's own order and alignment rules.
#pragma once

#include <cstdint>

namespace tidemark::readers {

// Compilers turn these into one load where the machine allows it.
inline uint16_t load16(const uint8_t* p) { return static_cast<uint16_t>(p[0] | p[1] << 8); }
inline uint32_t load32(const uint8_t* p) {
  return static_cast<uint32_t>(p[0]) | static_cast<uint32_t>(p[1]) << 8 | static_cast<uint32_t>(p[2]) << 16 |
         static_cast<uint32_t>(p[3]) << 24;
}
inline uint64_t load64(const uint8_t* p) { return load32(p) | static_cast<uint64_t>(load32(p + 4)) << 32; }

// A two's-complement integer of `length` bytes, least significant first, 1 to 8 of them.
inline int64_t load_signed(const uint8_t* p, size_t length) {
  uint64_t bits = 0;
  for (size_t i = 0; i < length; ++i) bits |= static_cast<uint64_t>(p[i]) << (8 * i);
  const unsigned unused = static_cast<unsigned>(64 - 8 * length);
  return static_cast<int64_t>(bits << unused) >> unused;
}

// The same with eight readable bytes at `p`: no loop.
inline int64_t load_short(const uint8_t* p, size_t length) {
  const unsigned unused = static_cast<unsigned>(64 - 8 * length);
  return static_cast<int64_t>(load64(p) << unused) >> unused;
}

}  // namespace tidemark::readers
