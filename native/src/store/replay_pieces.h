// The replay of every device, packed as it goes: curves with their coarser levels, allocations, color slots.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "replay/replay.h"
#include "store/event_times.h"
#include "store/piece_queue.h"

namespace tidemark {

// What the small tables need to know of one device's replay.
struct DeviceSummary {
  int32_t device = 0;
  std::string device_type = "cuda";
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

// Pushes the pieces of one device while replay(sink) runs, those of its curves as they come, and says what there is. `names` has the
// stacks of its allocations. Nothing but the device is said once `progress.cancel` is set.
using ReplayWork = std::function<DeviceReplay(const CurveSink&)>;
DeviceSummary push_replay(const Snapshot& names, int32_t device, int64_t first_allocation_id, const ReplayWork& replay,
                          PieceQueue& queue, const Progress& progress);

// Replays every device of `snapshot` and pushes the pieces; counts events in `progress`. Does not close the queue.
std::vector<DeviceSummary> replay_all(const Snapshot& snapshot, const AllocatorRules& rules, PieceQueue& queue,
                                      Progress& progress);

}  // namespace tidemark
