// What is known of all allocations of one stack: how many, and how long the program usually holds one.
#pragma once

#include <cstdint>
#include <string>

#include "query/query_error.h"
#include "store/device_columns.h"

namespace tidemark {

struct SameStack {
  uint64_t count = 0;
  uint64_t timed = 0;             // of these with a known lifetime: made and asked back at known times
  int64_t median_lifetime_ns = 0; // of those; the lower one of two in the middle
};

// Allocations of `stack_id`, −1 = those without a stack; needs kAllocationsPart and kTimesPart. `query/cancelled` when stopped.
Failure same_stack(const DeviceColumns& device, int64_t stack_id, const StopSignal& stop, SameStack& out);

// `{"count": n, "median_lifetime_ns": n or null}`
std::string to_json(const SameStack& answer);

}  // namespace tidemark
