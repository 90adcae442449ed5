// Slices of one track on their way to their lanes: 24 bytes each instead of a whole TraceSlice, so that sorting and nesting stay in the cache.
#pragma once

#include <cstdint>
#include <vector>

#include "model/array.h"
#include "nesting/capture_span.h"

namespace tidemark {

struct SliceRow {
  int64_t start = 0;    // since the capture's start
  int64_t dur = 0;      // ≥ 0, or one of the marks below until pair_begin_end() and finish_unfinished() have seen to them
  uint32_t index = 0;   // of the slice in the file
  uint32_t place = 0;   // its lane within the track, later its slice_id
};

inline constexpr int64_t kOpenEnded = -1;  // lasts to the end of the track
inline constexpr int64_t kBeginMark = -2;  // phase B
inline constexpr int64_t kEndMark = -3;    // phase E

// A count of things found and the offset of the first of them in the source; −1 without one.
struct FoundCount {
  uint64_t count = 0;
  int64_t first_at = -1;

  void add(uint64_t offset) {
    ++count;
    const auto at = static_cast<int64_t>(offset);
    if (first_at < 0 || at < first_at) first_at = at;
  }
  void add(const FoundCount& more) {
    count += more.count;
    if (more.first_at >= 0 && (first_at < 0 || more.first_at < first_at)) first_at = more.first_at;
  }
};

// The rows of every thread, thread after thread, in file order.
struct ThreadRows {
  Array<SliceRow> rows;
  std::vector<size_t> first;      // by thread, and the end of the last
  std::vector<uint8_t> has_begin_end;  // by thread: some rows are of phase B or E
  std::vector<uint8_t> is_gpu;         // by thread: some rows are work of a GPU
};

ThreadRows rows_by_thread(const Trace& trace, const CaptureSpan& span, Progress& progress);

// Sorts rows by (start, longer first, file order).
void sort_rows(SliceRow* rows, size_t count, const Progress& progress);

// Pairs the B and E of one thread, each E with the innermost open B in order of time: B rows get a duration, kOpenEnded without an E; E rows
// are removed. Those with an E become SlicePhase::complete in the trace. Answers how many rows are left.
size_t pair_begin_end(SliceRow* rows, size_t count, Trace& trace, FoundCount& unmatched_end, FoundCount& unfinished,
                      const Progress& progress);

// Gives open-ended rows the end of the track: the latest start or end of a row, but of those that CaptureSpan::is_long. In the trace they become
// SlicePhase::begin.
void finish_unfinished(SliceRow* rows, size_t count, const CaptureSpan& span, Trace& trace);

}  // namespace tidemark
