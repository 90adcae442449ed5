// How far the clocks of two captures are apart, told by the addresses that both used.
#pragma once

#include <vector>

#include "query/join_runs.h"

namespace tidemark {

// The offset (own time = other time + offset) within kJoinSearchNs of `guess` on which most allocations of equal address and agreeing sizes
// agree to 0.15 ms; of several the one nearest to the guess, which is also the answer when none agree. Both lists sorted by address and time.
// The last digits come from the median of what agrees.
double find_clock_offset(const std::vector<JoinItem>& own, const std::vector<JoinItem>& other, double guess, Pulse& pulse);

}  // namespace tidemark
