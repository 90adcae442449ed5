// Devices made for tests and benchmarks: from explicit lifetimes, at random, or shaped like a training run.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "store/device_columns.h"

namespace tidemark_test {

struct Lifetime {
  int32_t alloc_event = 0;  // −1 = before the first event
  uint32_t free_requested = 0xFFFFFFFFu;
  uint64_t size = 0;
  int64_t stack = -1;
  int64_t stream = 0;
  int64_t pool = 0;
  uint32_t free_completed = 0xFFFFFFFFu;
  uint64_t address = 0;
  bool is_pending_before = false;  // made and given back before the first event: free_requested is 0, as the store reads it
};

// What a device is made of. `times`: empty = the file has none. Lifetimes are in order of alloc_event.
struct DeviceParts {
  size_t event_count = 0;
  std::vector<int64_t> times;
  std::vector<Lifetime> lifetimes;
  std::vector<uint8_t> stack_slots;
  std::vector<tidemark::Reservation> reservations;
};

tidemark::PackedColumn pack(const std::vector<int64_t>& values);

// Columns, curves and pyramid of the parts. Allocated follows from the lifetimes, as the store's does; the other three
// curves are made of it so that each has extremes of its own.
void build_device(const DeviceParts& parts, tidemark::DeviceColumns& out);

// Random lifetimes over `event_count` events: ties, zero sizes, equal neighbors, allocations before the history and
// allocations never freed.
DeviceParts random_parts(std::mt19937& random, size_t event_count, size_t allocation_count, bool with_times);

// Gives random parts addresses, reservations and completed frees: most allocations lie in a reservation, some reservations touch
// or come again, some frees stay pending, some are pending before the first event.
void add_places(std::mt19937& random, DeviceParts& parts);

// A training run: `resident` long-lived allocations, then steps of saved activations that are freed in reverse between
// many temporaries; every allocation has three events. About `event_count` events.
DeviceParts training_parts(std::mt19937& random, size_t event_count, size_t resident);

// `live` blocks of 512 bytes from before the history, and `event_count` events that replace some of them.
DeviceParts many_live_parts(std::mt19937& random, size_t event_count, size_t live);

}  // namespace tidemark_test
