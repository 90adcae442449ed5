#include "query/live_stack.h"

#include <algorithm>

namespace tidemark {

void LiveStack::clear() {
  bytes_.clear();
  member_.clear();
  place_of_.clear();
  for (std::vector<uint64_t>& sums : sums_) sums.clear();
  removed_.clear();
  places_changed_ = false;
  living_ = 0;
  total_ = 0;
}

void LiveStack::append(const uint64_t* bytes, size_t count) {
  const size_t first_place = bytes_.size();
  const uint32_t first_member = static_cast<uint32_t>(place_of_.size());
  bytes_.insert(bytes_.end(), bytes, bytes + count);
  member_.resize(first_place + count);
  place_of_.resize(first_member + count);
  for (size_t i = 0; i < count; ++i) {
    member_[first_place + i] = first_member + static_cast<uint32_t>(i);
    place_of_[first_member + i] = static_cast<uint32_t>(first_place + i);
    total_ += bytes[i];
  }
  living_ += count;
  sum_from(first_place);
}

// Sums again every node that holds a place ≥ `place`; those below it are unchanged.
void LiveStack::sum_from(size_t place) {
  const std::vector<uint64_t>* children = &bytes_;
  for (std::vector<uint64_t>& sums : sums_) {
    place >>= kFanBits;
    sums.resize((children->size() + kFan - 1) >> kFanBits);
    for (size_t node = place; node < sums.size(); ++node) {
      const size_t end = std::min(children->size(), (node + 1) << kFanBits);
      uint64_t sum = 0;
      for (size_t child = node << kFanBits; child < end; ++child) sum += (*children)[child];
      sums[node] = sum;
    }
    children = &sums;
  }
}

uint64_t LiveStack::remove(const uint32_t* members, size_t count) {
  const size_t lowest = count > 0 ? place_of_[members[0]] : bytes_.size();
  const uint64_t below = bytes_below(lowest);
  living_ -= count;
  // Summing one node costs about as much as passing over this many places.
  constexpr size_t kPlacesPerUpdate = 12;
  const bool all_anew = (bytes_.size() - lowest) < count * kPlacesPerUpdate;
  removed_.clear();
  for (size_t i = 0; i < count; ++i) {
    const size_t place = place_of_[members[i]];
    const uint64_t bytes = bytes_[place];
    if (!all_anew) {
      subtract(place, bytes);
      removed_.push_back({place, bytes});
    }
    total_ -= bytes;
    bytes_[place] = 0;
    member_[place] = kGone;
  }
  constexpr size_t kWorthwhile = 1024;
  places_changed_ = all_anew || bytes_.size() >= 2 * living_ + kWorthwhile;
  if (places_changed_) close_gaps(all_anew ? lowest : 0);
  return below;
}

LiveStack::Spot LiveStack::find(uint64_t offset) const {
  size_t node = 0;
  uint64_t bottom = 0;
  for (size_t level = kLevels + 1; level-- > 0;) {
    const std::vector<uint64_t>& items = level > 0 ? sums_[level - 1] : bytes_;
    const size_t end = level == kLevels ? items.size() : std::min(items.size(), node + kFan);
    while (node < end && bottom + items[node] <= offset) bottom += items[node++];
    if (node >= end) return {bytes_.size(), bottom};
    if (level > 0) node <<= kFanBits;
  }
  return {node, bottom};
}

void LiveStack::subtract(size_t place, uint64_t bytes) {
  for (std::vector<uint64_t>& sums : sums_) {
    place >>= kFanBits;
    sums[place] -= bytes;
  }
}

// Moves the living down over the gaps from place `lowest` on.
void LiveStack::close_gaps(size_t lowest) {
  size_t to = lowest;
  for (size_t from = lowest; from < bytes_.size(); ++from) {
    const uint32_t member = member_[from];
    if (member == kGone) continue;
    bytes_[to] = bytes_[from];
    member_[to] = member;
    place_of_[member] = static_cast<uint32_t>(to);
    ++to;
  }
  bytes_.resize(to);
  member_.resize(to);
  sum_from(lowest);
}

uint64_t LiveStack::bytes_below(size_t place) const {
  if (place >= bytes_.size()) return total_;
  uint64_t sum = 0;
  const std::vector<uint64_t>* items = &bytes_;
  size_t end = place;
  for (const std::vector<uint64_t>& parents : sums_) {
    for (size_t i = end & ~(kFan - 1); i < end; ++i) sum += (*items)[i];
    end >>= kFanBits;
    items = &parents;
  }
  for (size_t i = 0; i < end; ++i) sum += (*items)[i];
  return sum;
}

}  // namespace tidemark
