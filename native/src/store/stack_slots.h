// Color slots of `color_by stack` (native/README.md): 1 … kRankedSlots by rank, then kHashedSlots by hash, then none.
#pragma once

#include <cstdint>

namespace tidemark {

inline constexpr uint8_t kRankedSlots = 12;
inline constexpr uint8_t kHashedSlots = 12;
inline constexpr uint8_t kNoStackSlot = 1 + kRankedSlots + kHashedSlots;

}  // namespace tidemark
