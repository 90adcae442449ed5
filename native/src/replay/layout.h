// The allocator's blocks, replayed forward event by event: which free block each allocation takes, how much of it, and what
// merges when it comes back (native/README.md, Replay). Nearly constant time an event.
#pragma once

#include "replay/reservations.h"
#include "replay/space_curves.h"

namespace tidemark {

struct LayoutInput {
  const DeviceTrace* trace = nullptr;
  const std::vector<const Segment*>* segments = nullptr;  // final, ascending by address; not for the approximate layout
  const std::map<uint64_t, ReservedRange>* start_ranges = nullptr;
  const ReservationHistory* reservations = nullptr;
  const AllocatorRules* rules = nullptr;
};

// Replays `paired`, fills its allocations' size and segment_address and adds every event to `curves`. Answers whether the end
// equals the final segments block for block; when it does not, what it filled and added is to be thrown away.
bool replay_layout(const LayoutInput& input, PairedTrace& paired, SpaceCurves& curves, const Progress& progress);

}  // namespace tidemark
