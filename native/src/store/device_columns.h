// What the viewport queries read of one device: loaded part by part from the index when first asked for, then kept in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "replay/curves.h"
#include "replay/reservations.h"
#include "store/packed_column.h"

namespace tidemark {

// Events of allocations as they are stored.
inline constexpr int64_t kBefore = -1;       // made, or its free requested, before the first event
inline constexpr int64_t kNever = kNoEvent;  // not freed in the capture

// Parts of DeviceColumns, as bits. Most questions need some only, and the large ones take tens of milliseconds.
inline constexpr unsigned kTimesPart = 1;        // time_ns
inline constexpr unsigned kAllocatedPart = 2;    // curve[kAllocated] and the levels of the program's curves
inline constexpr unsigned kCurvesPart = 4;       // active, reserved, requested
inline constexpr unsigned kAllocationsPart = 8;  // allocations and stack_slot
inline constexpr unsigned kEveryPart = 15;       // what range_stats reads
inline constexpr unsigned kSpaceCurvesPart = 16;  // the curves from kInactiveSplit on, and their levels
inline constexpr unsigned kBlocksPart = 32;       // address, free_completed, requested and reservations

// Min and max of the curves over 64^level events, and where allocated is largest (first such event).
struct CurveLevel {
  std::vector<int64_t> min[kCurveCount];
  std::vector<int64_t> max[kCurveCount];
  std::vector<uint32_t> rep;  // event of the largest allocated
};

struct DeviceColumns {
  unsigned parts = kEveryPart;       // those that are loaded; the columns of the others are empty
  int32_t device = 0;
  size_t event_count = 0;
  bool has_times = false;
  bool is_of_trace = false;          // it has no segments and blocks
  PackedColumn time_ns;              // event_count values, non-decreasing, or empty
  PackedColumn curve[kCurveCount];   // after each event
  int64_t start[kCurveCount] = {};   // before the first event
  int64_t peak_event = kBefore;      // first event of the largest allocated
  std::vector<CurveLevel> levels;    // levels[k] covers 64^(k+1) events an item

  // Allocations in order of alloc_event; those made before the first event come first, in address order.
  int64_t first_allocation_id = 0;          // allocation_id = first_allocation_id + index
  size_t allocation_count = 0;              // in the index, also while the part is not loaded
  size_t reservation_count = 0;             // likewise
  std::vector<int32_t> alloc_event;         // −1 = before the first event
  std::vector<uint32_t> free_requested;     // kNever as 0xFFFFFFFF; before the first event as event 0, see is_pending_before
  std::vector<uint8_t> pending_before;      // by allocation up to the last such: 1 = free requested before the first event
  std::vector<uint64_t> size;               // rounded bytes
  PackedColumn stack;                       // stack_id, −1 none
  PackedColumn stream;                      // index into the capture's streams
  PackedColumn pool;                        // index into the capture's pools, −1 unknown
  std::vector<uint8_t> stack_slot;          // color slot by stack_id (all stacks of the capture)
  std::vector<uint64_t> address;            // kBlocksPart
  std::vector<uint32_t> free_completed;     // kBlocksPart; kNever as 0xFFFFFFFF
  PackedColumn requested;                   // kBlocksPart; bytes asked for
  std::vector<Reservation> reservations;    // kBlocksPart; by address, then map_event

  // Whether an allocation's free was requested before the first event: it is pending then, and alive after no event.
  bool is_pending_before(size_t allocation) const { return allocation < pending_before.size() && pending_before[allocation] != 0; }
};

}  // namespace tidemark
