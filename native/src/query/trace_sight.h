// Which rows of a lane lie in a range of time, at the resolution of a picture.
#pragma once

#include <cstdint>

#include "model/bits.h"
#include "query/trace_index.h"

namespace tidemark {

// [t0, t1) in nanoseconds since the capture's start, cut into `columns` columns.
struct TimeRange {
  double t0 = 0;
  double t1 = 0;
  int64_t columns = 1;
  double width() const { return (t1 - t0) / static_cast<double>(columns); }
};

inline constexpr int64_t kMostTraceColumns = 16384;

// `query/bad_argument` unless t0 < t1, both finite, and a column is 1 to 16384 of them, of a length that is a normal number.
Failure check_time_range(const TimeRange& range);

// The first whole nanosecond at or after a time; times beyond ±146 years are taken for these.
int64_t whole_ns(double time);

// The end of a slice; a damaged index cannot make it overflow or lie before the start.
inline int64_t end_of(int64_t start, int64_t duration) {
  int64_t end = start;
  if (duration > 0 && add_overflows(start, duration, end)) end = INT64_MAX;
  return end;
}

// Rows that are looked at instead of a lane's slices: the slices themselves, or the items of one of its levels.
struct LaneRows {
  bool is_level = false;
  RowStretch rows;
};

// The largest kept level with 2^k ns at most `width`; the slices where no level is kept.
LaneRows rows_at_width(const TraceLane& lane, double width);

// The columns of slices or level items that a picture reads.
struct SliceColumns {
  TraceColumn *start, *length, *name;
  TraceColumn *busy = nullptr, *count = nullptr, *slice = nullptr;  // of levels only
};
SliceColumns slice_columns(TraceReader& reader, bool is_level);

// Of `all`, rows of a lane or level, those that overlap [t0, t1); one without length counts where t0 ≤ start < t1. A lane's slices do not
// overlap and ascend, so two binary searches find both ends.
RowStretch rows_in_sight(TraceReader& reader, const SliceColumns& columns, const RowStretch& all, double t0, double t1);

}  // namespace tidemark
