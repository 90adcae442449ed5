#include "nesting/async_slices.h"

#include <numeric>
#include <unordered_map>

#include "model/stoppable_sort.h"

namespace tidemark {
namespace {

constexpr size_t kCancelPoints = size_t{1} << 14;

// The points of one key in order of time.
class KeyNesting {
 public:
  KeyNesting(const Trace& trace, const CaptureSpan& span, FoundCount& unmatched, std::vector<AsyncSlice>& out)
      : trace_(trace), span_(span), unmatched_(unmatched), out_(out) {}

  void run(const uint32_t* points, size_t count, const Progress& progress) {
    const int64_t first = time_of(points[0]);
    for (size_t i = 0; i < count && !is_cancelled_at(i, progress); ++i) {
      const TraceAsyncPoint& point = at(points[i]);
      switch (point.phase) {
        case 'b':
        case 'S':
          open(points[i]);
          break;
        case 'e':
        case 'F':
          close(points[i], first);
          break;
        default: add(points[i], time_of(points[i]));
      }
    }
    const int64_t last = time_of(points[count - 1]);
    while (!open_.empty()) {
      out_[open_.back()].is_unfinished = true;
      end_innermost(last, true);
    }
    open_names_.clear();
  }

 private:
  const TraceAsyncPoint& at(uint32_t point) const {
    return trace_.async_points.piece(point)[point & (Column<TraceAsyncPoint>::kPiece - 1)];
  }
  int64_t time_of(uint32_t point) const { return span_.since_start(at(point).time_ns); }

  uint32_t add(uint32_t point, int64_t start) {
    out_.push_back({start, 0, point, open_.empty() ? kNone : open_.back(), false});
    return static_cast<uint32_t>(out_.size() - 1);
  }
  void open(uint32_t point) {
    const uint32_t slice = add(point, time_of(point));
    open_.push_back(slice);
    ++open_names_[at(point).name];
  }
  void end_innermost(int64_t end, bool is_unmatched) {
    AsyncSlice& slice = out_[open_.back()];
    slice.dur = limited_dur(end - slice.start);
    open_.pop_back();
    const TraceAsyncPoint& begin = at(slice.point);
    --open_names_[begin.name];
    if (is_unmatched) unmatched_.add(begin.source.offset);
  }
  void close(uint32_t point, int64_t first) {
    const uint32_t name = at(point).name;
    const int64_t end = time_of(point);
    const bool any_name = name == kNone && !open_.empty();
    const auto known = open_names_.find(name);
    if (!any_name && (known == open_names_.end() || known->second == 0)) {
      unmatched_.add(at(point).source.offset);
      // It begins with its key, before whatever is open now: it lies inside nothing.
      out_.push_back({first, limited_dur(end - first), point, kNone, false});
      return;
    }
    while (!any_name && at(out_[open_.back()].point).name != name) end_innermost(end, true);
    end_innermost(end, false);
  }

  const Trace& trace_;
  const CaptureSpan& span_;
  FoundCount& unmatched_;
  std::vector<AsyncSlice>& out_;
  std::vector<uint32_t> open_;                        // slices, innermost last
  std::unordered_map<uint32_t, uint32_t> open_names_;  // how many of a name are open
};

}  // namespace

std::vector<AsyncSlice> async_slices(const Trace& trace, const CaptureSpan& span, FoundCount& unmatched, const Progress& progress) {
  std::vector<AsyncSlice> out;
  const size_t n = trace.async_points.size();
  std::vector<uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  const auto& points = trace.async_points;
  const auto earlier = [&](uint32_t a, uint32_t b) {
    const TraceAsyncPoint &p = points.piece(a)[a & (Column<TraceAsyncPoint>::kPiece - 1)], &q = points.piece(b)[b & (Column<TraceAsyncPoint>::kPiece - 1)];
    return p.key != q.key ? p.key < q.key : p.time_ns < q.time_ns;
  };
  sort_until_cancelled(order, earlier, progress);
  KeyNesting nesting(trace, span, unmatched, out);
  size_t looked_at = 0;
  for (size_t first = 0; first < n;) {
    if (first >= looked_at) {
      if (progress.cancel) break;
      looked_at = first + kCancelPoints;
    }
    const uint32_t key = points[order[first]].key;
    size_t end = first + 1;
    while (end < n && points[order[end]].key == key) ++end;
    nesting.run(order.data() + first, end - first, progress);
    first = end;
  }
  return out;
}

}  // namespace tidemark
