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
  SimulationOutcome outcome;
  bool is_certain = true;  // all capacities and failed requests that explain the recording fail at the same event, or none does
};

// Runs the recording under `settings`. `own`: those it was recorded under; `given`: bytes of a cap on the process, in place of what the
// recording tells. `query/cancelled` when stopped.
Failure what_if(const Recording& recording, const SimulatorSettings& own, const SimulatorSettings& settings, std::optional<uint64_t> given,
                const StopSignal& stop, WhatIf& out);

std::string to_json(const WhatIf& answer);

}  // namespace tidemark
