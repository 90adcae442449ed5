// Times of events in nanoseconds since the capture's start, made non-decreasing.
#pragma once

#include <vector>

#include "model/snapshot.h"

namespace tidemark {

// The span of the capture: from the first event or annotation of any device to the last; of a trace from its start on.
struct CaptureClock {
  bool has_times = false;
  int64_t unit_ns = 1000;  // of the times below and of those of the events: microseconds in a snapshot, 1 in a trace
  int64_t start = 0;       // Unix time in a snapshot, the file's time in a trace
  int64_t end = 0;

  // Nanoseconds since the start; 0 for times before it, limited to 104 days so that damaged times cannot overflow.
  int64_t since_start(int64_t time) const;
};

CaptureClock capture_clock(const Snapshot& snapshot);

class EventTimes {
 public:
  EventTimes(const DeviceTrace& trace, const CaptureClock& clock);

  // False when no event of the device has a time.
  bool known() const { return known_; }
  uint64_t backwards_count() const { return backwards_; }
  int64_t first_backwards() const { return first_backwards_; }

  // Writes the times of `count` events from `first` on, which is a multiple of the piece size of a Column.
  void fill(size_t first, size_t count, int64_t* out) const;
  int64_t at(size_t event) const;

 private:
  const DeviceTrace& trace_;
  const CaptureClock& clock_;
  std::vector<int64_t> before_piece_;  // the latest time before each piece
  bool known_ = false;
  uint64_t backwards_ = 0;
  int64_t first_backwards_ = -1;
};

}  // namespace tidemark
