// Color slots of allocations (native/README.md, color_by): small numbers that the renderer maps to a palette.
#pragma once

#include <cstdint>

#include "store/device_columns.h"
#include "store/stack_slots.h"

namespace tidemark {

enum class ColorBy { stack, size, age, stream, pool, category };

inline constexpr uint8_t kMostSlot = 63;
inline constexpr uint8_t kUnknownAgeSlot = 32;
inline constexpr uint8_t kLeftOutSlot = 63;  // what a filter leaves out

// Slot of a stack_id; kNoStackSlot for −1.
uint8_t stack_slot(const DeviceColumns& columns, int64_t stack_id);

// Slot of allocation `index` under a coloring that does not change over time (all but age). `categories`: by allocation, for that coloring.
uint8_t fixed_slot(const DeviceColumns& columns, ColorBy color_by, const uint8_t* categories, size_t index);

// Slots by age at one event. Ages are in microseconds, in events where the file has no times.
class AgeClock {
 public:
  explicit AgeClock(const DeviceColumns& columns) : columns_(columns) {}
  // Where allocation `index` was born on this clock; only for a known birth.
  int64_t birth(size_t index) const { return now(columns_.alloc_event[index]); }
  // The clock at `event` ≥ 0, in nanoseconds or events.
  int64_t now(int64_t event) const;
  uint8_t slot(int64_t birth, int64_t now) const;

 private:
  const DeviceColumns& columns_;
};

}  // namespace tidemark
