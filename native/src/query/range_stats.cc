#include "query/range_stats.h"

#include <cmath>

#include "model/json_number.h"
#include "query/event_range.h"

namespace tidemark {
namespace {

constexpr size_t kRun = 4096;  // values decoded at a time, and events of one integral: stays in the first-level cache

// to − from of two times in ascending order; unsigned, since a damaged index may hold times further apart than int64 says.
double elapsed(int64_t from, int64_t to) { return static_cast<double>(static_cast<uint64_t>(to) - static_cast<uint64_t>(from)); }

// How long the state after each event of [first, first + count) stood, in ns; the last event of all stands for no time.
void standing_times(const DeviceColumns& device, size_t first, size_t count, int64_t* time, double* weight) {
  const size_t with_next = std::min(count + 1, device.event_count - first);
  device.time_ns.decode(first, with_next, time);
  for (size_t i = 0; i + 1 < with_next; ++i) weight[i] = elapsed(time[i], time[i + 1]);
  if (with_next == count) weight[count - 1] = 0;
}

// Four running sums: one alone waits for each addition before the next.
double weighted_sum(const int64_t* values, const double* weight, size_t count) {
  double sums[4] = {};
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (size_t k = 0; k < 4; ++k) sums[k] += static_cast<double>(values[i + k]) * weight[i + k];
  }
  for (; i < count; ++i) sums[0] += static_cast<double>(values[i]) * weight[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// Adds value × weight of events [first, first + count), count ≤ kRun, of every curve to `sum`.
class RunIntegral {
 public:
  RunIntegral(const DeviceColumns& device, bool by_time) : device_(device), by_time_(by_time) {}

  void add(size_t first, size_t count, double (&sum)[kProgramCurveCount]) {
    if (by_time_) standing_times(device_, first, count, values_.data(), weight_.data());
    for (int curve = 0; curve < kProgramCurveCount; ++curve) {
      device_.curve[curve].decode(first, count, values_.data());
      sum[curve] += weighted_sum(values_.data(), weight_.data(), count);
    }
  }

 private:
  const DeviceColumns& device_;
  const bool by_time_;
  std::vector<int64_t> values_ = std::vector<int64_t>(kRun + 1);
  std::vector<double> weight_ = std::vector<double>(kRun, 1.0);
};

Failure find_means(const DeviceColumns& device, const CurveIntegrals& integrals, const StopSignal& stop, RangeStats& stats) {
  const size_t from = static_cast<size_t>(stats.from_event);
  const size_t to = static_cast<size_t>(stats.to_event);
  const bool by_time = device.has_times && stats.to_time_ns > stats.from_time_ns;
  // A range in which no time passes weighs its events alike, unlike the integrals of a device with times.
  const bool use_integrals = by_time == device.has_times;
  const double total = by_time ? elapsed(stats.from_time_ns, stats.to_time_ns) : static_cast<double>(to - from);
  RunIntegral integral(device, by_time);
  double sum[kProgramCurveCount] = {};
  for (size_t first = from; first < to;) {
    if (stop()) return query_cancelled();
    const size_t count = std::min(kRun - first % kRun, to - first);
    if (use_integrals && count == kRun) {
      for (int curve = 0; curve < kProgramCurveCount; ++curve) sum[curve] += integrals.run[curve][first / kRun];
    } else {
      integral.add(first, count, sum);
    }
    first += count;
  }
  for (int curve = 0; curve < kProgramCurveCount; ++curve) stats.curve[curve].mean = sum[curve] / total;
  return {};
}

void find_extremes(const DeviceColumns& device, RangeStats& stats) {
  const size_t from = static_cast<size_t>(stats.from_event);
  const size_t to = static_cast<size_t>(stats.to_event);
  for (int i = 0; i < kProgramCurveCount; ++i) {
    const Curve curve = static_cast<Curve>(i);
    CurveStats& found = stats.curve[i];
    const CurveExtremes extremes = curve_extremes(device, curve, from, to);
    found.min = extremes.min;
    found.max = extremes.max;
    found.min_event = first_event_at_minimum(device, curve, extremes.min, from, to);
    found.max_event = first_event_at_maximum(device, curve, extremes.max, from, to);
  }
}

void count_allocated(const DeviceColumns& device, RangeStats& stats) {
  const size_t begin = allocations_until(device, stats.from_event - 1);
  const size_t end = allocations_until(device, stats.to_event - 1);
  StackTotals by_stack(device);
  std::vector<int64_t> stack(kRun);
  for (size_t first = begin; first < end; first += kRun) {
    const size_t count = std::min(kRun, end - first);
    device.stack.decode(first, count, stack.data());
    for (size_t i = 0; i < count; ++i) {
      by_stack.add(stack[i], device.size[first + i]);
      stats.allocated_bytes += device.size[first + i];
    }
  }
  stats.allocated_count = end - begin;
  stats.top_stacks = by_stack.largest(kRangeStacks);
}

// What was freed in the range outlives the event before it and was made before its end.
void count_freed(const Lifetimes& lifetimes, RangeStats& stats) {
  const DeviceColumns& device = *lifetimes.columns;
  visit_outliving(lifetimes, stats.from_event - 1, allocations_until(device, stats.to_event - 1), [&](size_t index) {
    if (static_cast<int64_t>(device.free_requested[index]) < stats.to_event) {
      ++stats.freed_count;
      stats.freed_bytes += device.size[index];
    }
    return true;
  });
}

std::string number(double value) { return json_number(std::isfinite(value) ? value : 0.0); }

}  // namespace

Failure integrate_curves(const DeviceColumns& device, const StopSignal& stop, CurveIntegrals& out) {
  RunIntegral integral(device, device.has_times);
  CurveIntegrals result;
  for (size_t first = 0; first < device.event_count; first += kRun) {
    if (stop()) return query_cancelled();
    double sum[kProgramCurveCount] = {};
    integral.add(first, std::min(kRun, device.event_count - first), sum);
    for (int curve = 0; curve < kProgramCurveCount; ++curve) result.run[curve].push_back(sum[curve]);
  }
  out = std::move(result);
  return {};
}

Failure range_stats(const Lifetimes& lifetimes, const CurveIntegrals& integrals, int64_t from, int64_t to,
                       const StopSignal& stop, RangeStats& out) {
  const DeviceColumns& device = *lifetimes.columns;
  out = {};
  out.from_event = from;
  out.to_event = to;
  if (device.has_times) {
    const size_t last = device.event_count - 1;
    out.from_time_ns = device.time_ns.at(static_cast<size_t>(from));
    out.to_time_ns = device.time_ns.at(std::min(static_cast<size_t>(to), last));
  }
  const Failure error = find_means(device, integrals, stop, out);
  if (error.failed()) return error;
  find_extremes(device, out);
  count_allocated(device, out);
  if (stop()) return query_cancelled();
  count_freed(lifetimes, out);
  return {};
}

std::string to_json(const DeviceColumns& device, const RangeStats& stats) {
  const auto time = [&](int64_t ns) { return device.has_times ? std::to_string(ns) : std::string("null"); };
  std::string text = "{\"from_event\":" + std::to_string(stats.from_event) + ",\"to_event\":" + std::to_string(stats.to_event) +
                     ",\"from_time_ns\":" + time(stats.from_time_ns) + ",\"to_time_ns\":" + time(stats.to_time_ns) +
                     ",\"curves\":{";
  for (int i = 0; i < kProgramCurveCount; ++i) {
    const CurveStats& curve = stats.curve[i];
    if (i > 0) text += ",";
    text += std::string("\"") + kCurveNames[i] + "\":{\"min\":" + std::to_string(curve.min) +
            ",\"min_event\":" + std::to_string(curve.min_event) + ",\"mean\":" + number(curve.mean) +
            ",\"max\":" + std::to_string(curve.max) + ",\"max_event\":" + std::to_string(curve.max_event) + "}";
  }
  const int64_t net = static_cast<int64_t>(stats.allocated_bytes - stats.freed_bytes);
  text += "},\"allocated_count\":" + std::to_string(stats.allocated_count) +
          ",\"allocated_bytes\":" + std::to_string(stats.allocated_bytes) +
          ",\"freed_count\":" + std::to_string(stats.freed_count) + ",\"freed_bytes\":" + std::to_string(stats.freed_bytes) +
          ",\"net_bytes\":" + std::to_string(net) +
          ",\"top_stacks\":" + to_json(stats.top_stacks) + "}";
  return text;
}

}  // namespace tidemark
