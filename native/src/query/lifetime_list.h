// The single allocations behind a heat map of lifetimes: as boxes, as a list, at a point (native/README.md, Lifetimes).
#pragma once

#include <string>
#include <vector>

#include "query/lifetime_scan.h"

namespace tidemark {

inline constexpr int64_t kMostBars = 5000;
inline constexpr int64_t kMostListed = 10000;
inline constexpr int64_t kTemporaryEvents = 40;  // freed, and alive for at most so many: temporary

struct LifetimeBars {
  uint64_t count = 0;             // in sight
  std::vector<LifetimeBar> bars;  // all of them, or none where they are more than the limit
};
// The allocations in sight of a checked view, whose axes `space` is prepared for, in order of alloc_event. `query/cancelled` when
// stopped.
Failure lifetime_bars(const LifetimeSpace& space, const LifetimeView& view, size_t limit, const StopSignal& stop, LifetimeBars& out);

enum class LifetimeSort { area, size, life };

struct LifetimeList {
  struct Row {
    size_t allocation = 0;
    double area = 0;  // bytes × life
    double life = 0;  // how long it is alive inside the x range, in x units
  };
  uint64_t count = 0;
  uint64_t bytes = 0;      // of all of them
  double mean_bytes = 0;   // alive, over the x range
  uint64_t temporary = 0;
  uint64_t never_freed = 0;
  std::vector<Row> rows;  // largest first, ties by allocation
};
// `limit` ≥ 1 rows from `offset` on of the allocations in sight of a checked view, whose axes `space` is prepared for; the other
// values are those of all of them. `query/cancelled` when stopped.
Failure lifetime_list(const LifetimeSpace& space, const LifetimeView& view, LifetimeSort sort, size_t limit, size_t offset,
                      const StopSignal& stop, LifetimeList& out);

// The allocation alive or pending at (x, y), the largest where several are, of these the first; −1 when there is none.
// `query/cancelled` when stopped.
Failure lifetime_pick(const LifetimeSpace& space, const LifetimeAxes& axes, double x, double y, const AllocationFilter& filter,
                      const StopSignal& stop, int64_t& allocation);

// `{"count", "bytes", "mean_bytes", "temporary", "never_freed", "rows": [{"allocation_id", "area", "life"}]}`
std::string to_json(const DeviceColumns& device, const LifetimeList& list);
// `{"start", "free_requested", "free_completed", "y0", "y1"}`, null where not in the capture.
std::string to_json(const LifetimeBar& bar);

}  // namespace tidemark
