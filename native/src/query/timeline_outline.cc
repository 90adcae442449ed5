#include "query/timeline_outline.h"

#include <cmath>
#include <limits>

namespace tidemark {

TimelineOutline timeline_outline(const Lifetimes& lifetimes, const AxisRange& range, size_t index) {
  const DeviceColumns& device = *lifetimes.columns;
  TimelineOutline result;
  result.rep_event = resolve_columns(device, range).rep_event;
  const auto& rep = result.rep_event;
  result.y0.assign(rep.size(), std::numeric_limits<double>::quiet_NaN());
  const auto first_at = [&rep](int64_t event) {
    return static_cast<size_t>(std::lower_bound(rep.begin(), rep.end(), event) - rep.begin());
  };
  const size_t born = first_at(device.alloc_event[index]);
  const size_t gone = first_at(device.free_requested[index]);
  if (born >= gone) return result;

  // What lies below was made earlier, so it is there from `born` on, until its own free: sums of what goes away suffice.
  uint64_t below = 0;
  std::vector<uint64_t> leaving(rep.size(), 0);
  visit_outliving(lifetimes, rep[born], index, [&](size_t lower) {
    below += device.size[lower];
    const int64_t freed = device.free_requested[lower];
    if (freed <= rep[gone - 1]) leaving[first_at(freed)] += device.size[lower];
    return true;
  });
  for (size_t column = born; column < gone; ++column) {
    below -= leaving[column];
    result.y0[column] = static_cast<double>(below);
  }
  return result;
}

int64_t timeline_pick(const Lifetimes& lifetimes, int64_t event, double offset) {
  constexpr double kHighest = 9223372036854775808.0;  // 2^63
  if (!(offset >= 0) || offset >= kHighest) return -1;
  const uint64_t wanted = static_cast<uint64_t>(std::floor(offset));
  int64_t found = -1;
  uint64_t top = 0;
  const DeviceColumns& device = *lifetimes.columns;
  visit_outliving(lifetimes, event, allocations_until(device, event), [&](size_t index) {
    top += device.size[index];
    if (top <= wanted) return true;
    found = static_cast<int64_t>(index);
    return false;
  });
  return found;
}

}  // namespace tidemark
