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

void ToyAllocator::record(Action action, uint64_t address, uint64_t size) {
  events_.push_back({action, address, size});
  ToyTotals t;
  for (const auto& [start, block] : blocks_) {
    t.reserved += static_cast<int64_t>(block.size);
    if (block.state == BlockState::inactive) continue;
    t.active += static_cast<int64_t>(block.size);
    t.requested += static_cast<int64_t>(block.requested);
    if (block.state == BlockState::active_allocated) t.allocated += static_cast<int64_t>(block.size);
  }
  totals_.push_back(t);
}

ToyAllocator::Blocks::iterator ToyAllocator::best_fit(uint64_t rounded) {
  const bool small = rounded <= tidemark::kSmallLimit;
  auto best = blocks_.end();
  for (auto it = blocks_.begin(); it != blocks_.end(); ++it) {
    if (it->second.state != BlockState::inactive || it->second.size < rounded || is_small(it->second.segment) != small) continue;
    if (best == blocks_.end() || it->second.size < best->second.size) best = it;
  }
  return best;
}

ToyAllocator::Blocks::iterator ToyAllocator::reserve(uint64_t rounded) {
  const bool small = rounded <= tidemark::kSmallLimit;
  uint64_t size = small ? kSmallPage : rounded < kOwnSegment ? kLargePage : round_up(rounded, kSmallPage);
  if (!expandable_) {
    const uint64_t address = next_segment_;
    next_segment_ += size + kSmallPage;  // a gap, so that segments never touch
    small_[address] = small;
    const auto block = blocks_.emplace(address, ToyBlock{size, 0, address, BlockState::inactive}).first;
    record(Action::segment_alloc, address, size);
    return block;
  }
  // One virtual segment a pool; its mapped part grows at the end.
  const uint64_t base = small ? 0x300000000000 : 0x500000000000;
  small_[base] = small;
  uint64_t end = base;
  for (const auto& [start, block] : blocks_) {
    if (block.segment == base) end = std::max(end, start + block.size);
  }
  size = round_up(rounded, small ? kSmallPage : kLargePage);
  auto block = blocks_.emplace(end, ToyBlock{size, 0, base, BlockState::inactive}).first;
  record(Action::segment_map, end, size);
  if (block != blocks_.begin()) {
    const auto before = std::prev(block);
    if (before->second.segment == base && before->second.state == BlockState::inactive &&
        before->first + before->second.size == block->first) {
      before->second.size += block->second.size;
      blocks_.erase(block);
      block = before;
    }
  }
  return block;
}

void ToyAllocator::allocate(uint64_t requested) {
  const uint64_t rounded = rules_.round_size(requested);
  auto block = best_fit(rounded);
  if (block == blocks_.end()) block = reserve(rounded);
  const uint64_t rest = block->second.size - rounded;
  const bool small = is_small(block->second.segment);
  const bool cut = small || expandable_ ? rest >= 512 : rounded < rules_.max_split_size && rest > kMiB;
  if (cut) {
    blocks_[block->first + rounded] = ToyBlock{rest, 0, block->second.segment, BlockState::inactive};
    block->second.size = rounded;
  }
  block->second.state = BlockState::active_allocated;
  block->second.requested = requested;
  held_.push_back(block->first);
  record(Action::alloc, block->first, requested);
}

void ToyAllocator::request_free() {
  if (held_.empty()) return;
  const size_t at = random_() % held_.size();
  const uint64_t address = held_[at];
  held_.erase(held_.begin() + static_cast<long>(at));
  blocks_[address].state = BlockState::active_pending_free;
  pending_.push_back(address);
  record(Action::free_requested, address, blocks_[address].requested);
  if (random_() % 4) complete_free();
}

void ToyAllocator::complete_free() {
  if (pending_.empty()) return;
  const uint64_t address = pending_.back();
  pending_.pop_back();
  const uint64_t requested = blocks_[address].requested;
  blocks_[address].state = BlockState::inactive;
  blocks_[address].requested = 0;
  record(Action::free_completed, address, requested);
  merge(blocks_.find(address));
}

void ToyAllocator::merge(Blocks::iterator block) {
  const auto joins = [](Blocks::iterator a, Blocks::iterator b) {
    return b->second.state == BlockState::inactive && a->second.state == BlockState::inactive &&
           a->second.segment == b->second.segment && a->first + a->second.size == b->first;
  };
  const auto next = std::next(block);
  if (next != blocks_.end() && joins(block, next)) {
    block->second.size += next->second.size;
    blocks_.erase(next);
  }
  if (block != blocks_.begin() && joins(std::prev(block), block)) {
    std::prev(block)->second.size += block->second.size;
    blocks_.erase(block);
  }
}

void ToyAllocator::empty_cache() {
  std::vector<uint64_t> starts;
  for (const auto& [start, block] : blocks_) starts.push_back(start);
  for (const uint64_t start : starts) {
    const ToyBlock block = blocks_[start];
    if (block.state != BlockState::inactive) continue;
    const auto next = blocks_.upper_bound(start);
    if (!expandable_) {
      const bool whole = start == block.segment && (next == blocks_.end() || next->second.segment != block.segment);
      if (!whole) continue;
      blocks_.erase(start);
      record(Action::segment_free, start, block.size);
      continue;
    }
    const uint64_t page = is_small(block.segment) ? kSmallPage : kLargePage;
    const uint64_t from = round_up(start - block.segment, page) + block.segment;
    const uint64_t to = (start + block.size - block.segment) / page * page + block.segment;
    if (from >= to) continue;
    blocks_.erase(start);
    if (from > start) blocks_[start] = ToyBlock{from - start, 0, block.segment, BlockState::inactive};
    if (to < start + block.size) blocks_[to] = ToyBlock{start + block.size - to, 0, block.segment, BlockState::inactive};
    record(Action::segment_unmap, from, to - from);
  }
}

void ToyAllocator::run(int steps) {
  for (int i = 0; i < steps; ++i) {
    const unsigned what = random_() % 100;
    if (what < 50) {
      const uint64_t limit = random_() % 3 ? 2 * kMiB : 30 * kMiB;
      allocate(1 + random_() % limit);
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
  out.streams.push_back(0);
  out.pools.push_back({});
  out.has_traces_key = true;
  out.traces.resize(1);
  for (size_t i = dropped; i < events_.size(); ++i) {
    auto& trace = out.traces[0];
    trace.action.push_back(static_cast<uint8_t>(events_[i].action));
    trace.address.push_back(events_[i].address);
    trace.size.push_back(events_[i].size);
    trace.stream.push_back(0);
    trace.pool.push_back(0xFFFF);
    trace.time_us.push_back(tidemark::kNoTime);
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
      segment.pool = 0;
      segment.is_large = !is_small(block.segment);
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
