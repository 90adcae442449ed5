// The replay of every device, packed as it goes: curves with their coarser levels, allocations, colour slots.
#pragma once

#include <vector>

#include "replay/replay.h"
#include "store/event_times.h"
#include "store/piece_queue.h"

namespace tidemark {

// What the small tables need to know of one device's replay.
struct DeviceSummary {
  int32_t device = 0;
  size_t event_count = 0;
  CurveSummary curves;
  bool exact = false;
  int64_t first_allocation_id = 0;
  int64_t allocation_count = 0;
  int64_t never_freed_count = 0;
  int64_t no_stack_count = 0;
  int64_t reservation_count = 0;
  std::vector<Finding> findings;
};

// Replays every device of `snapshot` and pushes the pieces; counts events in `progress`. Does not close the queue.
std::vector<DeviceSummary> replay_all(const Snapshot& snapshot, const AllocatorRules& rules, PieceQueue& queue,
                                      Progress& progress);

}  // namespace tidemark
