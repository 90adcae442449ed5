// Long work that can be stopped.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "query/query_error.h"

namespace tidemark {

// How many items a loop handles between two looks at the stop signal: well under a millisecond of work.
inline constexpr size_t kItemsPerLook = size_t{1} << 16;

inline bool is_stopped_at(size_t item, const StopSignal& stop) { return item % kItemsPerLook == 0 && stop(); }

// Sorts `items`, equal ones as they were: short runs, which are then merged. `query/cancelled` when stopped; all items are there
// then, in no order.
template <class Item, class Less>
Failure stoppable_sort(std::vector<Item>& items, Less less, const StopSignal& stop) {
  const size_t size = items.size();
  const auto at = [&](size_t place) { return items.begin() + static_cast<std::ptrdiff_t>(std::min(place, size)); };
  for (size_t first = 0; first < size; first += kItemsPerLook) {
    if (stop()) return query_cancelled();
    std::stable_sort(at(first), at(first + kItemsPerLook), less);
  }
  for (size_t run = kItemsPerLook; run < size; run *= 2) {
    for (size_t first = 0; first + run < size; first += 2 * run) {
      if (stop()) return query_cancelled();
      std::inplace_merge(at(first), at(first + run), at(first + 2 * run), less);
    }
  }
  return {};
}

}  // namespace tidemark
