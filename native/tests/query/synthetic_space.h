// Devices with addresses for the tests of layouts, made by random walks, with the truth beside them; and devices that are nonsense.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "store/device_columns.h"

namespace tidemark_test {

inline constexpr uint64_t kUnit = 512;  // bytes; every address and size is a multiple

// What lies in every unit of the address space at one moment.
struct SpaceMoment {
  std::vector<int32_t> owner;        // allocation, −1 = none
  std::vector<int32_t> reservation;  // index in SpaceDevice::places, −1 = not reserved
  std::vector<bool> is_pending;      // of the owner
};

// What a segment is like.
struct SpacePlace {
  int16_t stream = 0;
  int16_t pool = 0;
  bool is_small = false;
  bool is_expandable = false;
};

struct SpaceDevice {
  tidemark::DeviceColumns columns;
  uint64_t base = 0;                 // address of unit 0
  std::vector<SpacePlace> places;
  std::vector<SpaceMoment> moments;  // item 0 = before the first event, item e + 1 = after event e
};

// `start`: events of the walk that come before the history.
void random_space(std::mt19937& random, size_t start, size_t event_count, SpaceDevice& out);

// The same kind of columns with values that no allocator makes: overlaps, sizes up to 2^64, wrong orders.
void hostile_space(std::mt19937& random, size_t event_count, tidemark::DeviceColumns& out);

}  // namespace tidemark_test
