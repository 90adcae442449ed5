// The layout of a device's memory after an event: segments, the active blocks in them, and the gaps between these, each of
// which is one free block, since free neighbors of a segment always merge.
#pragma once

#include <memory>

#include "query/block_history.h"

namespace tidemark {

// Bytes and counts of one segment, or of many.
struct SpaceTotals {
  uint64_t reserved = 0;
  uint64_t allocated = 0;      // held by the program
  uint64_t active = 0;         // allocated, and pending frees
  uint64_t requested = 0;      // asked for, of active blocks
  uint64_t free = 0;           // reserved − active
  uint64_t largest_free = 0;   // largest free block
  uint64_t inactive_split = 0;  // free bytes of non-expandable segments of more than one block
  uint64_t returnable = 0;     // free bytes that emptying the cache gives back
  uint64_t blocks = 0;         // of any state
  uint64_t free_blocks = 0;

  void add(const SpaceTotals& other);
};

// A block that the program holds, or that waits for the completion of its free.
struct ActiveBlock {
  uint64_t address = 0;
  uint64_t size = 0;   // bytes; where the device is not exact, cut at the next block and at the segment's end
  uint32_t place = 0;  // in BlockHistory
  bool is_pending = false;
};

struct LayoutSegment {
  uint64_t address = 0;
  uint32_t first_block = 0;  // of BlockLayout::blocks, half-open
  uint32_t block_end = 0;
  int32_t stream = -1;       // index into the capture's streams, −1 unknown
  int32_t pool = -1;         // index into the capture's pools, −1 unknown
  bool is_small = false;
  bool is_expandable = false;
  uint64_t largest_free_offset = 0;  // of the first of the largest free blocks, from the segment's start
  SpaceTotals totals;                // totals.reserved = bytes of the segment

  uint64_t end() const { return address + totals.reserved; }
};

enum class SegmentOrder { address, size, occupancy, pool };
inline constexpr int kSegmentOrders = 4;

struct BlockLayout {
  std::shared_ptr<const BlockHistory> history;
  int64_t event = -1;                   // −1 = before the first
  std::vector<ActiveBlock> blocks;      // by address, disjoint
  std::vector<LayoutSegment> segments;  // by address, disjoint
  SpaceTotals totals;

  const DeviceColumns& columns() const { return *history->columns; }
  uint32_t moment() const { return moment_after(event); }

  // Forgets everything; the memory stays for the next event.
  void clear();

  // Segments in an order (native/README.md, block_segments), as indices; made at the first call.
  const std::vector<uint32_t>& order(SegmentOrder by) const;

  // The segment that contains `address`, nullptr when none does.
  const LayoutSegment* segment_at(uint64_t address) const;

 private:
  mutable std::vector<uint32_t> orders_[kSegmentOrders];
};

// Lays the device out after `event` (−1 … event_count − 1). Overlaps of a device that is not exact are cut; an allocation
// outside every segment gets a segment of its own. `query/cancelled` when stopped.
Failure lay_out(const std::shared_ptr<const BlockHistory>& history, int64_t event, const StopSignal& stop, BlockLayout& out);

// One block as visit_blocks shows it.
struct SpaceBlock {
  uint64_t address = 0;
  uint64_t size = 0;
  const ActiveBlock* active = nullptr;  // nullptr = free

  BlockState state() const {
    if (!active) return BlockState::inactive;
    return active->is_pending ? BlockState::active_pending_free : BlockState::active_allocated;
  }
};

// Bytes asked for, of those that the block still has where it was cut; 0 when free.
uint64_t requested_bytes(const BlockLayout& layout, const SpaceBlock& block);

// The first active block of `segment` that ends above `address`; segment.block_end when there is none.
uint32_t first_block_above(const BlockLayout& layout, const LayoutSegment& segment, uint64_t address);

// Calls visit(SpaceBlock) for every block of `segment` that has bytes in [from, to), in address order.
template <class Visit>
void visit_blocks(const BlockLayout& layout, const LayoutSegment& segment, uint64_t from, uint64_t to, Visit&& visit) {
  uint32_t next = first_block_above(layout, segment, from);
  uint64_t at = next == segment.first_block ? segment.address : layout.blocks[next - 1].address + layout.blocks[next - 1].size;
  for (; next < segment.block_end && at < to; ++next) {
    const ActiveBlock& block = layout.blocks[next];
    if (block.address > at && block.address > from) visit(SpaceBlock{at, block.address - at, nullptr});
    at = block.address + block.size;
    if (block.address < to) visit(SpaceBlock{block.address, block.size, &block});
  }
  if (next == segment.block_end && at < to && at < segment.end() && segment.end() > from) {
    visit(SpaceBlock{at, segment.end() - at, nullptr});
  }
}

template <class Visit>
void visit_blocks(const BlockLayout& layout, const LayoutSegment& segment, Visit&& visit) {
  visit_blocks(layout, segment, segment.address, segment.end(), visit);
}

}  // namespace tidemark
