#include "toy_allocator.h"

#include <algorithm>

using tidemark::Action;
using tidemark::Block;
using tidemark::BlockState;
using tidemark::Segment;
using tidemark::Snapshot;

namespace {

constexpr uint64_t kMiB = 1024 * 1024;
constexpr uint64_t kSmallPage = 2 * kMiB;
constexpr uint64_t kLargePage = 20 * kMiB;
constexpr uint64_t kOwnSegment = 10 * kMiB;

uint64_t round_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

uint64_t ToyAllocator::page_of(uint64_t segment) const { return segments_.at(segment).is_small ? kSmallPage : kLargePage; }

// Plainly from the blocks: what the replay keeps up to date event by event.
ToyTotals ToyAllocator::count() const {
  ToyTotals t;
  std::map<uint64_t, int> blocks_of;
  for (const auto& [start, block] : blocks_) ++blocks_of[block.segment];
  for (const auto& [start, block] : blocks_) {
    const auto size = static_cast<int64_t>(block.size);
    t.reserved += size;
    if (block.state != BlockState::inactive) {
      t.active += size;
      t.requested += static_cast<int64_t>(block.requested);
      if (block.state == BlockState::active_allocated) t.allocated += size;
      continue;
    }
    ++t.free_blocks;
    t.largest_free = std::max(t.largest_free, size);
    if (!expandable_) {
      (blocks_of[block.segment] > 1 ? t.inactive_split : t.returnable) += size;
      continue;
    }
    const uint64_t page = page_of(block.segment);
    for (uint64_t at = block.segment; at < start + block.size; at += page) {
      if (at >= start && at + page <= start + block.size) t.returnable += static_cast<int64_t>(page);
    }
  }
  return t;
}

void ToyAllocator::record(Action action, uint64_t address, uint64_t size, const ToyClass& serves) {
  const auto event = static_cast<int64_t>(events_.size());
  events_.push_back({action, address, size, serves});
  totals_.push_back(count());
  if (action < Action::segment_alloc || action > Action::segment_unmap) return;
  const bool reserves = action == Action::segment_alloc || action == Action::segment_map;
  for (uint64_t page = address; page < address + size; page += kSmallPage) {
    if (reserves) pages_[page].push_back({event, -1, serves});
    else pages_[page].back().unmap_event = event;
  }
}

ToyAllocator::Blocks::iterator ToyAllocator::best_fit(uint64_t rounded, const ToyClass& serves) {
  auto best = blocks_.end();
  for (auto it = blocks_.begin(); it != blocks_.end(); ++it) {
    if (it->second.state != BlockState::inactive || it->second.size < rounded) continue;
    if (!(segments_.at(it->second.segment) == serves)) continue;
    if (best == blocks_.end() || it->second.size < best->second.size) best = it;
  }
  return best;
}

// The lowest room for `size` bytes that are not mapped in the expandable segment at `base`.
uint64_t ToyAllocator::unmapped_room(uint64_t base, uint64_t size) const {
  uint64_t end = base;
  for (const auto& [start, block] : blocks_) {
    if (block.segment != base) continue;
    if (start - end >= size) break;
    end = start + block.size;
  }
  return end;
}

ToyAllocator::Blocks::iterator ToyAllocator::reserve(uint64_t rounded, const ToyClass& serves) {
  uint64_t size = serves.is_small ? kSmallPage : rounded < kOwnSegment ? kLargePage : round_up(rounded, kSmallPage);
  if (!expandable_) {
    const uint64_t address = next_segment_;
    next_segment_ += size + kSmallPage;  // a gap, so that segments never touch
    segments_[address] = serves;
    const auto block = blocks_.emplace(address, ToyBlock{size, 0, address, BlockState::inactive}).first;
    record(Action::segment_alloc, address, size, serves);
    return block;
  }
  // One virtual segment for each class.
  const uint64_t number = (serves.stream * pools_ + serves.pool) * 2 + serves.is_small;
  const uint64_t base = 0x300000000000 + number * 0x010000200000;  // not a multiple of the large page
  segments_[base] = serves;
  size = round_up(rounded, page_of(base));
  const uint64_t address = unmapped_room(base, size);
  const auto block = merge(blocks_.emplace(address, ToyBlock{size, 0, base, BlockState::inactive}).first);
  record(Action::segment_map, address, size, serves);
  return block;
}

void ToyAllocator::allocate(uint64_t requested, const ToyClass& serves) {
  const uint64_t rounded = rules_.round_size(requested);
  auto block = best_fit(rounded, serves);
  if (block == blocks_.end()) block = reserve(rounded, serves);
  const uint64_t rest = block->second.size - rounded;
  const bool cut = serves.is_small || expandable_ ? rest >= 512 : rounded < rules_.max_split_size && rest > kMiB;
  if (cut) {
    blocks_[block->first + rounded] = ToyBlock{rest, 0, block->second.segment, BlockState::inactive};
    block->second.size = rounded;
  }
  block->second.state = BlockState::active_allocated;
  block->second.requested = requested;
  held_.push_back(block->first);
  record(Action::alloc, block->first, requested, serves);
}

void ToyAllocator::request_free() {
  if (held_.empty()) return;
  const size_t at = random_() % held_.size();
  const uint64_t address = held_[at];
  held_.erase(held_.begin() + static_cast<long>(at));
  ToyBlock& block = blocks_[address];
  block.state = BlockState::active_pending_free;
  pending_.push_back(address);
  record(Action::free_requested, address, block.requested, segments_.at(block.segment));
  if (random_() % 4) complete_free();
}

void ToyAllocator::complete_free() {
  if (pending_.empty()) return;
  const uint64_t address = pending_.back();
  pending_.pop_back();
  ToyBlock& block = blocks_[address];
  const uint64_t requested = block.requested;
  const ToyClass serves = segments_.at(block.segment);
  block.state = BlockState::inactive;
  block.requested = 0;
  merge(blocks_.find(address));
  record(Action::free_completed, address, requested, serves);
}

// Joins a free block with its free neighbors; answers what it has become.
ToyAllocator::Blocks::iterator ToyAllocator::merge(Blocks::iterator block) {
  const auto joins = [](Blocks::iterator a, Blocks::iterator b) {
    return b->second.state == BlockState::inactive && a->second.state == BlockState::inactive &&
           a->second.segment == b->second.segment && a->first + a->second.size == b->first;
  };
  const auto next = std::next(block);
  if (next != blocks_.end() && joins(block, next)) {
    block->second.size += next->second.size;
    blocks_.erase(next);
  }
  if (block == blocks_.begin() || !joins(std::prev(block), block)) return block;
  const auto before = std::prev(block);
  before->second.size += block->second.size;
  blocks_.erase(block);
  return before;
}

void ToyAllocator::empty_cache() {
  std::vector<uint64_t> starts;
  for (const auto& [start, block] : blocks_) starts.push_back(start);
  for (const uint64_t start : starts) {
    const ToyBlock block = blocks_[start];
    if (block.state != BlockState::inactive) continue;
    const ToyClass& serves = segments_.at(block.segment);
    const auto next = blocks_.upper_bound(start);
    if (!expandable_) {
      const bool whole = start == block.segment && (next == blocks_.end() || next->second.segment != block.segment);
      if (!whole) continue;
      blocks_.erase(start);
      record(Action::segment_free, start, block.size, serves);
      continue;
    }
    const uint64_t page = page_of(block.segment);
    const uint64_t from = round_up(start - block.segment, page) + block.segment;
    const uint64_t to = (start + block.size - block.segment) / page * page + block.segment;
    if (from >= to) continue;
    blocks_.erase(start);
    if (from > start) blocks_[start] = ToyBlock{from - start, 0, block.segment, BlockState::inactive};
    if (to < start + block.size) blocks_[to] = ToyBlock{start + block.size - to, 0, block.segment, BlockState::inactive};
    record(Action::segment_unmap, from, to - from, serves);
  }
}

void ToyAllocator::run(int steps) {
  for (int i = 0; i < steps; ++i) {
    const unsigned what = random_() % 100;
    if (what < 50) {
      const uint64_t limit = random_() % 3 ? 2 * kMiB : 30 * kMiB;
      const uint64_t requested = 1 + random_() % limit;
      ToyClass serves{0, 0, rules_.round_size(requested) <= tidemark::kSmallLimit};
      if (streams_ > 1) serves.stream = static_cast<uint16_t>(random_() % streams_);
      if (pools_ > 1) serves.pool = static_cast<uint16_t>(random_() % pools_);
      allocate(requested, serves);
    } else if (what < 92) {
      request_free();
    } else if (what < 98) {
      complete_free();
    } else {
      empty_cache();
    }
  }
}

Snapshot ToyAllocator::snapshot(size_t dropped) const {
  Snapshot out;
  for (unsigned i = 0; i < streams_; ++i) out.streams.push_back(i * 16);
  for (unsigned i = 0; i < pools_; ++i) out.pools.push_back({int64_t{i}, 0});
  out.has_traces_key = true;
  out.traces.resize(1);
  for (size_t i = dropped; i < events_.size(); ++i) {
    auto& trace = out.traces[0];
    trace.action.push_back(static_cast<uint8_t>(events_[i].action));
    trace.address.push_back(events_[i].address);
    trace.size.push_back(events_[i].size);
    trace.stream.push_back(events_[i].serves.stream);
    trace.pool.push_back(names_pools_ ? events_[i].serves.pool : tidemark::kNoPool);
    trace.time.push_back(tidemark::kNoTime);
    trace.stack.push_back(tidemark::kNone);
    trace.user_metadata.push_back(tidemark::kNone);
    trace.compile_context.push_back(tidemark::kNone);
  }
  uint64_t end = 0;
  uint64_t owner = 0;
  for (const auto& [start, block] : blocks_) {
    const bool goes_on = !out.segments.empty() && owner == block.segment && end == start;
    if (!goes_on) {
      Segment segment;
      segment.address = start;
      segment.stream = out.streams[segments_.at(block.segment).stream];
      segment.pool = segments_.at(block.segment).pool;
      segment.is_large = !segments_.at(block.segment).is_small;
      segment.is_expandable = expandable_;
      out.segments.push_back(segment);
    }
    owner = block.segment;
    end = start + block.size;
    out.segments.back().total_size += block.size;
    out.segments.back().blocks.push_back({start, block.size, block.requested, block.state, tidemark::kNone});
  }
  return out;
}
