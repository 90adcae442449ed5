// The allocations of a device in address order: what is laid out at an event is then one pass over arrays, without a sort.
#pragma once

#include <cstdint>
#include <vector>

#include "query/query_error.h"
#include "store/device_columns.h"

namespace tidemark {

inline constexpr size_t kHistoryGroup = 64;

// Moments count from 0 = before the first event; moment m ≥ 1 is the state after event m − 1.
inline constexpr uint32_t kNoMoment = 0xFFFFFFFFu;
inline uint32_t moment_after(int64_t event) { return static_cast<uint32_t>(event + 1); }

// Struct of arrays, one item an allocation: by address, then in the order in which they were made. 40 bytes each.
struct BlockHistory {
  const DeviceColumns* columns = nullptr;
  std::vector<uint64_t> address;
  std::vector<uint64_t> size;        // bytes of the block (rounded)
  std::vector<uint64_t> requested;   // bytes asked for
  std::vector<uint32_t> made;        // moment from which it is active
  std::vector<uint32_t> free_requested;  // moment from which it is pending; kNoMoment = never
  std::vector<uint32_t> free_completed;  // moment from which it is gone; kNoMoment = never
  std::vector<uint32_t> index;       // in DeviceColumns
  // By groups of kHistoryGroup: many lives of one address follow each other, so most groups are over or yet to come.
  std::vector<uint32_t> first_made;
  std::vector<uint32_t> last_free_completed;

  size_t count() const { return address.size(); }
};

// Derives `out` from columns with kAllocationsPart and kBlocksPart, which must outlive it. `index/not_an_index` when they
// contradict each other, `query/cancelled` when stopped.
Failure derive_history(const DeviceColumns& columns, const StopSignal& stop, BlockHistory& out);

}  // namespace tidemark
