// The reserved memory of one moment as segments: stretches of one expandable segment that lie side by side are one run.
#pragma once

#include <map>

#include "replay/reservations.h"

namespace tidemark {

struct MappedRun {
  uint64_t end = 0;   // one past the last byte
  uint64_t held = 0;  // bytes of the blocks in it, as whoever uses it counts them; not kept for expandable ones
  int32_t stream = -1;
  int32_t pool = -1;
  bool is_small = false;
  bool is_expandable = false;
};

// Lives are added and removed as they begin and end; those of one moment are disjoint. O(log n) a change.
class MappedRuns {
 public:
  using Runs = std::map<uint64_t, MappedRun>;  // by first address

  // The run that contains the life now. Parts of an expandable segment join as in the layout of an event (query/block_layout.h).
  Runs::iterator add(const Reservation& life);
  // What is before and after the life in its run stays.
  void remove(const Reservation& life);

  // The run that contains `address`, or end().
  Runs::iterator over(uint64_t address);
  Runs::iterator end() { return runs_.end(); }
  // How far a block that begins at `address` may reach: to the end of its run, outside of all to the next one.
  uint64_t bound(uint64_t address);

 private:
  Runs runs_;
};

}  // namespace tidemark
