// A synthetic device with all that the lifetimes are derived from.
#pragma once

#include <memory>

#include "check.h"
#include "query/lifetime_raster.h"
#include "synthetic_device.h"

namespace tidemark_test {

inline constexpr tidemark::LifetimeOrder kOrders[] = {tidemark::LifetimeOrder::address, tidemark::LifetimeOrder::address_sqrt,
                                                      tidemark::LifetimeOrder::allocation, tidemark::LifetimeOrder::size,
                                                      tidemark::LifetimeOrder::stack};
inline constexpr tidemark::LifetimeMeasure kMeasures[] = {tidemark::LifetimeMeasure::bytes, tidemark::LifetimeMeasure::allocated,
                                                          tidemark::LifetimeMeasure::freed, tidemark::LifetimeMeasure::area,
                                                          tidemark::LifetimeMeasure::age};

// Not to be moved: the parts point at each other. Its space is prepared for every order and axis there is.
struct LifetimeDevice {
  DeviceParts parts;
  tidemark::DeviceColumns columns;
  tidemark::Lifetimes lifetimes;
  std::unique_ptr<tidemark::LifetimeSpace> space;

  explicit LifetimeDevice(const DeviceParts& given) : parts(given) {
    build_device(parts, columns);
    derive();
  }

  // Anew from the columns, where a test has changed them.
  void derive() {
    CHECK_EQUAL(derive_lifetimes(columns, lifetimes).code, "");
    CHECK_EQUAL(tidemark::LifetimeSpace::check(columns).code, "");
    space = std::make_unique<tidemark::LifetimeSpace>(lifetimes);
    for (const tidemark::LifetimeOrder order : kOrders) prepare(order);
  }

  void prepare(tidemark::LifetimeOrder order) {
    CHECK_EQUAL(space->prepare({columns.has_times ? tidemark::Axis::time : tidemark::Axis::event, order}, {}).code, "");
  }

  double end(tidemark::Axis axis) const {
    if (axis == tidemark::Axis::event) return static_cast<double>(parts.event_count);
    return parts.times.empty() ? 1 : static_cast<double>(parts.times.back());
  }
};

}  // namespace tidemark_test
