// What the allocator would do with a request: the search of get_free_block() and the sizes of alloc_block() in PyTorch's
// c10/cuda/CUDACachingAllocator.cpp over the free blocks of a layout.
//
// - The request is rounded (AllocatorRules::round_size); up to 1 MiB it is served by the small pool, else by the large one.
// - Best fit: the smallest free block of the same stream, pool and class that is large enough, of equals the lowest.
// - The best fit may be refused by the rules for oversize blocks (AllocatorRules::serves): all others are larger, so that none
//   serves then.
// - In expandable segments a free block with unmapped addresses behind it counts as large as it can grow, so a larger block
//   without is preferred. How far the last block of such a segment can grow is not in the capture: as far as any.
// - Where expandable segments are off, free blocks of expandable segments are passed over.
// - Without a block the allocator asks for a new segment: 2 MiB (small), large_segment_size (below 10 MiB), else whole 2 MiB;
//   with expandable segments it maps pages behind the lowest segment with room, of which the free block at its end needs fewer.
// - Segments whose pool the capture does not tell (a private pool that was given back) count among the other pools.
// Not told by a capture, and left out: pools that never split, garbage collection, the pool in use while a graph is captured.
#pragma once

#include "query/block_layout.h"
#include "replay/allocator_rules.h"

namespace tidemark {

struct FitRequest {
  uint64_t bytes = 0;
  int32_t stream = 0;  // index into the capture's streams
  int32_t pool = 0;    // index into the capture's pools
};

// Some free blocks, and how many of them could serve the request by their size.
struct FreeTally {
  uint64_t count = 0;
  uint64_t bytes = 0;
  uint64_t largest_bytes = 0;
  uint64_t largest_address = 0;
  uint64_t fitting_count = 0;

  void add(uint64_t address, uint64_t size, bool fits);
};

struct FitAnswer {
  uint64_t rounded = 0;
  bool is_small = false;       // of the small pool
  uint64_t segment_bytes = 0;  // that a new segment would have, or that would be mapped
  bool fits = false;
  uint64_t address = 0;  // of the free block that would be taken, when it fits
  uint64_t size = 0;
  uint64_t segment_address = 0;
  uint64_t rest_bytes = 0;  // that would stay a free block
  FreeTally free;           // of the right stream, pool and class; fitting_count without `oversize`
  FreeTally oversize;       // of these, kept for other requests
  FreeTally other_pools;
  FreeTally other_streams;  // of the right pool
  FreeTally other_class;    // of the right pool and stream
  FreeTally pending;        // as `free`, if every pending free of the right stream, pool and class completed
};

FitAnswer would_fit(const BlockLayout& layout, const AllocatorRules& rules, const FitRequest& request);

}  // namespace tidemark
