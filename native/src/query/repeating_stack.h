// The stack that comes back most evenly: the beat of a program that tells its steps in no other way.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "store/device_columns.h"

namespace tidemark {

class RepeatingStack {
 public:
  explicit RepeatingStack(size_t items) : beats_(items) {}

  // Allocations in order of their events; `item` is stack_id + 1.
  void add(size_t item, int64_t event) {
    if (item >= beats_.size()) return;
    Beat& beat = beats_[item];
    if (beat.count == 0) beat.first = event;
    if (beat.count > 0) {
      beat.shortest = std::min(beat.shortest, event - beat.last);
      beat.longest = std::max(beat.longest, event - beat.last);
    }
    beat.last = event;
    ++beat.count;
  }

  // When the steadiest stack made its allocations; empty where none did so at least kLeastTimes times and evenly. Of several
  // the one with the longest gaps counts, then the one that came first: what happens once a step, and at its start.
  std::vector<int64_t> times(const DeviceColumns& device) const {
    size_t best = beats_.size();
    for (size_t item = 1; item < beats_.size(); ++item) {
      if (!beats_[item].is_even()) continue;
      if (best == beats_.size() || beats_[item].is_before(beats_[best])) best = item;
    }
    std::vector<int64_t> out;
    if (best == beats_.size()) return out;
    for (size_t i = 0; i < device.alloc_event.size(); ++i) {
      if (device.alloc_event[i] != kBefore && device.stack.at(i) + 1 == static_cast<int64_t>(best)) out.push_back(device.alloc_event[i]);
    }
    return out;
  }

 private:
  static constexpr int64_t kLeastTimes = 3;
  struct Beat {
    int64_t count = 0, first = 0, last = 0;
    int64_t shortest = INT64_MAX, longest = 0;

    // Gaps that differ by no more than a quarter.
    bool is_even() const { return count >= kLeastTimes && longest - shortest <= longest / 4; }
    bool is_before(const Beat& other) const { return longest != other.longest ? longest > other.longest : first < other.first; }
  };
  std::vector<Beat> beats_;
};

}  // namespace tidemark
