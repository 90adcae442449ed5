// How the allocator gives cached memory back to the driver.
#include "simulate/caching_allocator.h"

namespace tidemark {

// synchronize_and_free_events(): every pending free completes.
void CachingAllocator::synchronise() {
  for (Block* block : pending_) free_block(block);
  pending_.clear();
}

// release_cached_blocks() of the default pool: what is wholly free goes, also of private pools that nothing uses any more.
void CachingAllocator::empty_cache() {
  synchronise();
  release_pool(pool_of(0, false));
  release_pool(pool_of(0, true));
  for (auto& [key, pool] : pools_) {
    if (pool.is_freeable) release_pool(pool);
  }
}

void CachingAllocator::abandon_pool(int32_t pool) {
  if (pool == 0) return;
  pool_of(pool, false).is_freeable = true;
  pool_of(pool, true).is_freeable = true;
}

void CachingAllocator::empty_pool(int32_t pool) {
  for (Block* block : std::vector<Block*>(pending_)) {
    if (block->pool == &pool_of(pool, block->pool->is_small)) complete_free(block);
  }
  release_pool(pool_of(pool, true));
  release_pool(pool_of(pool, false));
}

// release_blocks(): whole segments, and whole pages of expandable ones.
void CachingAllocator::release_pool(BlockPool& pool) {
  std::vector<Block*> growable;
  for (auto at = pool.blocks.begin(); at != pool.blocks.end();) {
    Block* block = *at++;
    if (block->range != nullptr) growable.push_back(block);
    else if (!block->is_split()) release_segment(block);
  }
  for (Block* block : growable) unmap_pages(block);
}

// release_block().
void CachingAllocator::release_segment(Block* block) {
  driver_.give_back(block->address, block->size);
  block->pool->blocks.erase(block);
  store_.drop(block);
}

// garbage_collect_cached_blocks(): segments of the large default pool that were free for at least the mean time, until enough is free.
void CachingAllocator::collect_garbage() {
  BlockPool& pool = pool_of(0, false);
  const auto threshold = static_cast<uint64_t>(settings_.gc_threshold * static_cast<double>(driver_.capacity()));
  if (driver_.reserved() <= threshold) return;
  const uint64_t target = driver_.reserved() - threshold;
  int64_t total_age = 0, count = 0;
  for (const Block* block : pool.blocks) {
    if (block->is_split()) continue;
    total_age += pool.age(block);
    ++count;
  }
  uint64_t reclaimed = 0;
  for (bool has_freed = true; reclaimed < target && has_freed && count > 0;) {
    const double mean_age = static_cast<double>(total_age) / static_cast<double>(count);
    has_freed = false;
    for (auto at = pool.blocks.begin(); at != pool.blocks.end();) {
      Block* block = *at++;
      const int64_t age = pool.age(block);
      if (block->is_split() || block->range != nullptr || static_cast<double>(age) < mean_age) continue;
      has_freed = true;
      reclaimed += block->size;
      total_age -= age;
      --count;
      release_segment(block);
    }
  }
}

// release_available_cached_blocks(): under max_split_size, one oversize block that is large enough, else the largest ones until they are.
// The links of an oversize block are not looked at, as there: such blocks are never split.
bool CachingAllocator::release_oversize(const Search& search) {
  const uint64_t max_split = settings_.rules.max_split_size;
  if (max_split == UINT64_MAX) return false;
  BlockPool& pool = *search.pool;
  Block key;
  key.stream = search.stream;
  key.size = search.size < max_split ? max_split : search.size;
  auto at = pool.blocks.lower_bound(&key);
  if (at != pool.blocks.end() && (*at)->stream == search.stream && (*at)->range == nullptr) {
    if ((*at)->is_split()) return false;
    release_segment(*at);
    return true;
  }
  uint64_t released = 0;
  while (released < key.size && at != pool.blocks.begin()) {
    Block* block = *--at;
    if (block->size < max_split || block->stream != search.stream) break;
    if (block->range != nullptr || block->is_split()) continue;
    ++at;
    released += block->size;
    release_segment(block);
  }
  return released >= key.size;
}

}  // namespace tidemark
