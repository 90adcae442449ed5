#include "replay/block_list.h"

#include <algorithm>

#include "replay/allocator_rules.h"

namespace tidemark {
namespace {

// Unmaps look for their block along the run. Real captures need a few thousand steps; a file made to need more than this
// is not worth an exact answer.
constexpr uint64_t kMaxSearchSteps = 50'000'000;

constexpr size_t kLeastHeap = 1024;  // outdated entries that never matter

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
  blocks_[block].size = 0;  // so that nothing takes it for a free block
  unused_.push_back(block);
}

// Free bytes that emptying the cache gives back: a segment of this one block, or the whole pages inside the block.
int64_t BlockList::returnable(const ReplayBlock& block) const {
  if (!block.is_expandable) return block.previous == kNoBlock && block.next == kNoBlock ? static_cast<int64_t>(block.size) : 0;
  const Range& range = ranges_[block.range];  // begins with a page, as every range that joined it does
  const uint64_t offset = block.address - range.address;
  const uint64_t lead = (range.page - offset % range.page) % range.page;
  return lead < block.size ? static_cast<int64_t>((block.size - lead) / range.page * range.page) : 0;
}

void BlockList::count_free(const ReplayBlock& block, int sign) {
  const int64_t returned = returnable(block);
  space_.blocks += sign;
  space_.returnable += sign * returned;
  if (!block.is_expandable && returned == 0) space_.inactive_split += sign * static_cast<int64_t>(block.size);
}

// Counts a free block in, once its size and neighbors are settled. That it has neighbors does not change while it is free.
void BlockList::note_free(uint32_t block) {
  count_free(blocks_[block], 1);
  sized_.push_back({blocks_[block].size, block});
  std::push_heap(sized_.begin(), sized_.end());
}

void BlockList::forget_free(uint32_t block) {
  count_free(blocks_[block], -1);
}

uint64_t BlockList::largest_free() {
  if (sized_.size() > 2 * blocks_.size() + kLeastHeap) {  // mostly outdated: made anew, at a constant cost a push
    sized_.clear();
    for (uint32_t i = 0; i < blocks_.size(); ++i) {
      if (blocks_[i].state == BlockState::inactive && blocks_[i].size > 0) sized_.push_back({blocks_[i].size, i});
    }
    std::make_heap(sized_.begin(), sized_.end());
  }
  while (!sized_.empty()) {
    const SizedBlock top = sized_.front();
    const ReplayBlock& block = blocks_[top.block];
    if (block.state == BlockState::inactive && block.size == top.size) return top.size;
    std::pop_heap(sized_.begin(), sized_.end());
    sized_.pop_back();
  }
  return 0;
}

FreeSpace BlockList::free_space() {
  FreeSpace out = space_;
  out.largest = static_cast<int64_t>(largest_free());
  return out;
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

uint32_t BlockList::add_range(const NewRange& range) {
  if (range.size == 0 || range.address + range.size < range.address) return kNoBlock;
  ReplayBlock block;
  block.address = range.address;
  block.size = range.size;
  block.range = static_cast<uint32_t>(ranges_.size());
  block.is_expandable = range.is_expandable;
  const uint32_t index = new_block(block);
  if (index == kNoBlock) return kNoBlock;
  ranges_.push_back({range.address, range.is_small ? kSmallPage : kLargePage, block.range, range.stream});
  if (range.is_expandable) {
    any_expandable_ = true;
    join_expandable(index);
  } else {
    note_free(index);
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
  forget_free(block);
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
  forget_free(block);
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
  if (offset > 0) note_free(block);
  uint32_t first_after = whole.next;
  if (rest > 0) {
    ReplayBlock tail = whole;
    tail.address = address + size;
    tail.size = rest;
    first_after = new_block(tail);
    if (first_after == kNoBlock) return false;
    if (whole.next != kNoBlock) blocks_[whole.next].previous = first_after;
    set_end(first_after);
    note_free(first_after);
  }
  if (first_after != kNoBlock) blocks_[first_after].previous = kNoBlock;
  return true;
}

// Cuts a block behind its first `size` bytes. The free block that the rest is now, or kNoBlock where a block starts there.
uint32_t BlockList::cut(uint32_t block, uint64_t size) {
  ReplayBlock rest = blocks_[block];
  rest.address += size;
  rest.size -= size;
  rest.previous = block;
  rest.state = BlockState::inactive;
  const uint32_t index = new_block(rest);
  if (index == kNoBlock) return kNoBlock;
  blocks_[block].size = size;
  blocks_[block].next = index;
  if (rest.next != kNoBlock) {
    blocks_[rest.next].previous = index;
  } else {
    set_end(index);
  }
  return index;
}

void BlockList::split(uint32_t block, uint64_t size) {
  forget_free(block);
  const uint32_t rest = cut(block, size);
  note_free(block);
  if (rest != kNoBlock) note_free(rest);
}

void BlockList::take(uint32_t block, uint64_t size, BlockState state) {
  forget_free(block);
  const uint32_t rest = size < blocks_[block].size ? cut(block, size) : kNoBlock;
  blocks_[block].state = state;
  if (rest != kNoBlock) note_free(rest);
}

void BlockList::grow(uint32_t block, uint64_t bytes) {
  const uint32_t next = blocks_[block].next;
  forget_free(next);
  by_address_.erase(blocks_[next].address);
  blocks_[block].size += bytes;
  blocks_[next].address += bytes;
  blocks_[next].size -= bytes;
  bool inserted;
  by_address_.at_or_insert(blocks_[next].address, inserted) = next;
  note_free(next);
}

// Joins a block with the free block after it, which disappears.
void BlockList::merge_with_next(uint32_t block) {
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
}

void BlockList::release(uint32_t block) {
  blocks_[block].state = BlockState::inactive;
  const uint32_t next = blocks_[block].next;
  if (next != kNoBlock && blocks_[next].state == BlockState::inactive) {
    forget_free(next);
    merge_with_next(block);
  }
  const uint32_t previous = blocks_[block].previous;
  if (previous != kNoBlock && blocks_[previous].state == BlockState::inactive) {
    forget_free(previous);
    merge_with_next(previous);
    block = previous;
  }
  note_free(block);
}

}  // namespace tidemark
