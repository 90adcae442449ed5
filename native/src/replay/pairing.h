// Matches the events of one device by address: which allocation each one opens, gives back or closes (native/README.md, Replay).
#pragma once

#include "model/progress.h"
#include "replay/allocations.h"

namespace tidemark {

// The final blocks of one device that are not inactive, ascending by address; they name what was there from the start.
struct FinalBlock {
  uint64_t address = 0;
  uint64_t size = 0;
  uint64_t requested = 0;
  uint32_t stack = kNone;
  bool has_frames = false;  // of the stack
  uint16_t stream = kNoStream;
  bool pending = false;
};

// Pairs `trace`. `final_blocks` may be empty when the file has no segments for the device (`has_final` false): then nothing
// is concluded from a block's absence. Stops early, with a useless result, once `progress.cancel` is set.
PairedTrace pair_events(const DeviceTrace& trace, const std::vector<FinalBlock>& final_blocks, bool has_final,
                        const Progress& progress);

}  // namespace tidemark
