#include <numeric>
#include <stdexcept>

#include "model/finding_log.h"
#include "model/stoppable_sort.h"
#include "nesting/async_slices.h"
#include "nesting/first_fit.h"
#include "nesting/flow_links.h"
#include "nesting/nest_rows.h"
#include "nesting/nested_trace.h"
#include "nesting/point_events.h"
#include "nesting/track_order.h"
#include "nesting/two_threads.h"

namespace tidemark {
namespace {

constexpr size_t kPiece = Column<TraceSlice>::kPiece;

// One thread's part of the work, and what is found on the way.
struct ThreadNesting {
  NestedRows nested;
  size_t row_count = 0;
  FoundCount unmatched_end, unfinished, overlaps, too_deep, long_ones;
};

// What each half of the slices finds while they go to their places.
struct HalfResult {
  std::vector<CorrelatedSlice> runtime, gpu;
  SliceEnds ends;
};

class Nesting {
 public:
  Nesting(Trace& trace, Progress& progress) : trace_(trace), progress_(progress) {}

  NestedTrace run() {
    if (trace_.slices.size() + trace_.async_points.size() >= kNone) throw std::length_error("more than 4 billion slices");
    span_ = capture_span(trace_, progress_);
    out_.start_ns = span_.start_ns;
    rows_ = rows_by_thread(trace_, span_, progress_);
    points_ = points_by_thread(trace_, span_, progress_);
    if (stopped()) return {};
    nest_threads();
    async_ = async_slices(trace_, span_, unmatched_async_, progress_);
    if (stopped()) return {};
    place();
    if (stopped()) return {};
    give_ids();
    if (stopped()) return {};
    move_slices();
    move_async();
    if (stopped()) return {};
    out_.duration_ns = std::max(span_.last_ns, ends_.last());
    out_.flows = link_flows(trace_, out_, slice_of_point_, std::move(runtime_), gpu_, unmatched_flow_, progress_);
    move_instants(trace_, span_, places_, out_, progress_);
    move_samples(trace_, span_, places_, out_, progress_);
    note_findings();
    return std::move(out_);
  }

 private:
  bool stopped() const { return progress_.cancel; }

  // Tasks by thread, the longest first.
  template <typename Work>
  void each_thread(Work work) {
    std::vector<uint32_t> order(trace_.threads.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto longer = [&](uint32_t a, uint32_t b) { return rows_.first[a + 1] - rows_.first[a] > rows_.first[b + 1] - rows_.first[b]; };
    sort_until_cancelled(order, longer, progress_);
    run_on_two_threads(order.size(), [&](size_t task) {
      if (!stopped()) work(order[task]);
    });
  }

  void nest_threads() {
    threads_.resize(trace_.threads.size());
    parents_ = Array<uint32_t>(rows_.rows.size());
    each_thread([&](uint32_t t) {
      SliceRow* rows = rows_.rows.begin() + rows_.first[t];
      size_t n = rows_.first[t + 1] - rows_.first[t];
      ThreadNesting& thread = threads_[t];
      if (rows_.has_begin_end[t]) n = pair_begin_end(rows, n, trace_, thread.unmatched_end, thread.unfinished, progress_);
      thread.row_count = n;
      finish_unfinished(rows, n, span_, trace_);
      sort_rows(rows, n, progress_);
      BoundPoint* points = points_.points.data() + points_.first[t];
      const size_t point_count = points_.first[t + 1] - points_.first[t];
      thread.nested = nest_rows(rows, n, parents_.begin() + rows_.first[t], points, point_count, progress_);
      if (stopped()) return;
      prefer_own_slice(trace_, rows, n, points, point_count, progress_);
      note_rows(rows, n, thread);
      progress_.done += n;
    });
  }
  void note_rows(const SliceRow* rows, size_t count, ThreadNesting& thread) {
    const auto offset = [&](uint32_t row) { return static_cast<int64_t>(trace_.slices[rows[row].index].source_offset); };
    if (thread.nested.overlaps) thread.overlaps = {thread.nested.overlaps, offset(thread.nested.first_overlap)};
    if (thread.nested.too_deep) thread.too_deep = {thread.nested.too_deep, offset(thread.nested.first_too_deep)};
    if (thread.nested.last_ns - span_.last_ns <= kOutlierNs) return;
    for (size_t i = 0; i < count; ++i) {
      if (span_.is_long(rows[i].start, rows[i].dur)) thread.long_ones.add(trace_.slices[rows[i].index].source_offset);
    }
  }

  void place() {
    TrackSources sources;
    for (const ThreadNesting& thread : threads_) sources.thread_slices.push_back(thread.row_count);
    sources.thread_is_gpu = rows_.is_gpu;
    places_ = place_tracks(trace_, sources, progress_);
    if (stopped()) return;
    out_.thread_track = places_.of_thread;
    place_async();
    if (stopped()) return;
    for (uint32_t t = 0; t < places_.tracks.size(); ++t) place_lanes(t);
    out_.tracks = std::move(places_.tracks);
  }
  void place_lanes(uint32_t t) {
    Track& track = places_.tracks[t];
    const NestedRows* nested = nullptr;
    if (track.thread != kNone) nested = &threads_[track.thread].nested;
    else if (track.kind == TrackKind::async) nested = &async_nested_[t];
    track.first_lane = static_cast<uint32_t>(out_.lanes.size());
    if (!nested || nested->lane_slices.empty()) return;
    track.first_ns = nested->first_ns;
    track.last_ns = nested->last_ns;
    track.busy_ns = nested->busy_ns;
    for (size_t depth = 0; depth < nested->lane_slices.size(); ++depth) {
      const uint64_t n = nested->lane_slices[depth];
      out_.lanes.push_back({t, static_cast<uint32_t>(depth), depth >= nested->depths, slice_count_, n});
      slice_count_ += n;
      track.slice_count += n;
    }
    track.lane_count = static_cast<uint32_t>(nested->lane_slices.size());
  }

  // Async slices first-fit, track after track.
  void place_async() {
    async_nested_.resize(places_.tracks.size());
    const auto track_of_slice = [&](const AsyncSlice& slice) {
      return places_.of_async_key[trace_.async_points[slice.point].key];
    };
    for (size_t i = 0; i < async_.size() && !is_cancelled_at(i, progress_); ++i) async_track_.push_back(track_of_slice(async_[i]));
    if (stopped()) return;
    async_order_.resize(async_.size());
    std::iota(async_order_.begin(), async_order_.end(), 0u);
    const auto earlier = [&](uint32_t a, uint32_t b) {
      if (async_track_[a] != async_track_[b]) return async_track_[a] < async_track_[b];
      return async_[a].start != async_[b].start ? async_[a].start < async_[b].start : async_[a].dur > async_[b].dur;
    };
    sort_until_cancelled(async_order_, earlier, progress_);
    FirstFit lanes;
    for (size_t i = 0; i < async_order_.size() && !is_cancelled_at(i, progress_); ++i) {
      const AsyncSlice& slice = async_[async_order_[i]];
      const uint32_t track = async_track_[async_order_[i]];
      NestedRows& nested = async_nested_[track];
      if (nested.lane_slices.empty()) {
        lanes = FirstFit();
        nested.first_ns = nested.last_ns = slice.start;
      }
      const int64_t end = slice.start + slice.dur;
      const size_t lane = lanes.place(slice.start, end);
      if (lane == nested.lane_slices.size()) nested.lane_slices.push_back(0);
      nested.depths = nested.lane_slices.size();
      ++nested.lane_slices[lane];
      nested.busy_ns += std::max<int64_t>(0, end - std::max(nested.last_ns, slice.start));
      nested.last_ns = std::max(nested.last_ns, end);
      async_lane_.push_back(static_cast<uint32_t>(lane));
    }
  }

  std::vector<uint64_t> first_of_lanes(const Track& track) const {
    std::vector<uint64_t> next;
    for (uint32_t l = 0; l < track.lane_count; ++l) next.push_back(out_.lanes[track.first_lane + l].first_slice);
    return next;
  }

  // The slice_ids of the rows; then what the file's order needs to know, so that the rows can be given up.
  void give_ids() {
    const size_t n = trace_.slices.size();
    id_ = Array<uint32_t>(n);
    parent_ = Array<uint32_t>(n);
    std::fill(id_.begin(), id_.end(), kNone);  // of E events
    slice_of_point_.assign(trace_.flow_points.size(), kNone);
    each_thread([&](uint32_t t) {
      const uint32_t track = out_.thread_track[t];
      if (track == kNone) return;
      SliceRow* rows = rows_.rows.begin() + rows_.first[t];
      const uint32_t* parents = parents_.begin() + rows_.first[t];
      std::vector<uint64_t> next = first_of_lanes(out_.tracks[track]);
      for (size_t i = 0; i < threads_[t].row_count && !is_cancelled_at(i, progress_); ++i) {
        SliceRow& row = rows[i];
        row.place = static_cast<uint32_t>(next[row.place]++);
        id_[row.index] = row.place;
        parent_[row.index] = parents[i] == kNone ? kNone : rows[parents[i]].place;
        TraceSlice& slice = trace_.slices[row.index];
        if (slice.dur_ns < 0) slice.dur_ns = row.dur;
      }
      for (size_t p = points_.first[t]; p < points_.first[t + 1] && !is_cancelled_at(p, progress_); ++p) {
        const BoundPoint& point = points_.points[p];
        if (point.row != kNone) slice_of_point_[point.point] = rows[point.row].place;
      }
    });
    rows_.rows.reset();
    parents_.reset();
  }

  void move_slices() {
    const size_t n = trace_.slices.size();
    const size_t pieces = (n + kPiece - 1) / kPiece;
    out_.slices = Array<NestedSlice>(slice_count_);
    HalfResult results[2];
    run_on_two_threads(2, [&](size_t half) {
      HalfResult result;
      for (size_t p = half ? pieces / 2 : 0; p < (half ? pieces : pieces / 2) && !stopped(); ++p) {
        const size_t first = p * kPiece;
        move_piece(trace_.slices.piece(first), first, std::min(kPiece, n - first), result);
        trace_.slices.free_piece(first);
      }
      results[half] = std::move(result);
    });
    trace_.slices.clear();
    id_.reset();
    parent_.reset();
    for (HalfResult& result : results) {
      ends_.add(result.ends);
      runtime_.insert(runtime_.end(), result.runtime.begin(), result.runtime.end());
      gpu_.insert(gpu_.end(), result.gpu.begin(), result.gpu.end());
      result = {};
    }
  }
  void move_piece(const TraceSlice* slices, size_t first, size_t count, HalfResult& result) {
    for (size_t i = 0; i < count; ++i) {
      const uint32_t id = id_[first + i];
      if (id == kNone) continue;
      const TraceSlice& from = slices[i];
      const uint32_t parent = parent_[first + i];
      const CategoryKind kind = trace_.category_kinds[from.category];
      NestedSlice to;
      to.start_ns = span_.since_start(from.start_ns);
      to.dur_ns = limited_dur(from.dur_ns);
      to.parent = parent == kNone ? kNoSlice : int64_t{parent};
      to.source_offset = from.source_offset;
      to.source_length = from.source_length;
      to.name = from.name;
      to.external_id = from.external_id;
      to.correlation = from.correlation;
      to.category = from.category;
      to.is_unfinished = from.phase != SlicePhase::complete;
      out_.slices[id] = to;
      if (kind != CategoryKind::span) note_end(to, result.ends);
      if (to.correlation == kNoId || to.correlation == 0) continue;
      if (kind == CategoryKind::runtime) result.runtime.push_back({to.correlation, id});
      else if (kind == CategoryKind::gpu) result.gpu.push_back({to.correlation, id});
    }
  }
  void note_end(const NestedSlice& slice, SliceEnds& ends) const {
    if (!span_.is_outlier(slice.start_ns) && !span_.is_long(slice.start_ns, slice.dur_ns)) {
      ends.add({slice.dur_ns, slice.start_ns + slice.dur_ns, slice.source_offset});
    }
  }

  void move_async() {
    std::vector<uint32_t> id_of(async_.size());
    std::vector<uint64_t> next;
    uint32_t track = kNone;
    for (size_t i = 0; i < async_order_.size(); ++i) {
      if (is_cancelled_at(i, progress_)) return;
      const uint32_t slice = async_order_[i];
      if (async_track_[slice] != track) {
        track = async_track_[slice];
        next = first_of_lanes(out_.tracks[track]);
      }
      id_of[slice] = static_cast<uint32_t>(next[async_lane_[i]]++);
    }
    for (uint32_t i = 0; i < async_.size() && !is_cancelled_at(i, progress_); ++i) {
      const AsyncSlice& from = async_[i];
      const TraceAsyncPoint point = trace_.async_points[from.point];
      NestedSlice to;
      to.start_ns = from.start;
      to.dur_ns = from.dur;
      to.parent = from.parent == kNone ? kNoSlice : int64_t{id_of[from.parent]};
      to.source_offset = point.source.offset;
      to.source_length = point.source.length;
      to.name = point.name;
      to.category = trace_.async_keys[point.key].category;
      to.is_unfinished = from.is_unfinished;
      out_.slices[id_of[i]] = to;
      note_end(to, ends_);
    }
    trace_.async_points.clear();
  }

  void note(const char* code, const char* severity, const FoundCount& found, const char* message) {
    if (found.count) out_.findings.push_back({code, severity, found.count, found.first_at, message});
  }
  void note_findings() {
    ThreadNesting all;
    for (const ThreadNesting& thread : threads_) {
      all.unmatched_end.add(thread.unmatched_end);
      all.unfinished.add(thread.unfinished);
      all.overlaps.add(thread.overlaps);
      all.too_deep.add(thread.too_deep);
      all.long_ones.add(thread.long_ones);
    }
    note("trace/overlap", "info", all.overlaps,
         "Slices that overlap with another one of their track without lying inside it; they are shown in rows of their own.");
    note("trace/too_deep", "warning", all.too_deep, "Slices nested more than 512 deep; they are shown in rows of their own.");
    note("trace/unmatched_end", "warning", all.unmatched_end, "End events (E) without a beginning; they were left out.");
    note("trace/unfinished", "info", all.unfinished, "Begin events (B) without an end; they last to the end of their track.");
    if (ends_.is_longest_odd(span_)) all.long_ones.add(ends_.longest().source_offset);
    note("trace/long_duration", "warning", all.long_ones, "Slices that last far longer than everything else.");
    note("trace/time_outlier", "warning", {span_.outliers, -1},
         "Events more than a day away from the rest; the capture's time range leaves them out.");
    note("trace/unmatched_async", "info", unmatched_async_, "Async events without their beginning or end.");
    note("trace/unmatched_flow", "info", {unmatched_flow_, -1}, "Flow events without a partner; files have many of them.");
  }

  Trace& trace_;
  Progress& progress_;
  NestedTrace out_;
  CaptureSpan span_;
  ThreadRows rows_;
  ThreadPoints points_;
  std::vector<ThreadNesting> threads_;
  Array<uint32_t> parents_;                // by row: the parent's row within its thread
  TrackPlaces places_;
  uint64_t slice_count_ = 0;
  Array<uint32_t> id_, parent_;            // by slice of the file: slice_ids
  std::vector<uint32_t> slice_of_point_;   // by flow point
  std::vector<CorrelatedSlice> runtime_, gpu_;
  std::vector<AsyncSlice> async_;
  std::vector<uint32_t> async_track_;      // by async slice
  std::vector<uint32_t> async_order_;      // async slices by track, then start
  std::vector<uint32_t> async_lane_;       // by place in async_order_
  std::vector<NestedRows> async_nested_;   // by track
  SliceEnds ends_;                         // of what says something of the capture's end
  FoundCount unmatched_async_;
  uint64_t unmatched_flow_ = 0;
};

}  // namespace

NestedTrace nest_trace(Trace& trace, Progress& progress) { return Nesting(trace, progress).run(); }

}  // namespace tidemark
