// Extremes of the memory curves over a range of events, through the pyramid: O(64 · levels) values whatever the length.
#pragma once

#include <algorithm>
#include <cstdint>

#include "store/curve_levels.h"
#include "store/device_columns.h"

namespace tidemark {

// Covers events [from, to) with as few runs as possible, left to right: visit(level, first, count) means `count` items
// from `first`, where level 0 is the events themselves and level k is DeviceColumns::levels[k − 1]. A run has at most
// 64 items below the top level. Stops as soon as visit answers false.
template <class Visit>
void visit_event_range(size_t level_count, size_t from, size_t to, Visit&& visit) {
  for (size_t event = from; event < to;) {
    size_t level = 0;
    while (level < level_count) {
      const size_t span = size_t{1} << ((level + 1) * kLevelBits);
      if ((event & (span - 1)) != 0 || event + span > to) break;
      ++level;
    }
    const size_t shift = level * kLevelBits;
    const size_t first = event >> shift;
    size_t end = to >> shift;
    if (level == 0 || level < level_count) end = std::min(end, (first | (kLevelFactor - 1)) + 1);
    if (!visit(level, first, end - first)) return;
    event = end << shift;
  }
}

struct CurveExtremes {
  int64_t min = INT64_MAX;
  int64_t max = INT64_MIN;
};

// Extremes of the program's curves and the first event at which allocated is largest, over events [from, to).
struct RangeExtremes {
  CurveExtremes curve[kProgramCurveCount];
  int64_t rep_event = kBefore;  // stays kBefore for an empty range
};
RangeExtremes range_extremes(const DeviceColumns& columns, size_t from, size_t to);

// The first event of [from, to) at which allocated bytes are largest; kBefore for an empty range.
int64_t largest_allocated_event(const DeviceColumns& columns, size_t from, size_t to);

// Extremes of one curve over [from, to).
CurveExtremes curve_extremes(const DeviceColumns& columns, Curve curve, size_t from, size_t to);

// The first event of [from, to) at which `curve` equals its own minimum (or maximum) `value` there; kBefore when none.
int64_t first_event_at_minimum(const DeviceColumns& columns, Curve curve, int64_t value, size_t from, size_t to);
int64_t first_event_at_maximum(const DeviceColumns& columns, Curve curve, int64_t value, size_t from, size_t to);

}  // namespace tidemark
