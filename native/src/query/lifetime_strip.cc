#include "query/lifetime_strip.h"

#include <algorithm>
#include <cmath>

namespace tidemark {
namespace {

SweepOf sweep_of(LifetimeMeasure measure) {
  switch (measure) {
    case LifetimeMeasure::age: return SweepOf::ages;
    case LifetimeMeasure::allocated: return SweepOf::made;
    case LifetimeMeasure::freed: return SweepOf::freed;
    default: return SweepOf::state;
  }
}

// Address orders have no units.
std::optional<UnitRows> unit_rows(const LifetimeRasterRequest& request) {
  if (is_address_order(request.view.axes.order)) return std::nullopt;
  return UnitRows::between(request.view.y0, request.view.y1, static_cast<size_t>(request.rows));
}

}  // namespace

StripPainter::StripPainter(const DeviceColumns& device, const LifetimeRasterRequest& request, const Strip& strip,
                           const std::vector<double>& factor, double first_x, float* values, double* column_total)
    : device_(device),
      strip_(strip),
      scale_(request, strip),
      measure_(request.measure),
      rows_(static_cast<size_t>(request.rows)),
      units_(unit_rows(request)),
      factor_(factor),
      first_x_(first_x),
      values_(values + strip.first * rows_),
      column_total_(column_total + strip.first) {
  if (!units_) return;
  for (auto* sums : {&spread_.alive, &spread_.pending, &spread_.age}) sums->assign(rows_, 0.0);
}

Failure StripPainter::sum(const LifetimeScan& scan, const LifetimeView& view, const StopSignal& stop, SweepScratch& scratch) {
  LifetimeSweep sweep(sweep_of(measure_), strip_.count, units_ ? units_->units() : rows_, scratch);
  const auto take = [&](size_t column, const ColumnSums& sums) { take_column(column, units_ ? spread(sums) : sums); };
  Counts counts;  // local, so that they stay in registers
  const Failure error = scan.visit_between(strip_.x0, strip_.x1, view, stop, [&](const LifetimeBar& bar) {
    const uint64_t bytes = device_.size[bar.allocation];
    const GridBar in_cells = to_cells(bar, bytes);
    count(bar, in_cells, bytes, counts);
    if (bytes > 0 && in_cells.row1 > in_cells.row0) sweep.add(in_cells, take);
  });
  if (!error.failed()) sweep.finish(take);
  counts_ = counts;
  return error;
}

void StripPainter::add_counts(LifetimeRasterSummary& summary) const {
  summary.shown += counts_.shown;
  summary.folded += counts_.folded;
  summary.folded_bytes += counts_.folded_bytes;
  summary.mean_columns += counts_.width;
}

GridBar StripPainter::to_cells(const LifetimeBar& bar, uint64_t bytes) const {
  GridBar cells;
  cells.start = scale_.column(bar.start);
  cells.freed = scale_.column(bar.free_requested);
  cells.completed = scale_.column(bar.free_completed);
  if (measure_ == LifetimeMeasure::age) cells.born = scale_.column(bar.start < first_x_ ? first_x_ : bar.start);
  if (measure_ == LifetimeMeasure::allocated) cells.start = scale_.column_of_point(bar.start);
  if (measure_ == LifetimeMeasure::freed) cells.freed = scale_.column_of_point(bar.free_requested);
  cells.bytes = static_cast<double>(static_cast<int64_t>(bytes & INT64_MAX));  // signed converts fast
  cells.row0 = units_ ? units_->unit_row(bar.y0) : scale_.row(bar.y1);
  cells.row1 = units_ ? cells.row0 + 1 : scale_.row(bar.y0);
  return cells;
}

// Widths add up over the strips; what began before this strip was counted in the one before, but for the first.
void StripPainter::count(const LifetimeBar& bar, const GridBar& cells, uint64_t bytes, Counts& counts) const {
  counts.width += std::min(scale_.columns, cells.completed) - std::max(cells.start, 0.0);
  const bool is_first = (strip_.first == 0) | (bar.start >= strip_.x0);
  const bool is_folded = is_first & ((bar.y1 - bar.y0) * scale_.per_y < 1) & (cells.completed - cells.start < 1);
  counts.shown += is_first ? 1 : 0;
  counts.folded += is_folded ? 1 : 0;
  counts.folded_bytes += is_folded ? bytes : 0;
}

const ColumnSums& StripPainter::spread(const ColumnSums& by_unit) {
  units_->spread(by_unit.alive, spread_.alive);
  units_->spread(by_unit.pending, spread_.pending);
  if (measure_ == LifetimeMeasure::age) units_->spread(by_unit.age, spread_.age);
  return spread_;
}

void StripPainter::take_column(size_t column, const ColumnSums& sums) {
  float* values = values_ + column * rows_;
  double total = 0;
  for (size_t row = 0; row < rows_; ++row) {
    const double alive = sums.alive[row];
    total += alive;
    const double value = alive * factor_[row];
    values[row] = static_cast<float>(sums.pending[row] > alive ? -value : value);
  }
  if (measure_ == LifetimeMeasure::area) total *= scale_.width;
  if (measure_ == LifetimeMeasure::age) total = take_ages(sums, total, values);
  column_total_[column] = total;
}

// Means of the ages in place of bytes; answers that of the column.
double StripPainter::take_ages(const ColumnSums& sums, double bytes, float* values) const {
  double total = 0;
  for (size_t row = 0; row < rows_; ++row) {
    total += sums.age[row];
    const double mean = sums.alive[row] > 0 ? sums.age[row] / sums.alive[row] * scale_.width : 0;
    values[row] = std::copysign(static_cast<float>(mean), values[row]);
  }
  return bytes > 0 ? total / bytes * scale_.width : 0;
}

}  // namespace tidemark
