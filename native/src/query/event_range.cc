#include "query/event_range.h"

namespace tidemark {
namespace {

void widen(CurveExtremes& extremes, const int64_t* low, const int64_t* high, size_t count) {
  int64_t min = extremes.min;
  int64_t max = extremes.max;
  for (size_t i = 0; i < count; ++i) {
    min = std::min(min, low[i]);
    max = std::max(max, high[i]);
  }
  extremes.min = min;
  extremes.max = max;
}

void widen(const DeviceColumns& columns, int curve, size_t level, size_t first, size_t count, CurveExtremes& extremes) {
  if (level > 0) {
    const CurveLevel& items = columns.levels[level - 1];
    widen(extremes, &items.min[curve][first], &items.max[curve][first], count);
    return;
  }
  int64_t values[kLevelFactor];
  columns.curve[curve].decode(first, count, values);
  widen(extremes, values, values, count);
}

// The largest allocated so far while walking from left to right; ties keep the earlier event.
struct Largest {
  int64_t bytes = INT64_MIN;
  int64_t event = kBefore;

  void offer(const DeviceColumns& columns, size_t level, size_t first, size_t count) {
    int64_t values[kLevelFactor];
    const CurveLevel* items = level > 0 ? &columns.levels[level - 1] : nullptr;
    if (!items) columns.curve[kAllocated].decode(first, count, values);
    const int64_t* at = items ? &items->max[kAllocated][first] : values;
    // Two passes: the maximum alone vectorises, its place is looked up only when it wins.
    int64_t best = INT64_MIN;
    for (size_t i = 0; i < count; ++i) best = std::max(best, at[i]);
    if (best <= bytes && event != kBefore) return;
    const size_t place = static_cast<size_t>(std::find(at, at + count, best) - at);
    bytes = best;
    event = items ? static_cast<int64_t>(items->rep[first + place]) : static_cast<int64_t>(first + place);
  }
};

template <bool kMaximum>
int64_t first_event_at(const DeviceColumns& columns, Curve curve, int64_t value, size_t from, size_t to) {
  int64_t found = kBefore;
  visit_event_range(columns.levels.size(), from, to, [&](size_t level, size_t first, size_t count) {
    if (level == 0) {
      int64_t values[kLevelFactor];
      columns.curve[curve].decode(first, count, values);
      const int64_t* end = values + count;
      const int64_t* at = std::find(values + 0, values + count, value);
      if (at != end) found = static_cast<int64_t>(first) + (at - values);
      return found == kBefore;
    }
    const CurveLevel& items = columns.levels[level - 1];
    const auto& extreme = kMaximum ? items.max[curve] : items.min[curve];
    for (size_t i = first; i < first + count; ++i) {
      if (extreme[i] != value) continue;
      // The item's events hold the value: walk the level below. The bound on the level keeps this recursion short.
      const size_t shift = level * kLevelBits;
      for (size_t event = i << shift; event < (i + 1) << shift; event += kLevelFactor) {
        int64_t values[kLevelFactor];
        if (level > 1) {
          const CurveLevel& leaf = columns.levels[0];
          const auto& leaf_extreme = kMaximum ? leaf.max[curve] : leaf.min[curve];
          if (leaf_extreme[event >> kLevelBits] != value) continue;
        }
        columns.curve[curve].decode(event, kLevelFactor, values);
        const int64_t* at = std::find(values + 0, values + kLevelFactor, value);
        if (at == values + kLevelFactor) continue;
        found = static_cast<int64_t>(event) + (at - values);
        return false;
      }
    }
    return true;
  });
  return found;
}

}  // namespace

RangeExtremes range_extremes(const DeviceColumns& columns, size_t from, size_t to) {
  RangeExtremes result;
  Largest largest;
  visit_event_range(columns.levels.size(), from, to, [&](size_t level, size_t first, size_t count) {
    for (int curve = 0; curve < kProgramCurveCount; ++curve) widen(columns, curve, level, first, count, result.curve[curve]);
    largest.offer(columns, level, first, count);
    return true;
  });
  result.rep_event = largest.event;
  return result;
}

int64_t largest_allocated_event(const DeviceColumns& columns, size_t from, size_t to) {
  Largest largest;
  visit_event_range(columns.levels.size(), from, to, [&](size_t level, size_t first, size_t count) {
    largest.offer(columns, level, first, count);
    return true;
  });
  return largest.event;
}

CurveExtremes curve_extremes(const DeviceColumns& columns, Curve curve, size_t from, size_t to) {
  CurveExtremes extremes;
  visit_event_range(columns.levels.size(), from, to, [&](size_t level, size_t first, size_t count) {
    widen(columns, curve, level, first, count, extremes);
    return true;
  });
  return extremes;
}

int64_t first_event_at_minimum(const DeviceColumns& columns, Curve curve, int64_t value, size_t from, size_t to) {
  return first_event_at<false>(columns, curve, value, from, to);
}

int64_t first_event_at_maximum(const DeviceColumns& columns, Curve curve, int64_t value, size_t from, size_t to) {
  return first_event_at<true>(columns, curve, value, from, to);
}

}  // namespace tidemark
