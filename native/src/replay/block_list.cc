#include "replay/block_list.h"

#include <algorithm>

namespace tidemark {
namespace {

// Unmaps look for their block along the run. Real captures need a few thousand steps; a file made to need more than this
// is not worth an exact answer.
constexpr uint64_t kMaxSearchSteps = 50'000'000;

}  // namespace

uint32_t BlockList::new_block(const ReplayBlock& block) {
  bool inserted;
  uint32_t& slot = by_address_.at_or_insert(block.address, inserted);
  if (!inserted) return kNoBlock;
  if (unused_.empty()) {
    slot = static_cast<uint32_t>(blocks_.size());
    blocks_.push_back(block);
  } else {
    slot = unused_.back();
    unused_.pop_back();
    blocks_[slot] = block;
  }
  return slot;
}

void BlockList::drop_block(uint32_t block) {
  by_address_.erase(blocks_[block].address);
  unused_.push_back(block);
}

uint32_t BlockList::at(uint64_t address) {
  const uint32_t* found = by_address_.find(address);
  return found ? *found : kNoBlock;
}

uint32_t BlockList::root_range(uint32_t range) {
  while (ranges_[range].parent != range) {
    ranges_[range].parent = ranges_[ranges_[range].parent].parent;
    range = ranges_[range].parent;
  }
  return range;
}

// Records the last block of a mapped run, which a later map next to it must find.
void BlockList::set_end(uint32_t block) {
  const ReplayBlock& b = blocks_[block];
  if (b.is_expandable && b.next == kNoBlock) expandable_ends_[b.address + b.size] = block;
}

uint32_t BlockList::add_range(uint64_t address, uint64_t size, uint16_t stream, bool is_expandable) {
  if (size == 0 || address + size < address) return kNoBlock;
  ReplayBlock block;
  block.address = address;
  block.size = size;
  block.range = static_cast<uint32_t>(ranges_.size());
  block.is_expandable = is_expandable;
  const uint32_t index = new_block(block);
  if (index == kNoBlock) return kNoBlock;
  ranges_.push_back({address, block.range, stream});
  if (is_expandable) {
    any_expandable_ = true;
    join_expandable(index);
  }
  return index;
}

void BlockList::join_expandable(uint32_t index) {
  ReplayBlock& block = blocks_[index];
  const uint16_t stream = ranges_[block.range].stream;
  const auto join = [&](uint32_t before, uint32_t after) {
    const uint32_t low = root_range(blocks_[before].range);
    const uint32_t high = root_range(blocks_[after].range);
    ranges_[high].parent = low;
    ranges_[low].address = std::min(ranges_[low].address, ranges_[high].address);
    blocks_[before].next = after;
    blocks_[after].previous = before;
  };
  const auto left = expandable_ends_.find(block.address);
  if (left != expandable_ends_.end() && ranges_[root_range(blocks_[left->second].range)].stream == stream) {
    const uint32_t before = left->second;
    expandable_ends_.erase(left);
    join(before, index);
  }
  const uint32_t right = at(block.address + block.size);
  if (right != kNoBlock && blocks_[right].is_expandable && blocks_[right].previous == kNoBlock &&
      ranges_[root_range(blocks_[right].range)].stream == stream) {
    join(index, right);
  }
  set_end(index);
  release(index);
}

bool BlockList::remove_range(uint64_t address, uint64_t size) {
  const uint32_t block = at(address);
  if (block == kNoBlock) return false;
  const ReplayBlock& b = blocks_[block];
  if (b.state != BlockState::inactive || b.size != size || b.is_expandable) return false;
  if (b.previous != kNoBlock || b.next != kNoBlock) return false;
  drop_block(block);
  return true;
}

uint32_t BlockList::free_block_over(uint64_t address) {
  uint32_t block = at(address);
  if (block == kNoBlock) {
    const auto run = expandable_ends_.upper_bound(address);
    if (run == expandable_ends_.end()) return kNoBlock;
    block = run->second;
    while (block != kNoBlock && blocks_[block].address > address) {
      if (++search_steps_ > kMaxSearchSteps) return kNoBlock;
      block = blocks_[block].previous;
    }
  }
  return block != kNoBlock && blocks_[block].state == BlockState::inactive ? block : kNoBlock;
}

bool BlockList::unmap(uint64_t address, uint64_t size) {
  const uint32_t block = free_block_over(address);
  if (block == kNoBlock || !blocks_[block].is_expandable) return false;
  const ReplayBlock whole = blocks_[block];
  const uint64_t offset = address - whole.address;
  if (size == 0 || offset > whole.size || size > whole.size - offset) return false;
  const uint64_t rest = whole.size - offset - size;
  if (whole.next == kNoBlock) expandable_ends_.erase(whole.address + whole.size);

  uint32_t last_before = whole.previous;
  if (offset > 0) {
    blocks_[block].size = offset;
    last_before = block;
  } else {
    drop_block(block);
  }
  if (last_before != kNoBlock) {
    blocks_[last_before].next = kNoBlock;
    set_end(last_before);
  }
  uint32_t first_after = whole.next;
  if (rest > 0) {
    ReplayBlock tail = whole;
    tail.address = address + size;
    tail.size = rest;
    first_after = new_block(tail);
    if (first_after == kNoBlock) return false;
    if (whole.next != kNoBlock) blocks_[whole.next].previous = first_after;
    set_end(first_after);
  }
  if (first_after != kNoBlock) blocks_[first_after].previous = kNoBlock;
  return true;
}

void BlockList::split(uint32_t block, uint64_t size) {
  ReplayBlock rest = blocks_[block];
  rest.address += size;
  rest.size -= size;
  rest.previous = block;
  rest.state = BlockState::inactive;
  const uint32_t index = new_block(rest);
  if (index == kNoBlock) return;
  blocks_[block].size = size;
  blocks_[block].next = index;
  if (rest.next != kNoBlock) {
    blocks_[rest.next].previous = index;
  } else {
    set_end(index);
  }
}

void BlockList::grow(uint32_t block, uint64_t bytes) {
  const uint32_t next = blocks_[block].next;
  by_address_.erase(blocks_[next].address);
  blocks_[block].size += bytes;
  blocks_[next].address += bytes;
  blocks_[next].size -= bytes;
  bool inserted;
  by_address_.at_or_insert(blocks_[next].address, inserted) = next;
}

// Joins a block with the free block after it, which disappears.
uint32_t BlockList::merge_with_next(uint32_t block) {
  ReplayBlock& b = blocks_[block];
  const uint32_t next = b.next;
  b.size += blocks_[next].size;
  b.next = blocks_[next].next;
  if (b.next != kNoBlock) {
    blocks_[b.next].previous = block;
  } else {
    set_end(block);
  }
  drop_block(next);
  return block;
}

void BlockList::release(uint32_t block) {
  blocks_[block].state = BlockState::inactive;
  const uint32_t next = blocks_[block].next;
  if (next != kNoBlock && blocks_[next].state == BlockState::inactive) merge_with_next(block);
  const uint32_t previous = blocks_[block].previous;
  if (previous != kNoBlock && blocks_[previous].state == BlockState::inactive) merge_with_next(previous);
}

}  // namespace tidemark
