// The allocations of a device that pass a filter, in an order: what a table of millions of rows pages through (native/README.md,
// Allocations).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "query/allocation_filter.h"

namespace tidemark {

enum class AllocationSort { id, address, size, requested, stream, pool, made, freed, life, life_ns, stack, category };

// The parts of a device that sorting reads.
unsigned sort_parts(AllocationSort sort);

inline constexpr uint32_t kNoRank = UINT32_MAX;

struct AllocationOrder {
  AllocationSort sort = AllocationSort::id;
  bool descending = false;
  // By stack_id: the place of a stack's title among all, kNoRank without one. Empty: stacks are in order of stack_id.
  std::vector<uint32_t> ranks;
  const uint8_t* categories = nullptr;  // by allocation: slots, where sorted by them
};

struct AllocationList {
  uint64_t bytes = 0;               // rounded, of all
  std::vector<uint32_t> allocations;  // indices in the device
};

// All that pass `filter`, whose parts() and sort_parts() `device` has. Equal ones by allocation; those without a value (an event that is
// not in the capture, a life that is not known, a stack without a title) last, whichever way. `query/cancelled` when stopped.
Failure list_allocations(const DeviceColumns& device, const AllocationFilter& filter, const AllocationOrder& order, const StopSignal& stop,
                         AllocationList& out);

// The lists of a connection that were asked for last, so that scrolling costs only a page: 4 bytes an allocation each.
class AllocationLists {
 public:
  // The list made for `key` in the index's `generation`; nullptr where none is kept.
  std::shared_ptr<const AllocationList> find(uint64_t generation, const std::string& key);
  void keep(const std::string& key, std::shared_ptr<const AllocationList> list);

 private:
  struct Kept {
    std::string key;
    std::shared_ptr<const AllocationList> list;
  };
  uint64_t generation_ = 0;
  std::vector<Kept> kept_;  // that used last at the end
};

}  // namespace tidemark
