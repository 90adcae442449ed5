// Bytes by stack: of the allocations alive at an event, or made in a range of events.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "query/lifetimes.h"

namespace tidemark {

struct StackTotal {
  int64_t stack_id = -1;  // −1 = none
  uint8_t slot = 0;       // color slot
  uint64_t count = 0;
  uint64_t bytes = 0;     // rounded
};

// Sums allocations by stack; add() as many as wanted, then largest().
class StackTotals {
 public:
  explicit StackTotals(const DeviceColumns& device)
      : device_(device), totals_(device.stack_slot.size() + 1) {}
  void add(int64_t stack_id, uint64_t bytes) {
    // Item 0 is "no stack"; ids that the capture does not have count there too.
    const uint64_t item = static_cast<uint64_t>(stack_id) + 1;
    Sum& sum = totals_[item < totals_.size() ? item : 0];
    ++sum.count;
    sum.bytes += bytes;
  }
  // The `limit` stacks with the most bytes, ties by count, then by stack_id.
  std::vector<StackTotal> largest(size_t limit) const;

 private:
  struct Sum {
    uint64_t count = 0;
    uint64_t bytes = 0;
  };
  const DeviceColumns& device_;
  std::vector<Sum> totals_;
};

// The stacks of the allocations alive after `event` (kBefore … last event).
std::vector<StackTotal> top_stacks(const Lifetimes& lifetimes, int64_t event, size_t limit);

// `[{"stack_id", "slot", "count", "bytes"}, …]`
std::string to_json(const std::vector<StackTotal>& totals);

}  // namespace tidemark
