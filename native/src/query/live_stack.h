// The allocations of one pixel column, stacked: append at the top, remove anywhere, find the one that covers a byte offset.
// A sum tree of fan-out 16 keeps all of that independent of how many are alive.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/bits.h"

namespace tidemark {

// Members are numbered 0, 1, 2 … in stack order by the caller and arrive in that order.
class LiveStack {
 public:
  // Empties the stack; its memory stays for the next use.
  void clear();

  // Puts the next `count` members on top; bytes[i] is the size of member arrived() + i.
  void append(const uint64_t* bytes, size_t count);
  // Takes members, in ascending order, out; answers the bytes below the lowest of them, of all when there is none.
  uint64_t remove(const uint32_t* members, size_t count);

  size_t arrived() const { return place_of_.size(); }
  // Of the last remove(): what left, lowest first, with its place at that time; and whether places have changed since.
  struct Removed {
    size_t place = 0;
    uint64_t bytes = 0;
  };
  const std::vector<Removed>& removed() const { return removed_; }
  bool places_changed() const { return places_changed_; }
  // The place of a living member. It is the same as long as places_changed() is false.
  size_t place_of(uint32_t member) const { return place_of_[member]; }
  // Says that visit_covering() will soon look from this place on, some steps up.
  void prefetch(size_t place) const {
    for (size_t step = 0; step <= 16; step += 8) tidemark::prefetch(bytes_.data() + place + step);
    for (size_t step = 0; step <= 16; step += 16) tidemark::prefetch(member_.data() + place + step);
  }

  // A place and the bytes below it.
  struct Spot {
    size_t place = 0;
    uint64_t bottom = 0;
  };
  // Calls band(member, spot, top) for the member that covers byte `offset`; band answers the next offset looked for (≥ top),
  // and so on to the top of the stack or kEnd. hint() may answer a spot not above the offset looked for, from which the
  // member can be reached in a few steps; {} when it knows none.
  static constexpr uint64_t kEnd = UINT64_MAX;
  template <class Hint, class Band>
  void visit_covering(uint64_t offset, Hint&& hint, Band&& band) const {
    Spot at;
    while (offset < total_) {
      const Spot near = hint();
      if (near.place > at.place && near.bottom <= offset) at = near;
      if (!step_to(offset, at)) at = find(offset);
      if (at.place >= bytes_.size()) return;
      const uint64_t top = at.bottom + bytes_[at.place];
      offset = band(member_[at.place], at, top);
      at = {at.place + 1, top};
    }
  }

 private:
  static constexpr size_t kFanBits = 4;
  static constexpr size_t kFan = size_t{1} << kFanBits;
  static constexpr size_t kLevels = 4;
  static constexpr uint32_t kGone = UINT32_MAX;

  // Moves `at` up to the place that covers `offset`, if that is near.
  bool step_to(uint64_t offset, Spot& at) const {
    constexpr size_t kMostSteps = 40;  // about what find() costs
    const size_t end = std::min(bytes_.size(), at.place + kMostSteps);
    for (; at.place < end; ++at.place) {
      const uint64_t top = at.bottom + bytes_[at.place];
      if (top > offset) return true;
      at.bottom = top;
    }
    return false;
  }
  Spot find(uint64_t offset) const;
  uint64_t bytes_below(size_t place) const;
  void sum_from(size_t place);
  void subtract(size_t place, uint64_t bytes);
  void close_gaps(size_t lowest);

  // A place is a position in the stack; removed members leave gaps that are closed when there are many.
  std::vector<uint64_t> bytes_;          // by place; 0 when removed
  std::vector<uint32_t> member_;         // by place; kGone when removed
  std::vector<uint64_t> sums_[kLevels];  // sums_[k][i] covers places [i << 4(k+1), (i + 1) << 4(k+1))
  std::vector<uint32_t> place_of_;       // by member
  std::vector<Removed> removed_;
  bool places_changed_ = false;
  size_t living_ = 0;
  uint64_t total_ = 0;
};

}  // namespace tidemark
