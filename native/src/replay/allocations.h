// What the replay makes of one device: its allocations (every life of an address), and which event touches which.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/snapshot.h"

namespace tidemark {

inline constexpr uint32_t kNoEvent = 0xFFFFFFFFu;       // a free event that the capture does not have
inline constexpr uint32_t kNoAllocation = 0xFFFFFFFFu;  // an event that touches no allocation

// What is unusual about one allocation. The values are stored: append only.
enum AllocationMark : uint8_t {
  kStackOfFree = 1,  // the stack is that of its free: it was made before the first event
  kMadeUnseen = 2,   // no event made it: a block of the final state whose address the history shows as free
};

// Struct of arrays, one item an allocation: those made before the first event first, by address, then by alloc_event.
// kMadeUnseen ones come last: they are known to be there after the last event, and nothing says since when.
struct AllocationTable {
  Column<uint64_t> address;
  Column<uint64_t> requested;        // bytes asked for
  Column<uint64_t> size;             // bytes of the block (rounded)
  Column<int32_t> alloc_event;       // −1 = before the first event; the last event for kMadeUnseen
  Column<uint32_t> free_requested;   // kNoEvent = not in the capture
  Column<uint32_t> free_completed;   // kNoEvent = not in the capture
  Column<uint32_t> version;          // n-th use of the address, from 0
  Column<uint32_t> stack;            // of the allocation, else of its block at the end, else of its free; kNone
  Column<uint8_t> marks;             // AllocationMark bits
  Column<uint16_t> stream;           // index into Snapshot::streams, or kNoStream
  Column<uint16_t> pool;             // index into Snapshot::pools, or kNoPool
  Column<uint64_t> segment_address;  // start of the segment that held it; 0 = unknown
  size_t before_count = 0;           // allocations made before the first event

  size_t count() const { return address.size(); }
};

// What one allocation that was made before the first event is known by.
struct EarlyAllocation {
  uint64_t address = 0;
  uint64_t requested = 0;
  uint64_t size = 0;  // true bytes when the block is still there at the end; 0 = to be rounded from `requested`
  uint32_t free_requested = kNoEvent;
  uint32_t free_completed = kNoEvent;
  uint32_t stack = kNone;
  uint8_t marks = 0;
  uint16_t stream = kNoStream;
  bool pending = false;  // its free was requested before the first event
};

// An allocation that ends at `event` although the file has no free for it.
struct ImplicitClose {
  uint32_t event = 0;
  uint32_t allocation = kNoAllocation;
};

// Events matched with the allocations they open, give back and close.
struct PairedTrace {
  AllocationTable allocations;
  std::vector<uint8_t> pending_before;        // by allocation < before_count: free was requested before the first event
  Column<uint32_t> event_allocation;          // by event: allocation index or kNoAllocation
  std::vector<ImplicitClose> implicit_closes;  // ascending by event
  size_t unseen_count = 0;                     // kMadeUnseen allocations: the last ones of the table
  std::vector<Finding> findings;
};

}  // namespace tidemark
