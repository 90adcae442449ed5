#include "store/event_times.h"

#include <algorithm>

namespace tidemark {
namespace {

constexpr int64_t kLongestUs = 9'000'000'000'000;  // 104 days; ns of it fit into 53 bits, so JavaScript keeps them exact

using Times = Column<int64_t>;

}  // namespace

int64_t CaptureClock::since_start(int64_t time_us) const {
  if (time_us <= start_us) return 0;
  const uint64_t span = static_cast<uint64_t>(time_us) - static_cast<uint64_t>(start_us);
  return static_cast<int64_t>(std::min<uint64_t>(span, kLongestUs)) * 1000;
}

CaptureClock capture_clock(const Snapshot& snapshot) {
  CaptureClock clock;
  const auto see = [&](int64_t time_us) {
    if (time_us == kNoTime) return;
    clock.start_us = clock.has_times ? std::min(clock.start_us, time_us) : time_us;
    clock.end_us = clock.has_times ? std::max(clock.end_us, time_us) : time_us;
    clock.has_times = true;
  };
  for (const DeviceTrace& trace : snapshot.traces) {
    for (size_t i = 0; i < trace.time_us.size(); ++i) see(trace.time_us[i]);
  }
  for (const Annotation& annotation : snapshot.annotations) see(annotation.time_us);
  return clock;
}

EventTimes::EventTimes(const DeviceTrace& trace, const CaptureClock& clock) : trace_(trace), clock_(clock) {
  int64_t latest = 0;
  for (size_t i = 0; i < trace.time_us.size(); ++i) {
    if (i % Times::kPiece == 0) before_piece_.push_back(latest);
    const int64_t time_us = trace.time_us[i];
    if (time_us == kNoTime) continue;
    known_ = true;
    const int64_t ns = clock.since_start(time_us);
    if (ns < latest && backwards_++ == 0) first_backwards_ = static_cast<int64_t>(i);
    latest = std::max(latest, ns);
  }
}

void EventTimes::fill(size_t first, size_t count, int64_t* out) const {
  int64_t latest = before_piece_[first / Times::kPiece];
  for (size_t i = 0; i < count; ++i) {
    const int64_t time_us = trace_.time_us[first + i];
    if (time_us != kNoTime) latest = std::max(latest, clock_.since_start(time_us));
    out[i] = latest;
  }
}

int64_t EventTimes::at(size_t event) const {
  const size_t first = event / Times::kPiece * Times::kPiece;
  std::vector<int64_t> times(event - first + 1);
  fill(first, times.size(), times.data());
  return times.back();
}

}  // namespace tidemark
