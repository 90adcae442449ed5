// PyTorch's caching allocator of one device, without the memory: what c10/cuda/CUDACachingAllocator.cpp does with requests and frees
// under any settings. Functions carry the names of what they mirror in their comments.
#pragma once

#include <map>
#include <utility>

#include "simulate/block_pool.h"
#include "simulate/driver.h"
#include "simulate/simulator_settings.h"

namespace tidemark {

struct AllocationRequest {
  uint64_t bytes = 0;  // asked for
  int32_t stream = 0;
  int32_t pool = 0;   // 0 = the default pool
  SegmentPlace recorded;  // the new segment that the recorded request got
  uint32_t owner = kNoOwner;
};

struct AllocatorTotals {
  uint64_t allocated = 0;
  uint64_t active = 0;
  uint64_t allocated_peak = 0;
  uint64_t retries = 0;  // num_alloc_retries: attempts after the whole cache was given back
};

class CachingAllocator {
 public:
  CachingAllocator(const SimulatorSettings& settings, const Driver& driver) : settings_(settings), driver_(driver) {}
  CachingAllocator(const CachingAllocator&) = delete;
  CachingAllocator& operator=(const CachingAllocator&) = delete;

  // malloc(). nullptr when the allocator gives up.
  Block* allocate(const AllocationRequest& request);
  // free() of a block that is allocated: pending from now on.
  void request_free(Block* block);
  // Whether `block` is still that of `owner`: synchronising may have freed it, and the block be gone or another's.
  bool holds(const Block* block, uint32_t owner, BlockUse use) const {
    return block->pool != nullptr && block->use == use && block->owner == owner;
  }
  // The free of a pending block completes.
  void complete_free(Block* block);
  // emptyCache() of everything.
  void empty_cache();
  // Nothing uses the private pool any more: its memory goes with the next emptying.
  void abandon_pool(int32_t pool);
  // emptyCache() of one private pool.
  void empty_pool(int32_t pool);

  // What there was before the first event: a segment, or mapped pages with the unmapped addresses of their range.
  Block* adopt(Block* before, const Block& block, bool is_small, int32_t pool);
  const AddressRange* add_range(uint64_t base, uint64_t size, bool is_small);
  void adopt_segment(uint64_t address, uint64_t bytes) { driver_.adopt(address, bytes); }
  void adopt_pages(uint64_t bytes) { driver_.map(bytes); }

  const AllocatorTotals& totals() const { return totals_; }
  const Driver& driver() const { return driver_; }
  const BlockStore& blocks() const { return store_; }

 private:
  struct Search {
    BlockPool* pool = nullptr;
    uint64_t size = 0;           // rounded
    uint64_t segment_bytes = 0;  // of a new segment
    int32_t stream = 0;
    SegmentPlace recorded;
    uint32_t owner = kNoOwner;
    Block* found = nullptr;
  };

  BlockPool& pool_of(int32_t pool, bool is_small);
  bool collects() const { return driver_.limit() == Limit::fraction && settings_.gc_threshold > 0; }
  bool find_free_block(Search& search);
  bool pass_over_growable(const Search& search, std::set<Block*, BySize>::iterator& at) const;
  bool reserve(Search& search);
  bool reserve_anyhow(Search& search);
  Block* hand_out(const Search& search);
  void collect_garbage();
  bool release_oversize(const Search& search);
  void synchronise();
  void release_pool(BlockPool& pool);
  void release_segment(Block* block);
  void unmap_pages(Block* block);
  Block* find_room(const Search& search);
  bool map_pages(Block* block, uint64_t bytes);
  bool reserve_pages(Search& search);
  void free_block(Block* block);
  void merge(Block* block, Block* neighbour);
  Block* insert_after(Block* block, Block part);

  const SimulatorSettings settings_;
  Driver driver_;
  AllocatorTotals totals_;
  std::map<std::pair<int32_t, bool>, BlockPool> pools_;
  std::deque<AddressRange> ranges_;
  uint64_t range_count_ = 0;
  BlockStore store_;
  std::vector<Block*> pending_;
};

// Bytes of a segment for a request of `rounded` bytes (get_allocation_size).
uint64_t segment_bytes_for(const AllocatorRules& rules, uint64_t rounded);

}  // namespace tidemark
