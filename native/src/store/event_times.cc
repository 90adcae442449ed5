#include "store/event_times.h"

#include <algorithm>

namespace tidemark {
namespace {

constexpr int64_t kLongestNs = 9'000'000'000'000'000;  // 104 days; they fit into 53 bits, so JavaScript keeps them exact

using Times = Column<int64_t>;

}  // namespace

int64_t CaptureClock::since_start(int64_t time) const {
  if (time <= start) return 0;
  const uint64_t span = static_cast<uint64_t>(time) - static_cast<uint64_t>(start);
  return static_cast<int64_t>(std::min<uint64_t>(span, kLongestNs / unit_ns)) * unit_ns;
}

CaptureClock capture_clock(const Snapshot& snapshot) {
  CaptureClock clock;
  const auto see = [&](int64_t time) {
    if (time == kNoTime) return;
    clock.start = clock.has_times ? std::min(clock.start, time) : time;
    clock.end = clock.has_times ? std::max(clock.end, time) : time;
    clock.has_times = true;
  };
  for (const DeviceTrace& trace : snapshot.traces) {
    for (size_t i = 0; i < trace.time.size(); ++i) see(trace.time[i]);
  }
  for (const Annotation& annotation : snapshot.annotations) see(annotation.time_us);
  return clock;
}

EventTimes::EventTimes(const DeviceTrace& trace, const CaptureClock& clock) : trace_(trace), clock_(clock) {
  int64_t latest = 0;
  for (size_t i = 0; i < trace.time.size(); ++i) {
    if (i % Times::kPiece == 0) before_piece_.push_back(latest);
    const int64_t time = trace.time[i];
    if (time == kNoTime) continue;
    known_ = true;
    const int64_t ns = clock.since_start(time);
    if (ns < latest && backwards_++ == 0) first_backwards_ = static_cast<int64_t>(i);
    latest = std::max(latest, ns);
  }
}

void EventTimes::fill(size_t first, size_t count, int64_t* out) const {
  int64_t latest = before_piece_[first / Times::kPiece];
  for (size_t i = 0; i < count; ++i) {
    const int64_t time = trace_.time[first + i];
    if (time != kNoTime) latest = std::max(latest, clock_.since_start(time));
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
