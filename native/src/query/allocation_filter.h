// Which allocations a picture or a list is about (native/README.md, Filters).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "query/query_error.h"
#include "store/device_columns.h"

struct sqlite3;

namespace tidemark {

// Half-open; a new one holds every value.
struct ValueRange {
  int64_t from = INT64_MIN;
  int64_t to = INT64_MAX;
  bool holds(int64_t value) const { return value >= from && value < to; }
};

// The conditions that few filters have. All must hold; a new one lets everything pass.
struct FurtherConditions {
  unsigned parts = 0;           // of the device, beside kAllocationsPart, that passes() reads
  uint64_t max_bytes = UINT64_MAX;
  ValueRange requested;         // bytes asked for
  int64_t min_life = 0;         // events; 0 = any
  int64_t max_life = INT64_MAX;
  int64_t min_life_ns = 0;      // nanoseconds; 0 = any
  int64_t max_life_ns = INT64_MAX;
  bool is_of_moment = false;    // allocated after event `alive_at`
  int64_t alive_at = kBefore;
  ValueRange made;              // alloc_event, kBefore = before the first
  bool is_freed = false;        // given back by an event of `freed`
  ValueRange freed;
  bool by_stream = false;
  std::vector<uint8_t> streams;  // by index into the capture's streams: 1 = kept
  bool by_pool = false;
  std::vector<uint8_t> pools;
  bool by_address = false;       // one of its bytes in [address_from, address_to)
  uint64_t address_from = 0;
  uint64_t address_to = UINT64_MAX;
  std::vector<uint8_t> without_stacks;  // by stack_id + 1, item 0 = none: 1 = left out

  // `device` has kAllocationsPart and `parts`.
  bool passes(const DeviceColumns& device, size_t allocation) const;

 private:
  bool lives_as_asked(const DeviceColumns& device, int64_t made, int64_t freed) const;
};

// All conditions must hold; a new filter has none.
struct AllocationFilter {
  uint64_t min_bytes = 0;          // rounded size at least
  int64_t most_events = -1;        // temporary: freed, and alive for at most so many events; −1 = any
  bool never_freed = false;        // not given back in the capture
  bool by_stack = false;           // of one of `stacks`
  unsigned categories = 0;         // only of these, as bits of the slots; 0 = any
  const uint8_t* category_of = nullptr;  // by allocation, where `categories` is not 0
  std::vector<uint8_t> stacks;     // by stack_id + 1, item 0 = none: 1 = kept; ids beyond its end are not
  std::shared_ptr<const FurtherConditions> further;  // nullptr = none

  bool passes_all() const {
    return min_bytes == 0 && most_events < 0 && !never_freed && !by_stack && categories == 0 && !further;
  }

  // The parts of the device that passes() reads.
  unsigned parts() const { return kAllocationsPart | (further ? further->parts : 0u); }

  // Whether an allocation passes; `device` has parts(). What was made before the first event has an unknown age and is never
  // temporary.
  bool passes(const DeviceColumns& device, size_t allocation) const {
    if (device.size[allocation] < min_bytes) return false;
    if (categories != 0 && (categories >> category_of[allocation] & 1) == 0) return false;
    const int64_t freed = device.free_requested[allocation];
    if (never_freed && freed != kNever) return false;
    if (most_events >= 0 && !is_temporary(device.alloc_event[allocation], freed, most_events)) return false;
    if (by_stack && !keeps_stack(device.stack.at(allocation))) return false;
    return !further || further->passes(device, allocation);
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
