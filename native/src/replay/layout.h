// The allocator's blocks, replayed forward event by event: which free block each allocation takes, how much of it, and what
// merges when it comes back (native/README.md, Replay). Constant time an event.
#pragma once

#include "model/progress.h"
#include "replay/allocations.h"
#include "replay/allocator_rules.h"
#include "replay/ranges.h"

namespace tidemark {

struct LayoutInput {
  const DeviceTrace* trace = nullptr;
  const std::vector<const Segment*>* segments = nullptr;  // final, ascending by address
  const std::map<uint64_t, ReservedRange>* start_ranges = nullptr;
  const AllocatorRules* rules = nullptr;
};

// Replays `paired` and fills its allocations' size and segment_address. Answers whether the end equals the final segments
// block for block; when it does not, what it filled is to be thrown away.
bool replay_layout(const LayoutInput& input, PairedTrace& paired, const Progress& progress);

}  // namespace tidemark
