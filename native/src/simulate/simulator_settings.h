// The allocator's settings that the simulator knows, read from the text of PYTORCH_CUDA_ALLOC_CONF.
#pragma once

#include <string>
#include <string_view>

#include "model/failure.h"
#include "replay/allocator_rules.h"

namespace tidemark {

struct SimulatorSettings {
  AllocatorRules rules;
  double gc_threshold = 0;  // share of the allowed memory above which cached blocks are given back; 0 = off
};

// Changes those settings that `text` names (`name:value,…`, as PyTorch reads it: blanks do not count, roundup_power2_divisions may be a
// list `[256:1,512:2,>:4]`). Settings that do not change where memory lies (pinned_*, release_lock_on_cudamalloc, …) are accepted and
// ignored. The item `default` stands for PyTorch's own values of all settings. `query/bad_argument`, which names the setting, for unknown ones and for values that PyTorch refuses.
Failure apply_settings(std::string_view text, SimulatorSettings& settings);

}  // namespace tidemark
