#include "query/color_slot.h"

#include <algorithm>

#include "model/bits.h"

namespace tidemark {
namespace {

constexpr int64_t kNumberedSlots = 24;

uint8_t numbered_slot(int64_t index) { return static_cast<uint8_t>(1 + std::max<int64_t>(index, 0) % kNumberedSlots); }

}  // namespace

uint8_t stack_slot(const DeviceColumns& columns, int64_t stack_id) {
  if (stack_id < 0 || stack_id >= static_cast<int64_t>(columns.stack_slot.size())) return kNoStackSlot;
  const uint8_t slot = columns.stack_slot[static_cast<size_t>(stack_id)];
  // 0 would read as an empty cell and more than 6 bits as a separator: a damaged index must not draw either.
  return slot >= 1 && slot <= kMostSlot ? slot : kNoStackSlot;
}

uint8_t fixed_slot(const DeviceColumns& columns, ColorBy color_by, const uint8_t* categories, size_t index) {
  switch (color_by) {
    case ColorBy::size: {
      const uint64_t bytes = columns.size[index];
      return static_cast<uint8_t>(bytes == 0 ? 1 : std::clamp(highest_bit(bytes) - 8, 1, 32));
    }
    case ColorBy::stream: return numbered_slot(columns.stream.at(index));
    case ColorBy::pool: return numbered_slot(columns.pool.at(index));
    case ColorBy::category: return categories[index];
    default: return stack_slot(columns, columns.stack.at(index));
  }
}

int64_t AgeClock::now(int64_t event) const {
  return columns_.has_times ? columns_.time_ns.at(static_cast<size_t>(event)) : event;
}

uint8_t AgeClock::slot(int64_t birth, int64_t now) const {
  // Unsigned: times of a hostile file may lie further apart than int64 can say.
  uint64_t age = now > birth ? static_cast<uint64_t>(now) - static_cast<uint64_t>(birth) : 0;
  if (columns_.has_times) age /= 1000;
  if (age == UINT64_MAX) return 32;
  return static_cast<uint8_t>(1 + std::min(highest_bit(1 + age), 31));
}

}  // namespace tidemark
