// The sizes that the CUDA caching allocator gives out: rounding and splitting, with the settings that change them.
// The rules are those of round_size(), should_split() and get_free_block() in PyTorch's c10/cuda/CUDACachingAllocator.cpp.
#pragma once

#include <cstdint>

namespace tidemark {

inline constexpr uint64_t kMinBlock = 512;           // smallest block, and the unit of rounding, in bytes
inline constexpr uint64_t kSmallLimit = 1024 * 1024;  // largest rounded size of the small pool, in bytes
inline constexpr int kRoundupClasses = 16;            // size classes 1 MiB … 32 GiB of roundup_power2_divisions

struct AllocatorRules {
  uint64_t max_split_size = UINT64_MAX;  // bytes; blocks of at least this size are never split
  bool expandable_segments = false;      // splits as the small pool does, whatever the size
  uint32_t roundup_divisions[kRoundupClasses] = {};  // by ⌊log2(size in MiB)⌋; 0 or 1 = off

  // Bytes of the block that a request for `requested` bytes gets, before splitting is considered. Saturates.
  uint64_t round_size(uint64_t requested) const;

  // Whether a free block of `available` bytes is cut when `rounded` bytes are taken from it.
  bool splits(uint64_t rounded, uint64_t available) const;
};

}  // namespace tidemark
