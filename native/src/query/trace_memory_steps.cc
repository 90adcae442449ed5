#include "query/trace_memory_steps.h"

#include <algorithm>

#include "query/event_range.h"
#include "query/stoppable.h"

namespace tidemark {
namespace {

// How much the curve has risen and fallen in all before each event: the sums of a range are differences, however ranges overlap.
class RiseAndFall {
 public:
  Failure read(const DeviceColumns& device, const StopSignal& stop) {
    constexpr size_t kValues = 4096;
    int64_t values[kValues];
    held_.push_back(device.start[kAllocated]);
    risen_.push_back(0);
    fallen_.push_back(0);
    for (size_t first = 0; first < device.event_count; first += kValues) {
      if (is_stopped_at(first, stop)) return query_cancelled();
      const size_t count = std::min(kValues, device.event_count - first);
      device.curve[kAllocated].decode(first, count, values);
      for (size_t i = 0; i < count; ++i) add(values[i]);
    }
    return {};
  }

  void measure(const DeviceColumns& device, TraceStep& step) const {
    const auto from = static_cast<size_t>(step.start_event);
    const auto to = static_cast<size_t>(step.end_event);
    step.allocated_bytes = risen_[to] - risen_[from];
    step.freed_bytes = fallen_[to] - fallen_[from];
    step.growth_bytes = held_[to] - held_[from];
    step.peak_bytes = held_[from];
    if (from < to) step.peak_bytes = std::max(step.peak_bytes, curve_extremes(device, kAllocated, from, to).max);
  }

 private:
  void add(int64_t value) {
    const int64_t change = value - held_.back();
    held_.push_back(value);
    risen_.push_back(risen_.back() + std::max<int64_t>(change, 0));
    fallen_.push_back(fallen_.back() + std::max<int64_t>(-change, 0));
  }

  std::vector<int64_t> held_, risen_, fallen_;  // item i: before event i
};

// The first event at or after (`behind`: after) a time.
int64_t event_from(const DeviceColumns& device, int64_t time_ns, bool behind) {
  size_t from = 0;
  size_t to = device.event_count;
  while (from < to) {
    const size_t middle = from + (to - from) / 2;
    const int64_t at = device.time_ns.at(middle);
    if (behind ? at <= time_ns : at < time_ns) from = middle + 1;
    else to = middle;
  }
  return static_cast<int64_t>(from);
}

}  // namespace

Failure measure_steps(const DeviceColumns& device, const StopSignal& stop, std::vector<TraceStep>& steps) {
  RiseAndFall sums;
  const Failure failure = sums.read(device, stop);
  if (failure.failed()) return failure;
  for (TraceStep& step : steps) {
    if (device.has_times) {
      step.start_event = event_from(device, step.start_ns, false);
      step.end_event = std::max(step.start_event, event_from(device, step.end_ns, true));
    }
    sums.measure(device, step);
  }
  return {};
}

}  // namespace tidemark
