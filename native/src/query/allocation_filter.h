// Which allocations a picture or a list is about (native/README.md, Filters).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "query/query_error.h"
#include "store/device_columns.h"

struct sqlite3;

namespace tidemark {

// All conditions must hold; a new filter has none.
struct AllocationFilter {
  uint64_t min_bytes = 0;          // rounded size at least
  int64_t most_events = -1;        // temporary: freed, and alive for at most so many events; −1 = any
  bool never_freed = false;        // not given back in the capture
  bool by_stack = false;           // of one of `stacks`
  std::vector<uint8_t> stacks;     // by stack_id + 1, item 0 = none: 1 = kept; ids beyond its end are not

  bool passes_all() const { return min_bytes == 0 && most_events < 0 && !never_freed && !by_stack; }

  // Whether an allocation passes; `device` has kAllocationsPart. What was made before the first event has an unknown age and is
  // never temporary.
  bool passes(const DeviceColumns& device, size_t allocation) const {
    if (device.size[allocation] < min_bytes) return false;
    const int64_t freed = device.free_requested[allocation];
    if (never_freed && freed != kNever) return false;
    if (most_events >= 0 && !is_temporary(device.alloc_event[allocation], freed, most_events)) return false;
    return !by_stack || keeps_stack(device.stack.at(allocation));
  }

  static bool is_temporary(int64_t made, int64_t freed, int64_t most_events) {
    return made != kBefore && freed != kNever && freed - made <= most_events;
  }

 private:
  bool keeps_stack(int64_t stack_id) const {
    const uint64_t item = static_cast<uint64_t>(stack_id) + 1;
    return item < stacks.size() && stacks[item] != 0;
  }
};

// Reads the JSON of a filter; an empty text lets everything pass. `query/bad_argument` for what is no object, for unknown keys
// and for values that do not fit. `db`: a connection, whose JSON functions do the reading; `stack_count`: of the capture.
Failure read_filter(sqlite3* db, const std::string& json, size_t stack_count, AllocationFilter& out);

}  // namespace tidemark
