#include "query/lifetime_scan.h"

#include <algorithm>
#include <cmath>

namespace tidemark {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

}  // namespace

Failure check_view(const DeviceColumns& device, const LifetimeView& view) {
  const Failure error = check_range(device, {view.axes.axis, view.x0, view.x1, 1});
  return error.failed() ? error : check_heights(view.y0, view.y1, 1);
}

LifetimeScan::LifetimeScan(const LifetimeSpace& space, const LifetimeAxes& axes)
    : space_(space),
      axis_(axes.axis),
      device_(space.device()),
      places_(space.places(axes.order)),
      times_(axes.axis == Axis::time ? &space.times() : nullptr) {}

size_t LifetimeScan::events_before(double x) const {
  const AxisRange up_to{axis_, x, x + 1, 1};
  return static_cast<size_t>(resolve_columns(device_, up_to, false).edge[0]);
}

void LifetimeScan::locate_x(size_t first, size_t count, Group& group) const {
  if (times_) {
    group.start = &times_->start[first];
    group.free_requested = &times_->free_requested[first];
    group.free_completed = &times_->free_completed[first];
    return;
  }
  const int32_t* made = &device_.alloc_event[first];
  const uint32_t* freed = &device_.free_requested[first];
  const uint32_t* completed = &device_.free_completed[first];
  const size_t pending = std::min(device_.pending_before.size(), first + count);
  double* start_at = group.computed[0];
  double* freed_at = group.computed[1];
  double* completed_at = group.computed[2];
  for (size_t k = 0; k < count; ++k) {
    // As LifetimeSpace::start(), free_requested() and free_completed() say; signed, which converts fast.
    const int32_t freed_event = static_cast<int32_t>(freed[k]);
    const int32_t completed_event = static_cast<int32_t>(completed[k]);
    start_at[k] = made[k] < 0 ? -kForever : static_cast<double>(made[k]);
    freed_at[k] = std::max(freed_event < 0 ? kForever : static_cast<double>(freed_event), start_at[k]);
    completed_at[k] = std::max(completed_event < 0 ? kForever : static_cast<double>(completed_event), freed_at[k]);
  }
  for (size_t i = first; i < pending; ++i) {
    if (device_.is_pending_before(i)) freed_at[i - first] = start_at[i - first];
  }
  group.start = start_at;
  group.free_requested = freed_at;
  group.free_completed = completed_at;
}

void LifetimeScan::locate_y(size_t first, size_t count, Group& group) const {
  if (!places_.y0.empty()) {
    group.bottom = &places_.y0[first];
    group.top = &places_.y1[first];
    return;
  }
  double* bottom = group.computed[3];
  double* top = group.computed[4];
  for (size_t k = 0; k < count; ++k) {
    bottom[k] = static_cast<double>(places_.unit.empty() ? static_cast<int64_t>(first + k) : places_.unit[first + k]);
    top[k] = bottom[k] + 1;
  }
  group.bottom = bottom;
  group.top = top;
}

void LifetimeScan::locate(size_t first, size_t count, Group& group) const {
  locate_x(first, count, group);
  locate_y(first, count, group);
}

LifetimeBar LifetimeScan::bar(size_t allocation) const {
  Group group;
  locate(allocation, 1, group);
  return {allocation, group.start[0], group.free_requested[0], group.free_completed[0], group.bottom[0], group.top[0]};
}

}  // namespace tidemark
