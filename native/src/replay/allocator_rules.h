// The sizes that the CUDA caching allocator gives out: rounding and splitting, with the settings that change them.
// The rules are those of round_size(), should_split() and get_free_block() in PyTorch's c10/cuda/CUDACachingAllocator.cpp.
#pragma once

#include <cstdint>

namespace tidemark {

inline constexpr uint64_t kMinBlock = 512;  // smallest block, and the unit of rounding, in bytes
inline constexpr uint64_t kSmallLimit = 1024 * 1024;  // largest rounded size of the small pool, in bytes
inline constexpr uint64_t kSmallPage = 2 << 20;   // bytes of a segment of the small pool, and of a page of an expandable one
inline constexpr uint64_t kLargePage = 20 << 20;  // bytes of a page of an expandable segment of the large pool
// Bytes of the pages in which an expandable segment is mapped and given back.
constexpr uint64_t page_bytes(bool is_small) { return is_small ? kSmallPage : kLargePage; }

inline constexpr int kRoundupClasses = 16;            // size classes 1 MiB … 32 GiB of roundup_power2_divisions

struct AllocatorRules {
  uint64_t max_split_size = UINT64_MAX;  // bytes; blocks of at least this size are never split
  uint64_t max_non_split_rounding = 20 << 20;  // bytes; waste that an oversize request accepts must be less; unless set it is large_segment_size
  uint64_t large_segment_size = 20 << 20;      // bytes of a segment for requests of the large pool below 10 MiB
  bool expandable_segments = false;      // splits as the small pool does, whatever the size
  uint32_t roundup_divisions[kRoundupClasses] = {};  // by ⌊log2(size in MiB)⌋; 0 or 1 = off

  // Bytes of the block that a request for `requested` bytes gets, before splitting is considered. Saturates.
  uint64_t round_size(uint64_t requested) const;

  // The least request that round_size() makes `rounded` bytes of, give or take less than kMinBlock.
  uint64_t least_request(uint64_t rounded) const;

  // Whether a free block of `available` ≥ `rounded` bytes may serve such a request: blocks of at least max_split_size are kept
  // for requests of that size, which take none that is max_non_split_rounding or more too large.
  bool serves(uint64_t rounded, uint64_t available) const;

  // Whether a free block of `available` bytes is cut when `rounded` bytes are taken from it.
  bool splits(uint64_t rounded, uint64_t available) const;
};

}  // namespace tidemark
