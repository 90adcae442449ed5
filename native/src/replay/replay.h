// The whole replay of one device: pairing, exact block sizes, curves.
#pragma once

#include "replay/allocator_rules.h"
#include "replay/curves.h"
#include "replay/reservations.h"

namespace tidemark {

struct DeviceReplay {
  PairedTrace paired;    // allocations with every column filled
  CurveSummary curves;
  std::vector<Reservation> reservations;  // by address, then map_event
  bool exact = false;    // the replay's end equals the file's final segments block for block
};

// Devices that have an event or a segment, ascending.
std::vector<int32_t> devices_of(const Snapshot& snapshot);

// The events of `device`; empty where the file has none for it.
const DeviceTrace& device_trace(const Snapshot& snapshot, int32_t device);

// Replays `device`, handing the curves to `sink`. Where the exact layout cannot be rebuilt, sizes are rounded from the
// events and the finding `replay/approximate` says so. Findings are added to the result's paired.findings.
DeviceReplay replay_device(const Snapshot& snapshot, int32_t device, const AllocatorRules& rules, const CurveSink& sink,
                           const Progress& progress);

}  // namespace tidemark
