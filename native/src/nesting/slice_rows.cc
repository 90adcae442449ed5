#include "nesting/slice_rows.h"

#include <algorithm>

#include "model/stoppable_sort.h"
#include "nesting/two_threads.h"

namespace tidemark {
namespace {

constexpr size_t kBlock = size_t{1} << 16;

int64_t marked_dur(const TraceSlice& slice) {
  switch (slice.phase) {
    case SlicePhase::begin: return kBeginMark;
    case SlicePhase::end: return kEndMark;
    default: return slice.dur_ns < 0 ? kOpenEnded : limited_dur(slice.dur_ns);
  }
}

bool is_before(const SliceRow& a, const SliceRow& b) {
  if (a.start != b.start) return a.start < b.start;
  if (a.dur != b.dur) return a.dur > b.dur;
  return a.index < b.index;
}

}  // namespace

ThreadRows rows_by_thread(const Trace& trace, const CaptureSpan& span, Progress& progress) {
  const size_t n = trace.slices.size();
  const size_t threads = trace.threads.size();
  const size_t pieces = (n + kBlock - 1) / kBlock;
  std::vector<size_t> places[2];  // where each half puts the next row of a thread
  std::vector<uint8_t> marked[2];
  std::vector<uint8_t> gpu[2];
  std::vector<uint8_t> category_is_gpu;
  for (const CategoryKind kind : trace.category_kinds) {
    category_is_gpu.push_back(kind == CategoryKind::gpu || kind == CategoryKind::gpu_annotation);
  }
  const auto each = [&](size_t half, auto&& take) {
    for (size_t p = half ? pieces / 2 : 0; p < (half ? pieces : pieces / 2) && !progress.cancel; ++p) {
      const size_t first = p * kBlock;
      const TraceSlice* slices = trace.slices.piece(first);
      for (size_t i = 0; i < std::min(kBlock, n - first); ++i) take(slices[i], first + i);
    }
  };
  run_on_two_threads(2, [&](size_t half) {
    places[half].assign(threads, 0);
    marked[half].assign(threads, 0);
    gpu[half].assign(threads, 0);
    each(half, [&](const TraceSlice& slice, size_t) {
      ++places[half][slice.thread];
      if (slice.phase != SlicePhase::complete) marked[half][slice.thread] = 1;
      if (category_is_gpu[slice.category]) gpu[half][slice.thread] = 1;
    });
  });
  ThreadRows out;
  out.first.reserve(threads + 1);
  size_t next = 0;
  for (size_t t = 0; t < threads; ++t) {
    out.first.push_back(next);
    out.has_begin_end.push_back(marked[0][t] | marked[1][t]);
    out.is_gpu.push_back(gpu[0][t] | gpu[1][t]);
    const size_t in_first_half = places[0][t];
    places[0][t] = next;
    next += in_first_half + places[1][t];
    places[1][t] = places[0][t] + in_first_half;
  }
  out.first.push_back(next);
  out.rows = Array<SliceRow>(next);
  run_on_two_threads(2, [&](size_t half) {
    each(half, [&](const TraceSlice& slice, size_t index) {
      out.rows[places[half][slice.thread]++] = {span.since_start(slice.start_ns), marked_dur(slice), static_cast<uint32_t>(index), 0};
    });
  });
  return out;
}

void sort_rows(SliceRow* rows, size_t count, const Progress& progress) { sort_until_cancelled(rows, count, is_before, progress); }

size_t pair_begin_end(SliceRow* rows, size_t count, Trace& trace, FoundCount& unmatched_end, FoundCount& unfinished,
                      const Progress& progress) {
  sort_until_cancelled(rows, count, [](const SliceRow& a, const SliceRow& b) { return a.start < b.start; }, progress);
  std::vector<size_t> open;
  for (size_t i = 0; i < count && (i % kBlock || !progress.cancel); ++i) {
    if (rows[i].dur == kBeginMark) open.push_back(i);
    if (rows[i].dur != kEndMark) continue;
    if (open.empty()) {
      unmatched_end.add(trace.slices[rows[i].index].source_offset);
      continue;
    }
    SliceRow& begin = rows[open.back()];
    begin.dur = limited_dur(rows[i].start - begin.start);
    trace.slices[begin.index].phase = SlicePhase::complete;
    open.pop_back();
  }
  for (const size_t i : open) {
    rows[i].dur = kOpenEnded;
    unfinished.add(trace.slices[rows[i].index].source_offset);
  }
  return static_cast<size_t>(std::remove_if(rows, rows + count, [](const SliceRow& row) { return row.dur <= kBeginMark; }) - rows);
}

void finish_unfinished(SliceRow* rows, size_t count, const CaptureSpan& span, Trace& trace) {
  int64_t end = -kFurthestNs;
  bool any = false;
  for (size_t i = 0; i < count; ++i) {
    any = any || rows[i].dur == kOpenEnded;
    const bool counts = rows[i].dur >= 0 && !span.is_long(rows[i].start, rows[i].dur);
    end = std::max(end, rows[i].start + (counts ? rows[i].dur : 0));
  }
  for (size_t i = 0; any && i < count; ++i) {
    if (rows[i].dur != kOpenEnded) continue;
    rows[i].dur = limited_dur(std::max<int64_t>(0, end - rows[i].start));
    trace.slices[rows[i].index].phase = SlicePhase::begin;
  }
}

}  // namespace tidemark
