// Which allocations are alive after an event, without looking at all of them: allocations in groups of 64, each with its
// latest free. Most groups of a training run are dead soon after they were made, so a scan skips them with one compare.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "query/query_error.h"
#include "store/device_columns.h"

namespace tidemark {

inline constexpr size_t kLifetimeGroup = 64;

// What the viewport queries work on: the stored columns of a device and what was derived from them once.
struct Lifetimes {
  const DeviceColumns* columns = nullptr;
  std::vector<uint32_t> last_free;  // largest free_requested of each 64 allocations

  size_t count() const { return columns->alloc_event.size(); }
};

// Derives `out` from the parts that `columns`, which must outlive it, has. `index/not_an_index` when they contradict each
// other (lengths, order, pyramid), so that no later query reads outside them.
Failure derive_lifetimes(const DeviceColumns& columns, Lifetimes& out);

// The number of allocations made at or before `event`.
inline size_t allocations_until(const DeviceColumns& columns, int64_t event) {
  const auto& made = columns.alloc_event;
  const int32_t last = static_cast<int32_t>(std::min<int64_t>(event, INT32_MAX));
  return static_cast<size_t>(std::upper_bound(made.begin(), made.end(), last) - made.begin());
}

// Calls visit(index) for the first `limit` allocations that are freed after `event` (or never), in stack order. With limit =
// allocations_until(event) these are the allocations alive after `event`. Stops as soon as visit answers false.
template <class Visit>
void visit_outliving(const Lifetimes& lifetimes, int64_t event, size_t limit, Visit&& visit) {
  const uint32_t* freed = lifetimes.columns->free_requested.data();
  for (size_t group = 0; group * kLifetimeGroup < limit; ++group) {
    if (static_cast<int64_t>(lifetimes.last_free[group]) <= event) continue;
    const size_t end = std::min(limit, (group + 1) * kLifetimeGroup);
    for (size_t i = group * kLifetimeGroup; i < end; ++i) {
      if (static_cast<int64_t>(freed[i]) > event && !visit(i)) return;
    }
  }
}

}  // namespace tidemark
