// The allocations that some pixel column shows, with the columns at which each enters and leaves.
#pragma once

#include <cstdint>
#include <vector>

#include "query/lifetimes.h"

namespace tidemark {

// Members are numbered in stack order; those that enter at column c are [entering[c], entering[c + 1]). Kept from query to
// query: the columns by member may be longer than `members`, since fresh memory costs more than all the rest.
struct VisibleAllocations {
  size_t members = 0;
  std::vector<uint32_t> allocation;      // by member: index of the allocation
  std::vector<uint64_t> bytes;           // by member: rounded bytes
  std::vector<uint32_t> gone_at;         // by member: the first column without it; the number of columns if there is none
  std::vector<uint32_t> entering;        // columns + 1
  std::vector<uint32_t> leaving;         // members ordered by gone_at
  std::vector<uint32_t> leaving_start;   // columns + 1: those gone at column c are leaving[start[c] … start[c + 1])
};

// `rep_event`: the event each column shows, non-decreasing. One pass over the allocations: an allocation is alive in the
// columns from the first with rep ≥ alloc_event to the last with rep < free_requested. `query/cancelled` when stopped.
Failure collect_visible(const Lifetimes& lifetimes, const std::vector<int64_t>& rep_event, const StopSignal& stop,
                           VisibleAllocations& out);

}  // namespace tidemark
