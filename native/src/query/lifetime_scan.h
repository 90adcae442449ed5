// The allocations that lie in a rectangle of x and y: one pass over the allocations made before its right edge, in groups of 64,
// of which those that are over before its left edge are skipped.
#pragma once

#include <limits>

#include "query/allocation_filter.h"
#include "query/lifetime_space.h"

namespace tidemark {

// The allocations in sight: those in a rectangle that pass a filter.
struct LifetimeView {
  LifetimeAxes axes;
  double x0 = 0;
  double x1 = 0;
  double y0 = 0;
  double y1 = 0;
  AllocationFilter filter = {};
};

// `query/bad_argument` unless x0 < x1 and y0 < y1 are finite, not too close to each other, and the axis exists on the device.
Failure check_view(const DeviceColumns& device, const LifetimeView& view);

// An allocation as a rectangle: x on the axis of the view, − infinity = made before the first event, infinity = not in the
// capture; start ≤ free_requested ≤ free_completed.
struct LifetimeBar {
  size_t allocation = 0;
  double start = 0;
  double free_requested = 0;
  double free_completed = 0;
  double y0 = 0;
  double y1 = 0;
};

// A scan only reads, so several may run at a time.
class LifetimeScan {
 public:
  // `space`, which is prepared for the axes, must outlive the scan.
  LifetimeScan(const LifetimeSpace& space, const LifetimeAxes& axes);

  // Calls visit(bar) for the allocations that are made, alive, pending or completed in the view's x range, lie in its y range and
  // pass its filter, in order of alloc_event. The view has the scan's axes. `query/cancelled` when stopped.
  template <class Visit>
  Failure visit(const LifetimeView& view, const StopSignal& stop, Visit&& visit) const {
    return visit_between(view.x0, view.x1, view, stop, visit);
  }
  // The same for [x0, x1) in place of the view's x range.
  template <class Visit>
  Failure visit_between(double x0, double x1, const LifetimeView& view, const StopSignal& stop, Visit&& visit) const;

  // The rectangle of one allocation.
  LifetimeBar bar(size_t allocation) const;

 private:
  // Positions of a group, one array a property: those that are kept where they lie, the others computed in one sweep each.
  struct Group {
    const double* start;
    const double* free_requested;
    const double* free_completed;
    const double* bottom;
    const double* top;
    double computed[5][kLifetimeGroup];
  };
  void locate(size_t first, size_t count, Group& group) const;
  void locate_x(size_t first, size_t count, Group& group) const;
  void locate_y(size_t first, size_t count, Group& group) const;
  // Events before x, and allocations made by them.
  size_t events_before(double x) const;

  const LifetimeSpace& space_;
  const Axis axis_;
  const DeviceColumns& device_;
  const LifetimePlaces& places_;
  const LifetimeTimes* times_;  // nullptr on the event axis
};

template <class Visit>
Failure LifetimeScan::visit_between(double x0, double x1, const LifetimeView& view, const StopSignal& stop,
                                    Visit&& visit) const {
  const size_t first_event = events_before(x0);
  const size_t limit = allocations_until(device_, static_cast<int64_t>(events_before(x1)) - 1);
  const bool is_filtered = !view.filter.passes_all();
  constexpr size_t kLook = 1024 * kLifetimeGroup;
  Group group;
  for (size_t first = 0; first < limit; first += kLifetimeGroup) {
    if (first % kLook == 0 && stop()) return query_cancelled();
    if (space_.last_event()[first / kLifetimeGroup] < first_event) continue;
    const size_t count = std::min(limit - first, kLifetimeGroup);
    locate(first, count, group);
    for (size_t k = 0; k < count; ++k) {
      // Without short-circuits: which of them hold cannot be predicted one by one.
      const bool in_sight = (group.start[k] < x1) & (group.free_completed[k] >= x0) & (group.bottom[k] < view.y1) &
                            (group.top[k] > view.y0);
      if (!in_sight || (is_filtered && !view.filter.passes(device_, first + k))) continue;
      visit(LifetimeBar{first + k, group.start[k], group.free_requested[k], group.free_completed[k], group.bottom[k], group.top[k]});
    }
  }
  return {};
}

}  // namespace tidemark
