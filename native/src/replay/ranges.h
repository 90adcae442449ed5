// The address ranges that the allocator had reserved before the first event: the final segments with every segment event
// undone, last first.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "model/snapshot.h"

namespace tidemark {

struct ReservedRange {
  uint64_t size = 0;  // bytes
  uint16_t stream = 0;
  bool is_expandable = false;
};

struct StartRanges {
  std::map<uint64_t, ReservedRange> by_address;
  bool consistent = true;  // false: some segment event contradicts the final state; it was left out
};

// `segments` are the final segments of the device with their streams as indices; `segment_events` the indices of its segment_*
// events in ascending order.
StartRanges undo_segment_events(const DeviceTrace& trace, const std::vector<uint32_t>& segment_events,
                                const std::map<uint64_t, ReservedRange>& segments);

// The segment that contains `address`, or nullptr; `segments` ascend by address.
const Segment* segment_over(const std::vector<const Segment*>& segments, uint64_t address);

}  // namespace tidemark
