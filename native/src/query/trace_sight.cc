#include "query/trace_sight.h"

#include <algorithm>
#include <cmath>

#include "store/trace_columns.h"

namespace tidemark {

Failure check_time_range(const TimeRange& range) {
  if (range.columns < 1 || range.columns > kMostTraceColumns) return bad_argument("columns must be 1 to 16384.");
  if (!std::isfinite(range.t0) || !std::isfinite(range.t1) || !(range.t0 < range.t1)) return bad_argument("t0 must be less than t1.");
  if (!std::isnormal(range.width()) || !std::isnormal(1 / range.width())) return bad_argument("t1 - t0 is too small or too large.");
  return {};
}

int64_t whole_ns(double time) {
  constexpr double kLatest = 4611686018427387904.0;  // 2^62
  return static_cast<int64_t>(std::ceil(std::clamp(time, -kLatest, kLatest)));
}

LaneRows rows_at_width(const TraceLane& lane, double width) {
  LaneRows out{false, lane.slices};
  for (const LaneLevel& level : lane.levels) {
    if (std::ldexp(1.0, static_cast<int>(level.level)) <= width) out = {true, level.rows};
  }
  return out;
}

SliceColumns slice_columns(TraceReader& reader, bool is_level) {
  if (!is_level) {
    return {&reader.column(kSliceRelation, "start"), &reader.column(kSliceRelation, "dur"), &reader.column(kSliceRelation, "name")};
  }
  const auto column = [&](const char* name) { return &reader.column(kSliceLevelRelation, name); };
  return {column("start"), column("extent"), column("name"), column("busy"), column("count"), column("slice")};
}

RowStretch rows_in_sight(TraceReader& reader, const SliceColumns& columns, const RowStretch& all, double t0, double t1) {
  size_t first = reader.lower_bound(*columns.start, all.first, all.end(), whole_ns(t0));
  const size_t end = reader.lower_bound(*columns.start, first, all.end(), whole_ns(t1));
  // Only the one before may reach into the range.
  if (first > all.first) {
    const int64_t before_end = end_of(reader.at(*columns.start, first - 1), reader.at(*columns.length, first - 1));
    if (before_end > whole_ns(std::floor(t0))) --first;
  }
  return {first, end - first};
}

}  // namespace tidemark
