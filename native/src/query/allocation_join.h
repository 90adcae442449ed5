// Finds the allocations that two captures of one run both recorded (native/README.md, Joins): the same address, sizes that agree, and the same
// time once the difference of the clocks is known.
#pragma once

#include <cstdint>
#include <vector>

#include "query/query_error.h"

namespace tidemark {

// How far the clocks of two captures may be apart from what is given.
inline constexpr double kJoinSearchNs = 1e9;
// How far two records of one allocation may be apart once the clocks are aligned: a thread can be put aside between the two.
inline constexpr double kJoinToleranceNs = 1e6;

// An allocation made by an event. Addresses and bytes are doubles, as in batches: both sides lose the same digits beyond 2^53.
struct JoinItem {
  double address = 0;
  double time = 0;       // nanoseconds since the start of its capture
  double size = 0;       // rounded bytes
  double requested = 0;  // bytes asked for; in a trace the rounded ones
  double id = 0;         // allocation_id
  double event = 0;      // alloc_event
};

struct JoinSide {
  std::vector<JoinItem> items;  // in any order
  double first = 0;             // times of the first and the last allocation of the device, also where `items` are fewer
  double last = 0;
};

struct JoinPair {
  JoinItem own;
  JoinItem other;
};

struct AllocationJoin {
  std::vector<JoinPair> pairs;  // one to one, by the own allocation_id
  uint64_t equal_sizes = 0;     // of the pairs
  uint64_t own_in_common = 0;   // allocations in the common time, those of pairs always
  uint64_t other_in_common = 0;
  double offset = 0;            // own time = other time + offset
  double spread = 0;            // median absolute deviation of the pairs from it; NaN without pairs
  double from = 0;              // the common time in own time; from > to where there is none
  double to = 0;
};

// `offset`: what is known of it before, say from wall clocks; kept where no pair says otherwise. Sorts the items of both sides by address and time.
// The offset is first looked for within kJoinSearchNs: that on which most allocations of equal address agree. Then the allocations of each
// address are paired (query/address_matcher.h). `query/cancelled` when stopped.
Failure join_allocations(JoinSide& own, JoinSide& other, double offset, const StopSignal& stop, AllocationJoin& out);

}  // namespace tidemark
