// Walks two lists of allocations, sorted by address and time, address by address.
#pragma once

#include <algorithm>
#include <vector>

#include "query/allocation_join.h"
#include "query/stoppable.h"

namespace tidemark {

// Looks at the stop signal now and then, however the loops that ask are nested. Stays stopped.
class Pulse {
 public:
  explicit Pulse(const StopSignal& stop) : stop_(stop) {}
  bool is_stopped() {
    if (!stopped_ && is_stopped_at(items_++, stop_)) stopped_ = true;
    return stopped_;
  }

 private:
  StopSignal stop_;
  size_t items_ = 0;
  bool stopped_ = false;
};

// The allocations of one address, [first, last) on both sides, in order of time.
struct JoinRun {
  const JoinItem* own;
  const JoinItem* other;
  size_t own_first, own_last;
  size_t other_first, other_last;
};

// The trace tells no requested bytes: its size lies between what the snapshot says was asked for and what was given.
inline bool sizes_agree(const JoinItem& a, const JoinItem& b) {
  return a.size == b.size || (a.requested <= b.size && b.requested <= a.size);
}

// Calls visit(run) for each address that both lists have, until the pulse stops.
template <class Visit>
void each_common_address(const std::vector<JoinItem>& own, const std::vector<JoinItem>& other, Pulse& pulse, Visit&& visit) {
  const auto end_of_run = [&pulse](const std::vector<JoinItem>& items, size_t first) {
    size_t last = first + 1;
    while (last < items.size() && items[last].address == items[first].address && !pulse.is_stopped()) ++last;
    return last;
  };
  size_t i = 0;
  size_t j = 0;
  while (i < own.size() && j < other.size() && !pulse.is_stopped()) {
    if (own[i].address < other[j].address) {
      ++i;
    } else if (other[j].address < own[i].address) {
      ++j;
    } else {
      const JoinRun run{own.data(), other.data(), i, end_of_run(own, i), j, end_of_run(other, j)};
      visit(run);
      i = run.own_last;
      j = run.other_last;
    }
  }
}

}  // namespace tidemark
