#include "query/trace_curves.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "store/trace_columns.h"

namespace tidemark {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double value_of(int64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

size_t column_of(const TimeRange& range, int64_t time) {
  const double column = (static_cast<double>(time) - range.t0) / range.width();
  return static_cast<size_t>(std::clamp(column, 0.0, static_cast<double>(range.columns - 1)));
}

// Calls take(first row, times, count) for stretches of the rows whose time lies in the range.
template <class Take>
Failure each_stretch(TraceReader& reader, TraceColumn& time, const RowStretch& sight, const StopSignal& stop, Take take) {
  std::vector<int64_t> times(std::min(sight.count, kPackedPiece));
  for (size_t from = sight.first; from < sight.end() && !reader.failed();) {
    if (stop()) return query_cancelled();
    const size_t to = std::min(sight.end(), (from | (kPackedPiece - 1)) + 1);
    reader.prefetch(time, from, to);
    reader.decode(time, from, to - from, times.data());
    take(from, times.data(), to - from);
    from = to;
  }
  return reader.failure();
}

RowStretch rows_between(TraceReader& reader, TraceColumn& time, const RowStretch& all, const TimeRange& range) {
  const size_t first = reader.lower_bound(time, all.first, all.end(), whole_ns(range.t0));
  return {first, reader.lower_bound(time, first, all.end(), whole_ns(range.t1)) - first};
}

// Puts samples into the columns, in order of time.
class CurveBuilder {
 public:
  CurveBuilder(const TimeRange& range, double before, CounterCurve& out) : range_(range), held_(before), out_(out) {
    for (auto* values : {&out.min, &out.max, &out.last}) values->assign(static_cast<size_t>(range.columns), kNone);
  }

  void add(int64_t time, double value) {
    const size_t column = column_of(range_, time);
    // The value that is held counts in this column unless the sample lies on its left edge.
    const bool at_edge = static_cast<double>(time) <= range_.t0 + static_cast<double>(column) * range_.width();
    hold_until(at_edge ? column : column + 1);
    include(column, value);
    next_ = column + 1;
    held_ = value;
  }

  // The value that is held fills the columns before `end` that it was not noted in.
  void hold_until(size_t end) {
    for (; next_ < end; ++next_) include(next_, held_);
  }

 private:
  void include(size_t column, double value) {
    // fmin and fmax take the other where one is NaN.
    out_.min[column] = std::fmin(out_.min[column], value);
    out_.max[column] = std::fmax(out_.max[column], value);
    out_.last[column] = value;
  }

  const TimeRange& range_;
  double held_;
  size_t next_ = 0;  // the first column without a value
  CounterCurve& out_;
};

// Puts the values of several counters into the columns, in order of time.
class StackBuilder {
 public:
  StackBuilder(const TimeRange& range, std::vector<double> before, std::vector<double>& out)
      : range_(range), most_(static_cast<size_t>(range.columns), -1), held_(std::move(before)), out_(out) {
    out_.assign(held_.size() * most_.size(), kNone);
  }

  void add(int64_t time, const std::vector<double>& values) {
    const size_t column = column_of(range_, time);
    const bool at_edge = static_cast<double>(time) <= range_.t0 + static_cast<double>(column) * range_.width();
    hold_until(at_edge ? column : column + 1);
    held_ = values;
    include(column);
    next_ = column + 1;
  }

  void hold_until(size_t end) {
    for (; next_ < end; ++next_) include(next_);
  }

 private:
  void include(size_t column) {
    double sum = 0;
    for (const double value : held_) sum += std::fmax(value, 0);
    if (sum < most_[column]) return;
    most_[column] = sum;
    for (size_t i = 0; i < held_.size(); ++i) out_[i * most_.size() + column] = held_[i];
  }

  const TimeRange& range_;
  std::vector<double> most_;  // by column
  std::vector<double> held_;  // by series
  size_t next_ = 0;
  std::vector<double>& out_;
};

}  // namespace

Failure counter_stack(TraceReader& reader, const std::vector<CounterSeries>& series, const TimeRange& range, const StopSignal& stop,
                      std::vector<double>& out) {
  TraceColumn& time = reader.column(kCounterRelation, "time");
  TraceColumn& value = reader.column(kCounterRelation, "value");
  const RowStretch& first = series[0].samples;
  const RowStretch sight = rows_between(reader, time, first, range);
  const bool has_before = sight.first > first.first && !reader.failed();
  std::vector<double> row(series.size(), kNone);
  for (size_t i = 0; has_before && i < series.size(); ++i)
    row[i] = value_of(reader.at(value, series[i].samples.first + (sight.first - 1 - first.first)));
  StackBuilder stack(range, row, out);
  std::vector<std::vector<int64_t>> values(series.size(), std::vector<int64_t>(std::min(sight.count, kPackedPiece)));
  const Failure failure = each_stretch(reader, time, sight, stop, [&](size_t from, const int64_t* times, size_t count) {
    for (size_t i = 0; i < series.size(); ++i) {
      const size_t start = series[i].samples.first + (from - first.first);
      reader.prefetch(value, start, start + count);
      reader.decode(value, start, count, values[i].data());
    }
    for (size_t at = 0; at < count; ++at) {
      for (size_t i = 0; i < series.size(); ++i) row[i] = value_of(values[i][at]);
      stack.add(times[at], row);
    }
  });
  stack.hold_until(static_cast<size_t>(range.columns));
  return failure;
}

Failure counter_curve(TraceReader& reader, const CounterSeries& series, const TimeRange& range, const StopSignal& stop, CounterCurve& out) {
  TraceColumn& time = reader.column(kCounterRelation, "time");
  TraceColumn& value = reader.column(kCounterRelation, "value");
  const RowStretch sight = rows_between(reader, time, series.samples, range);
  const bool has_before = sight.first > series.samples.first && !reader.failed();
  CurveBuilder curve(range, has_before ? value_of(reader.at(value, sight.first - 1)) : kNone, out);
  std::vector<int64_t> values(std::min(sight.count, kPackedPiece));
  const Failure failure = each_stretch(reader, time, sight, stop, [&](size_t from, const int64_t* times, size_t count) {
    reader.prefetch(value, from, from + count);
    reader.decode(value, from, count, values.data());
    for (size_t i = 0; i < count; ++i) curve.add(times[i], value_of(values[i]));
  });
  curve.hold_until(static_cast<size_t>(range.columns));
  return failure;
}

Failure instant_marks(TraceReader& reader, const TraceTrack& track, const TimeRange& range, const StopSignal& stop, InstantMarks& out) {
  out.count.assign(static_cast<size_t>(range.columns), 0);
  out.first.assign(static_cast<size_t>(range.columns), kNone);
  TraceColumn& time = reader.column(kInstantRelation, "time");
  const RowStretch sight = rows_between(reader, time, track.instants, range);
  return each_stretch(reader, time, sight, stop, [&](size_t from, const int64_t* times, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      const size_t column = column_of(range, times[i]);
      if (out.count[column]++ == 0) out.first[column] = static_cast<double>(from + i);
    }
  });
}

}  // namespace tidemark
