// What a capture recorded of one device, as the simulator reads it.
#pragma once

#include <cstdint>
#include <vector>

#include "query/query_error.h"

namespace tidemark {

// A block of a state of the recording that is not free.
struct RecordedBlock {
  uint64_t address = 0;
  uint64_t size = 0;
  uint32_t allocation = 0;
  bool is_pending = false;
};

struct RecordedSegment {
  uint64_t address = 0;
  uint64_t size = 0;
  int32_t stream = 0;
  int32_t pool = 0;  // 0 = the default pool
  bool is_small = false;
  bool is_expandable = false;
  std::vector<RecordedBlock> blocks;  // by address, disjoint
};

// Segments by address, disjoint.
using RecordedLayout = std::vector<RecordedSegment>;

enum class DriverAction : uint8_t { alloc, free, map, unmap, oom };

// One event between the allocator and the driver, or its failure.
struct DriverCall {
  uint32_t event = 0;
  DriverAction action = DriverAction::alloc;
  uint64_t address = 0;
  uint64_t bytes = 0;         // oom: the rounded request
  int64_t device_free = -1;   // oom only
  int64_t stack = -1;         // −1 = none
  int32_t stream = 0;
  int32_t pool = 0;           // of what is given back
};

struct RecordedAllocation {
  uint64_t requested = 0;
  uint32_t alloc_event = 0;  // where is_early is false
  uint32_t free_requested = UINT32_MAX;
  uint32_t free_completed = UINT32_MAX;
  int32_t stream = 0;
  int32_t pool = 0;
  bool is_early = false;        // made before the first event
  bool is_freed_early = false;  // its free was requested before the first event
};

struct Recording {
  uint32_t event_count = 0;
  std::vector<RecordedAllocation> allocations;  // early ones first, then by alloc_event
  std::vector<DriverCall> calls;                // ascending by event
  std::vector<int64_t> allocated;               // after each event
  RecordedLayout start;                         // before the first event
  RecordedLayout end;                           // after the last
};

}  // namespace tidemark
