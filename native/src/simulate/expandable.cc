// Expandable segments: ranges of addresses that are mapped page by page.
#include <algorithm>

#include "simulate/caching_allocator.h"

namespace tidemark {
namespace {

// PyTorch reserves 1 1/8 of the device's memory, whose size is not in a capture: ranges are as large as no device is.
constexpr uint64_t kRangeBytes = kMostBytes;
constexpr uint64_t kFirstRange = uint64_t{1} << 40;

uint64_t rounded_up(uint64_t bytes, uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

bool is_usable(const Block* block) { return block != nullptr && block->use == BlockUse::free; }

// Whether `bytes` can be had from `block` on, free or by mapping.
bool has_room(const Block* block, uint64_t bytes) {
  uint64_t room = 0;
  for (; room < bytes && is_usable(block); block = block->after) room += block->size;
  return room >= bytes;
}

}  // namespace

const AddressRange* CachingAllocator::add_range(uint64_t base, uint64_t size, bool is_small) {
  const uint64_t page = is_small ? kSmallPage : settings_.rules.large_segment_size;
  ranges_.push_back({base, size, page});
  return &ranges_.back();
}

// find_expandable_block(): the lowest unmapped stretch, with the free block before it, from which on there is room; else a new range.
Block* CachingAllocator::find_room(const Search& search) {
  BlockPool& pool = *search.pool;
  Block key;
  key.stream = search.stream;
  for (auto at = pool.unmapped.lower_bound(&key); at != pool.unmapped.end() && (*at)->stream == search.stream; ++at) {
    Block* block = is_usable((*at)->before) ? (*at)->before : *at;
    if (has_room(block, search.size)) return block;
  }
  const uint64_t base = kFirstRange + range_count_++ * kRangeBytes;
  Block block;
  block.address = base;
  block.range = add_range(base, kRangeBytes, pool.is_small);
  block.size = kRangeBytes / block.range->page * block.range->page;
  block.pool = search.pool;
  block.stream = search.stream;
  block.is_mapped = false;
  Block* made = store_.make(block);
  pool.unmapped.insert(made);
  return made;
}

// map_block(): pages for `bytes` at the start of an unmapped stretch. All of its pages or none are mapped.
bool CachingAllocator::map_pages(Block* block, uint64_t bytes) {
  const uint64_t mapped = std::min(rounded_up(bytes, block->range->page), block->size);
  if (driver_.lacks(mapped)) return false;
  block->pool->unmapped.erase(block);
  if (mapped < block->size) {
    Block rest = *block;
    rest.address += mapped;
    rest.size -= mapped;
    block->pool->unmapped.insert(insert_after(block, rest));
    block->size = mapped;
  }
  block->is_mapped = true;
  merge(block, block->before);
  merge(block, block->after);
  block->pool->insert(block);
  driver_.map(mapped);
  return true;
}

// try_allocate_expandable_block().
bool CachingAllocator::reserve_pages(Search& search) {
  Block* block = find_room(search);
  if (block == nullptr) return false;
  if (!block->is_mapped && !map_pages(block, std::min(block->size, search.size))) return false;
  while (block->size < search.size) {
    Block* next = block->after;
    if (!map_pages(next, std::min(search.size - block->size, next->size))) return false;
    block = next;
  }
  search.pool->blocks.erase(block);
  search.found = block;
  return true;
}

// unmap_block(): the whole pages of a free block.
void CachingAllocator::unmap_pages(Block* block) {
  const AddressRange& range = *block->range;
  const uint64_t end = block->address + block->size;
  const uint64_t from = range.base + rounded_up(block->address - range.base, range.page);
  const uint64_t to = range.base + (end - range.base) / range.page * range.page;
  if (from >= to) return;
  block->pool->blocks.erase(block);
  if (end > to) {
    Block rest = *block;
    rest.address = to;
    rest.size = end - to;
    block->pool->insert(insert_after(block, rest));
  }
  if (from > block->address) {
    Block front = *block;
    front.size = from - block->address;
    Block* kept = store_.make(front);
    if (kept->before) kept->before->after = kept;
    kept->after = block;
    block->before = kept;
    block->pool->insert(kept);
  }
  block->address = from;
  block->size = to - from;
  block->is_mapped = false;
  driver_.unmap(block->size);
  merge(block, block->before);
  merge(block, block->after);
  // A range of which nothing is mapped any more is given up.
  if (block->is_split()) block->pool->unmapped.insert(block);
  else store_.drop(block);
}

Block* CachingAllocator::adopt(Block* before, const Block& block, bool is_small, int32_t pool) {
  Block part = block;
  part.pool = &pool_of(pool, is_small);
  Block* made = before ? insert_after(before, part) : store_.make(part);
  if (!made->is_mapped) {
    made->pool->unmapped.insert(made);
  } else if (made->use == BlockUse::free) {
    made->pool->insert(made);
  } else {
    totals_.active += made->size;
    totals_.allocated += made->size;
  }
  if (made->use == BlockUse::pending) request_free(made);
  totals_.allocated_peak = std::max(totals_.allocated_peak, totals_.allocated);
  return made;
}

}  // namespace tidemark
