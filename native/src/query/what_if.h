// What a recorded program would have met under other settings of the allocator (native/README.md, What if).
#pragma once

#include <optional>
#include <string>

#include "query/recording.h"
#include "simulate/simulate.h"

namespace tidemark {

struct WhatIf {
  SimulatorSettings settings;
  Capacity recorded;      // what the recording tells
  bool is_given = false;  // the capacity comes from the caller
  Limit limit = Limit::none;
  uint64_t capacity = kUnlimited;
  std::optional<FailedRequest> loose_request;  // the first failed request whose bytes the recording does not tell
  SimulationOutcome outcome;
  // Whether another capacity, other bytes of the failed request, or both together, which explain the recording as well, lead to a failure
  // at another event, or to none.
  bool depends_on_capacity = false;
  bool depends_on_request = false;
  // Reserved peaks over all that were tried.
  uint64_t least_peak = 0;
  uint64_t most_peak = 0;
};

// Runs the recording under `settings`. `own`: those it was recorded under; `given`: bytes of a cap on the process, in place of what the
// recording tells. `query/cancelled` when stopped.
Failure what_if(const Recording& recording, const SimulatorSettings& own, const SimulatorSettings& settings, std::optional<uint64_t> given,
                const StopSignal& stop, WhatIf& out);

std::string to_json(const WhatIf& answer);

}  // namespace tidemark
