#include "simulate/caching_allocator.h"

#include <algorithm>

namespace tidemark {
namespace {

constexpr uint64_t kSegmentUnit = uint64_t{2} << 20;  // a small segment, and the unit of segments of their own
constexpr uint64_t kOwnSegment = uint64_t{10} << 20;  // least request that gets a segment of its own

}  // namespace

uint64_t segment_bytes_for(const AllocatorRules& rules, uint64_t rounded) {
  if (rounded <= kSmallLimit) return kSegmentUnit;
  if (rounded < kOwnSegment) return rules.large_segment_size;
  return rounded > UINT64_MAX - kSegmentUnit ? rounded : (rounded + kSegmentUnit - 1) / kSegmentUnit * kSegmentUnit;
}

BlockPool& CachingAllocator::pool_of(int32_t pool, bool is_small) {
  const auto [at, is_new] = pools_.try_emplace({pool, is_small});
  if (is_new) {
    at->second.is_small = is_small;
    at->second.is_private = pool != 0;
  }
  return at->second;
}

Block* CachingAllocator::allocate(const AllocationRequest& request) {
  Search search;
  search.size = settings_.rules.round_size(request.bytes);
  search.pool = &pool_of(request.pool, search.size <= kSmallLimit);
  search.segment_bytes = segment_bytes_for(settings_.rules, search.size);
  search.stream = request.stream;
  search.recorded = request.recorded;
  search.owner = request.owner;
  if (!find_free_block(search)) {
    if (collects()) collect_garbage();
    if (!reserve_anyhow(search)) return nullptr;
  }
  return hand_out(search);
}

// The attempts of malloc() to get new memory, each after more of the cache was given back. While a private pool is in use (a graph is
// being captured), the cache is kept.
bool CachingAllocator::reserve_anyhow(Search& search) {
  if (reserve(search)) return true;
  if (release_oversize(search) && reserve(search)) return true;
  if (search.pool->is_private) return false;
  empty_cache();
  ++totals_.retries;
  return reserve(search);
}

// get_free_block(): best fit; see query/would_fit.h.
bool CachingAllocator::find_free_block(Search& search) {
  BlockPool& pool = *search.pool;
  if (collects()) ++pool.search_count;
  Block key;
  key.stream = search.stream;
  key.size = search.size;
  auto at = pool.blocks.lower_bound(&key);
  if (at == pool.blocks.end() || (*at)->stream != search.stream) return false;
  if ((*at)->range != nullptr && !pass_over_growable(search, at)) return false;
  Block* block = *at;
  if (!settings_.rules.serves(search.size, block->size)) return false;
  search.found = block;
  pool.blocks.erase(at);
  return true;
}

// A block of an expandable segment counts as large as it can grow; where such segments are off, it is passed over.
bool CachingAllocator::pass_over_growable(const Search& search, std::set<Block*, BySize>::iterator& at) const {
  const auto end = search.pool->blocks.end();
  const auto is_right = [&](auto place) { return place != end && (*place)->stream == search.stream; };
  if (!settings_.rules.expandable_segments) {
    do ++at;
    while (is_right(at) && (*at)->range != nullptr);
    return is_right(at);
  }
  const auto grown = [](const Block* block) {
    return block->size + (block->after && !block->after->is_mapped ? block->after->size : 0);
  };
  for (auto next = std::next(at); (*at)->range != nullptr && is_right(next) && grown(*next) < grown(*at); ++next) at = next;
  return true;
}

// alloc_block().
bool CachingAllocator::reserve(Search& search) {
  if (search.segment_bytes > kMostBytes || driver_.is_capped(search.segment_bytes)) return false;
  if (settings_.rules.expandable_segments) return reserve_pages(search);
  if (driver_.lacks(search.segment_bytes)) return false;
  Block block;
  block.size = search.segment_bytes;
  block.address = driver_.take(block.size, search.recorded);
  block.pool = search.pool;
  block.stream = search.stream;
  search.found = store_.make(block);
  return true;
}

// alloc_found_block(), with should_split().
Block* CachingAllocator::hand_out(const Search& search) {
  Block* block = search.found;
  if (settings_.rules.splits(search.size, block->size)) {
    Block rest = *block;
    rest.address += search.size;
    rest.size -= search.size;
    block->size = search.size;
    search.pool->insert(insert_after(block, rest));
  }
  block->use = BlockUse::allocated;
  block->owner = search.owner;
  totals_.allocated += block->size;
  totals_.active += block->size;
  totals_.allocated_peak = std::max(totals_.allocated_peak, totals_.allocated);
  return block;
}

Block* CachingAllocator::insert_after(Block* block, Block part) {
  part.before = block;
  part.after = block->after;
  Block* made = store_.make(part);
  if (made->after) made->after->before = made;
  block->after = made;
  return made;
}

void CachingAllocator::request_free(Block* block) {
  totals_.allocated -= block->size;
  block->use = BlockUse::pending;
  block->pending_at = static_cast<uint32_t>(pending_.size());
  pending_.push_back(block);
}

void CachingAllocator::complete_free(Block* block) {
  Block* last = pending_.back();
  pending_[block->pending_at] = last;
  last->pending_at = block->pending_at;
  pending_.pop_back();
  free_block(block);
}

// free_block(): merges with free neighbours.
void CachingAllocator::free_block(Block* block) {
  totals_.active -= block->size;
  merge(block, block->before);
  merge(block, block->after);
  block->pool->insert(block);
}

// try_merge_blocks(): `neighbour` goes where it is as free and as mapped as `block`.
void CachingAllocator::merge(Block* block, Block* neighbour) {
  if (!neighbour || neighbour->use != BlockUse::free || neighbour->is_mapped != block->is_mapped) return;
  if (neighbour->is_mapped) block->pool->blocks.erase(neighbour);
  else block->pool->unmapped.erase(neighbour);
  if (block->before == neighbour) {
    block->address = neighbour->address;
    block->before = neighbour->before;
    if (block->before) block->before->after = block;
  } else {
    block->after = neighbour->after;
    if (block->after) block->after->before = block;
  }
  block->size += neighbour->size;
  store_.drop(neighbour);
}

}  // namespace tidemark
