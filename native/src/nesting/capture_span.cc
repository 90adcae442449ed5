#include "nesting/capture_span.h"

#include <array>
#include <limits>
#include <map>

#include "model/bits.h"
#include "nesting/two_threads.h"

namespace tidemark {
namespace {

constexpr int64_t kHourNs = kOutlierNs / 24;
constexpr size_t kCancelItems = size_t{1} << 16;

struct Extent {
  int64_t first = std::numeric_limits<int64_t>::max();
  int64_t last = std::numeric_limits<int64_t>::min();
  uint64_t count = 0;

  void add(int64_t time) {
    first = std::min(first, time);
    last = std::max(last, time);
    ++count;
  }
  void add(const Extent& more) {
    first = std::min(first, more.first);
    last = std::max(last, more.last);
    count += more.count;
  }
};

bool is_further(int64_t earlier, int64_t later) {
  int64_t apart;
  return subtract_overflows(later, earlier, apart) || apart > kOutlierNs;
}

// Marks of the whole trace tell when a recorder was switched, not when something ran: Kineto's "Record Window End" may lie seconds behind all else.
bool is_mark_of_trace(const TraceInstant& instant) { return instant.scope == 'g'; }
template <typename Item>
bool is_mark_of_trace(const Item&) {
  return false;
}

template <typename Item, typename Take>
void each_time(const Column<Item>& column, Progress& progress, Take&& take) {
  for (size_t first = 0; first < column.size() && !progress.cancel; first += kCancelItems) {
    const Item* items = column.piece(first);
    const size_t n = std::min(kCancelItems, column.size() - first);
    for (size_t i = 0; i < n; ++i) {
      if (!is_mark_of_trace(items[i])) take(items[i].time_ns);
    }
  }
}

// take(time) for every event but slices and marks of the whole trace.
template <typename Take>
void each_other_time(const Trace& trace, Progress& progress, Take&& take) {
  each_time(trace.instants, progress, take);
  each_time(trace.samples, progress, take);
  each_time(trace.flow_points, progress, take);
  each_time(trace.async_points, progress, take);
  each_time(trace.memory_events, progress, take);
}

bool is_span(const Trace& trace, const TraceSlice& slice) { return trace.category_kinds[slice.category] == CategoryKind::span; }

// Of the slices: [0] the others, [1] span rows.
std::array<Extent, 2> slice_extents(const Trace& trace, Progress& progress) {
  const size_t pieces = (trace.slices.size() + kCancelItems - 1) / kCancelItems;
  std::array<std::array<Extent, 2>, 2> halves;
  run_on_two_threads(2, [&](size_t half) {
    std::array<Extent, 2> out;
    for (size_t p = half ? pieces / 2 : 0; p < (half ? pieces : pieces / 2) && !progress.cancel; ++p) {
      const size_t first = p * kCancelItems;
      const TraceSlice* slices = trace.slices.piece(first);
      const size_t n = std::min(kCancelItems, trace.slices.size() - first);
      for (size_t i = 0; i < n; ++i) out[is_span(trace, slices[i])].add(slices[i].start_ns);
    }
    halves[half] = out;
  });
  halves[0][0].add(halves[1][0]);
  halves[0][1].add(halves[1][1]);
  return halves[0];
}

// The stretch with the most events among those that lie more than kOutlierNs from each other.
Extent largest_cluster(const Trace& trace, bool of_spans, Progress& progress) {
  std::map<int64_t, Extent> hours;
  const auto note = [&](int64_t time) { hours[time / kHourNs].add(time); };
  for (size_t i = 0; i < trace.slices.size(); ++i) {
    if (i % kCancelItems == 0 && progress.cancel) break;
    if (is_span(trace, trace.slices[i]) == of_spans) note(trace.slices[i].start_ns);
  }
  if (!of_spans) each_other_time(trace, progress, note);
  Extent best, current;
  for (const auto& [hour, extent] : hours) {
    if (current.count > 0 && is_further(current.last, extent.first)) current = {};
    current.add(extent);
    if (current.count > best.count) best = current;
  }
  return best;
}

// Of a trace that has nothing else.
CaptureSpan span_of_marks(const Trace& trace) {
  Extent all;
  for (size_t i = 0; i < trace.instants.size(); ++i) all.add(trace.instants[i].time_ns);
  CaptureSpan out;
  if (all.count == 0) return out;
  out.start_ns = all.first;
  out.last_ns = out.since_start(all.last);
  return out;
}

}  // namespace

CaptureSpan capture_span(const Trace& trace, Progress& progress) {
  const std::array<Extent, 2> slices = slice_extents(trace, progress);
  Extent all = slices[0];
  each_other_time(trace, progress, [&](int64_t time) { all.add(time); });
  const bool of_spans = all.count == 0;
  if (of_spans) all = slices[1];
  CaptureSpan out;
  if (all.count == 0) return span_of_marks(trace);
  Extent main = all;
  if (is_further(all.first, all.last)) main = largest_cluster(trace, of_spans, progress);
  if (main.count == 0) return out;  // cancelled
  out.start_ns = main.first;
  out.last_ns = out.since_start(main.last);
  out.outliers = all.count - main.count;
  out.has_outliers = out.outliers > 0;
  return out;
}

}  // namespace tidemark
