#include "nesting/flow_links.h"

#include <algorithm>
#include <numeric>

#include "nesting/bucket_sort.h"
#include "nesting/two_threads.h"

namespace tidemark {
namespace {

// How many rows of one start are searched for a point's own slice.
constexpr size_t kMostTies = 64;

// Bits of the number of a bucket, for a few of `items` in each.
int bits_for(size_t items) {
  int bits = 1;
  while (bits < 24 && items >> (bits + 2) > 0) ++bits;
  return bits;
}

bool stands_on_slice(char phase) { return phase == 'o' || phase == 'i' || phase == 'b'; }

// Of points of one time: what starts a flow, what goes on, what ends.
int rank_of(char phase) {
  switch (phase) {
    case 's':
    case 'o': return 0;
    case 't':
    case 'b': return 1;
    default: return 2;
  }
}

void link_correlations(const NestedTrace& nested, std::vector<CorrelatedSlice>& runtime, const std::vector<CorrelatedSlice>& gpu,
                       std::vector<NestedFlow>& out, const Progress& progress) {
  const auto start_of = [&](uint32_t slice) { return nested.slices[slice].start_ns; };
  const auto earlier = [&](const CorrelatedSlice& a, const CorrelatedSlice& b) {
    if (a.correlation != b.correlation) return a.correlation < b.correlation;
    const int64_t first = start_of(a.slice), second = start_of(b.slice);
    return first != second ? first < second : a.slice < b.slice;
  };
  sort_until_cancelled(runtime, earlier, progress);
  for (size_t i = 0; i < gpu.size() && !is_cancelled_at(i, progress); ++i) {
    const int64_t start = start_of(gpu[i].slice);
    auto call = std::upper_bound(runtime.begin(), runtime.end(), gpu[i], [&](const CorrelatedSlice& g, const CorrelatedSlice& r) {
      return g.correlation != r.correlation ? g.correlation < r.correlation : start < start_of(r.slice);
    });
    // Ids of several processes may be alike: the last call before the work, else the first.
    if (call != runtime.begin() && (call - 1)->correlation == gpu[i].correlation) --call;
    else if (call == runtime.end() || call->correlation != gpu[i].correlation) continue;
    out.push_back({call->slice, gpu[i].slice, kNone, 0});
  }
}

// The points of one flow id in order of time.
class FlowOfId {
 public:
  FlowOfId(const Trace& trace, const std::vector<uint32_t>& slice_of_point, std::vector<NestedFlow>& out)
      : trace_(trace), slice_of_point_(slice_of_point), out_(out) {}

  // Answers how many of the points are in no pair.
  uint64_t run(const uint32_t* points, size_t count, const Progress& progress) {
    uint64_t unmatched = 0;
    for (size_t i = 0; i < count && !is_cancelled_at(i, progress); ++i) unmatched += take(points[i], trace_.flow_points[points[i]].phase);
    return unmatched + turn_to(kNone, false);
  }

 private:
  // Answers how many points are now known to be in no pair.
  uint64_t take(uint32_t point, char phase) {
    if (slice_of_point_[point] == kNone) return 1;
    if (phase == 'o') return turn_to(point, false);
    if (phase == 's') return open_ == kNone ? turn_to(point, false) : 1;  // catapult keeps the first
    if (open_ == kNone) return 1;
    pair(point);
    if (rank_of(phase) == 1) return turn_to(point, true);
    return phase == 'f' ? turn_to(kNone, false) : 0;  // several slices may take in what one gives out
  }
  uint64_t turn_to(uint32_t point, bool is_paired) {
    const uint64_t lost = open_ != kNone && !is_paired_;
    open_ = point;
    is_paired_ = is_paired;
    return lost;
  }
  void pair(uint32_t point) {
    const uint32_t from = slice_of_point_[open_], to = slice_of_point_[point];
    is_paired_ = true;
    const TraceFlowPoint& start = trace_.flow_points[open_];
    if (from != to) out_.push_back({from, to, start.name, start.category});
  }

  const Trace& trace_;
  const std::vector<uint32_t>& slice_of_point_;
  std::vector<NestedFlow>& out_;
  uint32_t open_ = kNone;  // the point from which the flow goes on
  bool is_paired_ = false;
};

uint64_t link_points(const Trace& trace, const std::vector<uint32_t>& slice_of_point, std::vector<NestedFlow>& out,
                     const Progress& progress) {
  struct Key {
    uint64_t id;
    int64_t time;
    uint32_t point;
    int rank;
  };
  const size_t n = trace.flow_points.size();
  std::vector<Key> keys;
  keys.reserve(n);
  for (uint32_t i = 0; i < n; ++i) {
    if (is_cancelled_at(i, progress)) return 0;
    const TraceFlowPoint point = trace.flow_points[i];
    keys.push_back({point.id, point.time_ns, i, rank_of(point.phase)});
  }
  const int shift = 64 - bits_for(n);  // ids are hashes: spread over all values
  const auto earlier = [](const Key& a, const Key& b) {
    if (a.id != b.id) return a.id < b.id;
    if (a.time != b.time) return a.time < b.time;
    return a.rank != b.rank ? a.rank < b.rank : a.point < b.point;
  };
  bucket_sort(keys, size_t{1} << bits_for(n), [&](const Key& key) { return static_cast<size_t>(key.id >> shift); }, earlier, progress);
  std::vector<uint32_t> points(n);
  for (size_t i = 0; i < n; ++i) points[i] = keys[i].point;
  FlowOfId flow(trace, slice_of_point, out);
  uint64_t unmatched = 0;
  for (size_t first = 0; first < n && !progress.cancel;) {
    size_t end = first + 1;
    while (end < n && keys[end].id == keys[first].id) ++end;
    unmatched += flow.run(points.data() + first, end - first, progress);
    first = end;
  }
  return unmatched;
}

}  // namespace

ThreadPoints points_by_thread(const Trace& trace, const CaptureSpan& span, const Progress& progress) {
  const size_t n = trace.flow_points.size();
  ThreadPoints out;
  out.first.assign(trace.threads.size() + 1, 0);
  for (size_t i = 0; i < n && !is_cancelled_at(i, progress); ++i) ++out.first[trace.flow_points[i].thread + 1];
  for (size_t t = 0; t < trace.threads.size(); ++t) out.first[t + 1] += out.first[t];
  std::vector<size_t> next(out.first.begin(), out.first.end() - 1);
  out.points.resize(n);
  if (progress.cancel) return out;
  for (uint32_t i = 0; i < n && !is_cancelled_at(i, progress); ++i) {
    const TraceFlowPoint point = trace.flow_points[i];
    out.points[next[point.thread]++] = {span.since_start(point.time_ns), i, !point.binds_enclosing, kNone};
  }
  for (size_t t = 0; t < trace.threads.size() && !progress.cancel; ++t) {
    const auto earlier = [](const BoundPoint& a, const BoundPoint& b) { return a.time < b.time; };
    sort_until_cancelled(out.points.data() + out.first[t], out.first[t + 1] - out.first[t], earlier, progress);
  }
  return out;
}

void prefer_own_slice(const Trace& trace, const SliceRow* rows, size_t row_count, BoundPoint* points, size_t point_count,
                      const Progress& progress) {
  for (size_t p = 0; p < point_count && !is_cancelled_at(p, progress); ++p) {
    const TraceFlowPoint flow = trace.flow_points[points[p].point];
    if (!stands_on_slice(flow.phase)) continue;
    const SliceRow* row =
        std::lower_bound(rows, rows + row_count, points[p].time, [](const SliceRow& r, int64_t time) { return r.start < time; });
    for (size_t tie = 0; tie < kMostTies && row < rows + row_count && row->start == points[p].time; ++tie, ++row) {
      if (trace.slices[row->index].name == flow.name) points[p].row = static_cast<uint32_t>(row - rows);
    }
  }
}

std::vector<NestedFlow> link_flows(const Trace& trace, const NestedTrace& nested, const std::vector<uint32_t>& slice_of_point,
                                   std::vector<CorrelatedSlice> runtime, const std::vector<CorrelatedSlice>& gpu, uint64_t& unmatched,
                                   const Progress& progress) {
  std::vector<NestedFlow> out, correlated;
  run_on_two_threads(2, [&](size_t task) {
    if (task == 0) unmatched = link_points(trace, slice_of_point, out, progress);
    else link_correlations(nested, runtime, gpu, correlated, progress);
  });
  out.insert(out.end(), correlated.begin(), correlated.end());
  // Named ones come first of equal pairs, so that these stay.
  const size_t buckets = size_t{1} << bits_for(out.size());
  const size_t width = nested.slices.size() / buckets + 1;
  bucket_sort(out, buckets, [&](const NestedFlow& flow) { return static_cast<size_t>(flow.from / width); },
              [](const NestedFlow& a, const NestedFlow& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; }, progress);
  out.erase(std::unique(out.begin(), out.end(), [](const NestedFlow& a, const NestedFlow& b) { return a.from == b.from && a.to == b.to; }),
            out.end());
  return out;
}

}  // namespace tidemark
