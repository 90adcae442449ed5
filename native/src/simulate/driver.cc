#include "simulate/driver.h"

#include <algorithm>

namespace tidemark {
namespace {

// CUDA maps fresh stretches of whole 32 MiB, each below the one before, and fills what is left of them later.
constexpr uint64_t kStretch = uint64_t{32} << 20;
constexpr uint64_t kFirstAddress = uint64_t{0x7f00} << 32;

}  // namespace

void Driver::grow(uint64_t bytes) {
  reserved_ += bytes;
  peak_ = std::max(peak_, reserved_);
}

void Driver::adopt(uint64_t address, uint64_t bytes) {
  occupy(address, bytes);
  grow(bytes);
}

uint64_t Driver::take(uint64_t bytes, const SegmentPlace& recorded) {
  const bool is_known = recorded.bytes == bytes && is_clear(recorded.address, bytes);
  const uint64_t address = is_known ? recorded.address : find_place(bytes);
  ++take_count_;
  last_taken_ = bytes;
  occupy(address, bytes);
  grow(bytes);
  return address;
}

void Driver::give_back(uint64_t address, uint64_t bytes) {
  taken_.erase(address);
  reserved_ -= bytes;
  auto next = holes_.lower_bound(address);
  if (next != holes_.end() && next->first == address + bytes) {
    bytes += next->second;
    next = holes_.erase(next);
  }
  if (next != holes_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == address) {
      before->second += bytes;
      return;
    }
  }
  holes_[address] = bytes;
}

bool Driver::is_clear(uint64_t address, uint64_t bytes) const {
  if (bytes > UINT64_MAX - address) return false;
  const auto next = taken_.lower_bound(address);
  if (next != taken_.end() && next->first < address + bytes) return false;
  if (next == taken_.begin()) return true;
  const auto before = std::prev(next);
  return before->first + before->second <= address;
}

// The lowest hole that is large enough; else the start of a new stretch.
uint64_t Driver::find_place(uint64_t bytes) {
  for (const auto& [address, size] : holes_) {
    if (size >= bytes) return address;
  }
  const uint64_t stretch = (bytes + kStretch - 1) / kStretch * kStretch;
  const uint64_t lowest = taken_.empty() ? kFirstAddress : taken_.begin()->first;
  const uint64_t below = std::min(lowest, holes_.empty() ? lowest : holes_.begin()->first) / kStretch * kStretch;
  if (below > stretch) {
    holes_[below - stretch] = stretch;
    return below - stretch;
  }
  const uint64_t highest = std::prev(taken_.end())->first + std::prev(taken_.end())->second;
  return (highest + kStretch - 1) / kStretch * kStretch;
}

void Driver::cut_hole(uint64_t from, uint64_t to) {
  auto hole = holes_.upper_bound(from);
  if (hole != holes_.begin()) --hole;
  while (hole != holes_.end() && hole->first < to) {
    const uint64_t start = hole->first, end = hole->first + hole->second;
    if (end <= from) {
      ++hole;
      continue;
    }
    hole = holes_.erase(hole);
    if (start < from) holes_[start] = from - start;
    if (end > to) holes_[to] = end - to;
  }
}

// What is left behind `end` of the stretch that a recorded segment began.
void Driver::add_rest(uint64_t end) {
  uint64_t to = (end + kStretch - 1) / kStretch * kStretch;
  const auto taken = taken_.lower_bound(end);
  if (taken != taken_.end()) to = std::min(to, taken->first);
  const auto hole = holes_.lower_bound(end);
  if (hole != holes_.end()) to = std::min(to, hole->first);
  if (to > end) holes_[end] = to - end;
}

bool Driver::is_hole(uint64_t address) const {
  const auto next = holes_.upper_bound(address);
  return next != holes_.begin() && std::prev(next)->first + std::prev(next)->second > address;
}

void Driver::occupy(uint64_t address, uint64_t bytes) {
  taken_[address] = bytes;
  if (!is_hole(address)) add_rest(address + bytes);
  cut_hole(address, address + bytes);
}

}  // namespace tidemark
