// What the ops of a trace did with memory (native/TRACES.md, op_memory): what PyTorch's profiler calls self_cuda_memory_usage and
// cuda_memory_usage.
#pragma once

#include <cstdint>
#include <vector>

#include "query/slice_tree.h"
#include "store/device_columns.h"

namespace tidemark {

// The events of a device that op_memory() reads, one item an event.
struct MemoryEvents {
  std::vector<int64_t> bytes;   // > 0 allocation, < 0 free, 0 for what is neither
  std::vector<int64_t> slice;   // innermost slice, −1 none
};

struct OpMemory {
  int64_t name = -1;             // string_id
  uint64_t calls = 0;            // in which, or in whose children, an event of the range lies
  uint64_t allocations = 0;      // made by the op itself
  int64_t self_bytes = 0;        // allocated less freed, without its children
  int64_t total_bytes = 0;       // and with them
  int64_t freed_inside_bytes = 0;  // freed while it ran, its children included
  int64_t kept_bytes = 0;        // of its own allocations, those alive after the range
  int64_t largest_bytes = 0;     // of its own allocations
};

struct OpMemories {
  std::vector<OpMemory> rows;  // by self_bytes, largest first, then total_bytes, then name
  int64_t outside_bytes = 0;   // of events outside any op
};

// Over events [from, to) of a device with kAllocationsPart. `query/cancelled` when stopped.
Failure op_memory(const SliceTree& tree, const MemoryEvents& events, const DeviceColumns& device, size_t from, size_t to,
                  const StopSignal& stop, OpMemories& out);

}  // namespace tidemark
