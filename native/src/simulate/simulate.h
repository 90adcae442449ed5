// A recorded program, run again through the simulated allocator.
#pragma once

#include "simulate/program.h"

namespace tidemark {

// Which of the bytes that a failed request may have been for are asked for.
enum class FailedBytes { likely, least, most };

struct SimulationOptions {
  SimulatorSettings settings;
  Limit limit = Limit::none;
  uint64_t capacity = kUnlimited;  // bytes
  FailedBytes failed_bytes = FailedBytes::likely;
};

struct SimulationOutcome {
  uint64_t reserved_peak = 0;
  uint64_t allocated_peak = 0;
  // After the last step, or at the failure that ended the run.
  uint64_t reserved = 0;
  uint64_t allocated = 0;
  uint64_t active = 0;
  uint64_t largest_free = 0;  // the largest free block
  uint64_t retries = 0;
  uint64_t failures = 0;
  int64_t failing_event = -1;  // of the first failure; −1 = none
  uint64_t failing_bytes = 0;  // asked for then
  int64_t last_event = -1;     // that was simulated
  bool is_same_layout = false;      // the end's segments and blocks are those of the recording, addresses aside
  int64_t first_difference = -1;    // first event after which other bytes are allocated than in the recording; −1 = none
};

// Runs the program. A failure where the recording has none ends the run: the program would have gone
// another way. Where the recording failed and the simulator does not, the memory is handed out, and taken back should the recording go on.
// `query/cancelled` when stopped.
Failure simulate(const Recording& recording, const Program& program, const SimulationOptions& options, const StopSignal& stop,
                 SimulationOutcome& out);

}  // namespace tidemark
