// Long work that can be stopped.
#pragma once

#include <cstddef>
#include <vector>

#include "model/stoppable_sort.h"
#include "query/query_error.h"

namespace tidemark {

// How many items a loop handles between two looks at the stop signal: well under a millisecond of work.
inline constexpr size_t kItemsPerLook = size_t{1} << 16;

inline bool is_stopped_at(size_t item, const StopSignal& stop) { return item % kItemsPerLook == 0 && stop(); }

// Sorts `items`, equal ones as they were. `query/cancelled` when stopped; all items are there then, in no order.
template <class Item, class Less>
Failure stoppable_sort(std::vector<Item>& items, Less less, const StopSignal& stop) {
  sort_until_stopped(items.data(), items.size(), less, stop);
  return stop() ? query_cancelled() : Failure();
}

}  // namespace tidemark
