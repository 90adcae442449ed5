#include "replay/allocator_rules.h"

#include <algorithm>

#include "model/bits.h"

namespace tidemark {
namespace {

// The next of `divisions` equal steps between the powers of two around `size`.
uint64_t round_to_division(uint64_t size, uint32_t divisions) {
  const uint64_t floor_power = uint64_t{1} << highest_bit(size);
  if (size == floor_power) return size;
  const uint64_t step = std::max<uint64_t>(floor_power / divisions, 1);
  return (size + step - 1) / step * step;
}

}  // namespace

uint64_t AllocatorRules::round_size(uint64_t requested) const {
  if (requested < kMinBlock) return kMinBlock;
  if (requested > (uint64_t{1} << 62)) return requested;  // no such memory exists; avoids overflow on damaged files
  const int size_class = std::clamp(highest_bit(requested) - 20, 0, kRoundupClasses - 1);
  const uint32_t divisions = roundup_divisions[size_class];
  if (divisions > 1 && requested > kMinBlock * divisions) return round_to_division(requested, divisions);
  return (requested + kMinBlock - 1) / kMinBlock * kMinBlock;
}

uint64_t AllocatorRules::least_request(uint64_t rounded) const {
  if (rounded <= kMinBlock) return 1;
  uint64_t below = 0, least = rounded;  // rounds to less, to `rounded`
  while (least - below > kMinBlock) {
    const uint64_t middle = below + (least - below) / 2;
    if (round_size(middle) < rounded) below = middle;
    else least = middle;
  }
  return least;
}

bool AllocatorRules::serves(uint64_t rounded, uint64_t available) const {
  if (rounded < max_split_size) return available < max_split_size;
  return available - rounded < max_non_split_rounding;
}

bool AllocatorRules::splits(uint64_t rounded, uint64_t available) const {
  const uint64_t rest = available - rounded;
  if (rounded <= kSmallLimit || expandable_segments) return rest >= kMinBlock;
  return rounded < max_split_size && rest > kSmallLimit;
}

}  // namespace tidemark
