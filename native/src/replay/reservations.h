// The lives of stretches of reserved addresses, from the segment events and the final segments (native/README.md, Space).
#pragma once

#include "replay/allocations.h"
#include "replay/allocator_rules.h"
#include "replay/ranges.h"

namespace tidemark {

// One life of a stretch of reserved addresses.
struct Reservation {
  uint64_t address = 0;
  uint64_t size = 0;         // bytes
  int64_t map_event = -1;    // −1 = before the first event
  uint32_t unmap_event = kNoEvent;  // kNoEvent: still there at the end
  int32_t stream = -1;       // index into the capture's streams, −1 unknown
  int32_t pool = -1;         // index into the capture's pools, −1 unknown
  bool is_small = false;     // of the small pool
  bool is_expandable = false;

  // One past the last byte; a stored size may claim more bytes than there are addresses.
  uint64_t end() const { return size > UINT64_MAX - address ? UINT64_MAX : address + size; }
};

struct ReservationInput {
  const DeviceTrace* trace = nullptr;
  const std::vector<uint32_t>* segment_events = nullptr;   // indices of the segment_* events, ascending
  const std::vector<const Segment*>* segments = nullptr;   // final, ascending by address
  const std::map<uint64_t, ReservedRange>* start_ranges = nullptr;
  const AllocationTable* allocations = nullptr;            // those made before the first event are read
  const AllocatorRules* rules = nullptr;
  size_t pool_count = 0;                                   // of the capture
};

struct ReservationHistory {
  std::vector<Reservation> lives;       // by address, then map_event
  std::vector<uint8_t> start_is_small;  // by start range, ascending by address
  std::vector<uint8_t> event_is_small;  // by segment event: whether what it reserves is of the small pool
  std::vector<uint8_t> event_is_sound;  // by segment event: 0 where it contradicts those before it and was skipped
};

// Follows the segment events forward. An event that contradicts what is reserved is skipped, except that an unmap takes
// whatever expandable memory is mapped of its bytes. Pool and class are those that the events, the allocations and the final
// segments tell of a stretch or of one that lay beside it in its expandable segment. O(log n) an event.
ReservationHistory derive_reservations(const ReservationInput& input);

}  // namespace tidemark
