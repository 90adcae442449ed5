// Matches the events of one device by address: which allocation each one opens, gives back or closes (torch-snapshot.md 2.3).
#pragma once

#include "readers/read_snapshot.h"
#include "replay/allocations.h"

namespace tidemark {

// The final blocks of one device that are not inactive, ascending by address; they name what was there from the start.
struct FinalBlock {
  uint64_t address = 0;
  uint64_t size = 0;
  uint64_t requested = 0;
  uint32_t stack = kNone;
  uint16_t stream = 0;
  bool pending = false;
};

// Pairs `trace`. `final_blocks` may be empty when the file has no segments for the device (`has_final` false): then nothing
// is concluded from a block's absence. Stops early, with a useless result, once `progress.cancel` is set.
PairedTrace pair_events(const DeviceTrace& trace, const std::vector<FinalBlock>& final_blocks, bool has_final,
                        const Progress& progress);

}  // namespace tidemark
