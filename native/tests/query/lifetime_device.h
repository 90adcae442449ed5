// A synthetic device with all that the lifetimes are derived from.
#pragma once

#include <memory>

#include "check.h"
#include "query/lifetime_space.h"
#include "synthetic_device.h"

namespace tidemark_test {

// Not to be moved: the parts point at each other.
struct LifetimeDevice {
  DeviceParts parts;
  tidemark::DeviceColumns columns;
  tidemark::Lifetimes lifetimes;
  std::unique_ptr<tidemark::LifetimeSpace> space;

  explicit LifetimeDevice(const DeviceParts& given) : parts(given) {
    build_device(parts, columns);
    CHECK_EQUAL(derive_lifetimes(columns, lifetimes).code, "");
    CHECK_EQUAL(tidemark::LifetimeSpace::check(columns).code, "");
    space = std::make_unique<tidemark::LifetimeSpace>(lifetimes);
  }

  double end(tidemark::Axis axis) const {
    if (axis == tidemark::Axis::event) return static_cast<double>(parts.event_count);
    return parts.times.empty() ? 1 : static_cast<double>(parts.times.back());
  }
};

}  // namespace tidemark_test
