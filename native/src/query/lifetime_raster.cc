#include "query/lifetime_raster.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <future>
#include <system_error>

#include "query/unit_rows.h"

namespace tidemark {
namespace {

// 1 ÷ length, but finite also where the length is too small for that.
double inverse(double length) { return std::min(1 / length, std::numeric_limits<double>::max()); }

// Columns [first, first + count) of a raster, and the x range they cover.
struct Strip {
  size_t first;
  size_t count;
  double x0;
  double x1;
};

// From the units of a view to those of the cells of a strip.
struct CellScale {
  double x0, x1, y1, columns, width, per_x, per_y;

  CellScale(const LifetimeRasterRequest& request, const Strip& strip)
      : x0(strip.x0),
        x1(strip.x1),
        y1(request.view.y1),
        columns(static_cast<double>(strip.count)),
        width((request.view.x1 - request.view.x0) / static_cast<double>(request.columns)),
        per_x(inverse(width)),
        per_y(static_cast<double>(request.rows) * inverse(request.view.y1 - request.view.y0)) {}

  double column(double x) const { return (x - x0) * per_x; }
  double row(double y) const { return (y1 - y) * per_y; }
  // The column of an event: divided, since an event on the edge of a column belongs to the right one.
  double column_of_point(double x) const { return x < x1 ? std::min((x - x0) / width, std::nextafter(columns, 0.0)) : columns; }
};

SweepOf sweep_of(LifetimeMeasure measure) {
  switch (measure) {
    case LifetimeMeasure::age: return SweepOf::ages;
    case LifetimeMeasure::allocated: return SweepOf::made;
    case LifetimeMeasure::freed: return SweepOf::freed;
    default: return SweepOf::state;
  }
}

// Sums one strip of columns; strips share nothing that they write, not even a cache line, so several may be painted at a time.
class alignas(kCacheLine) StripPainter {
 public:
  // factor: by row, from sums to values. first_x: where the ages of what was made before the first event count from.
  StripPainter(const DeviceColumns& device, const LifetimeRasterRequest& request, const Strip& strip,
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
    if (!units_.is_used()) return;
    for (auto* values : {&spread_.alive, &spread_.pending, &spread_.age}) values->assign(rows_, 0.0);
  }

  Failure sum(const LifetimeScan& scan, const StopSignal& stop, SweepScratch& scratch) {
    LifetimeSweep sweep(sweep_of(measure_), strip_.count, units_.is_used() ? units_.units() : rows_, scratch);
    const auto take = [&](size_t column, const ColumnSums& sums) { take_column(column, units_.is_used() ? spread(sums) : sums); };
    Counts counts;  // local, so that they stay in registers
    const Failure error = scan.visit(strip_.x0, strip_.x1, stop, [&](const LifetimeBar& bar) {
      const uint64_t bytes = device_.size[bar.allocation];
      const GridBar in_cells = to_cells(bar, bytes);
      count(bar, in_cells, bytes, counts);
      if (bytes > 0 && in_cells.row1 > in_cells.row0) sweep.add(in_cells, take);
    });
    if (!error.failed()) sweep.finish(take);
    counts_ = counts;
    return error;
  }

  void add_counts(LifetimeRasterSummary& summary) const {
    summary.shown += counts_.shown;
    summary.folded += counts_.folded;
    summary.folded_bytes += counts_.folded_bytes;
    summary.mean_columns += counts_.width;
  }

 private:
  struct Counts {
    double width = 0;
    uint64_t shown = 0;
    uint64_t folded = 0;
    uint64_t folded_bytes = 0;
  };

  GridBar to_cells(const LifetimeBar& bar, uint64_t bytes) const {
    GridBar cells;
    cells.start = scale_.column(bar.start);
    cells.freed = scale_.column(bar.freed);
    cells.completed = scale_.column(bar.completed);
    if (measure_ == LifetimeMeasure::age) cells.born = scale_.column(bar.start < first_x_ ? first_x_ : bar.start);
    if (measure_ == LifetimeMeasure::allocated) cells.start = scale_.column_of_point(bar.start);
    if (measure_ == LifetimeMeasure::freed) cells.freed = scale_.column_of_point(bar.freed);
    cells.bytes = static_cast<double>(static_cast<int64_t>(bytes & INT64_MAX));  // signed converts fast
    cells.row0 = units_.is_used() ? units_.unit_row(bar.y0) : scale_.row(bar.y1);
    cells.row1 = units_.is_used() ? cells.row0 + 1 : scale_.row(bar.y0);
    return cells;
  }

  static UnitRows unit_rows(const LifetimeRasterRequest& request) {
    // Address orders have no units: {0, 1, 1} is a row as high as one, so none are used.
    if (is_address_order(request.view.order)) return {0, 1, 1};
    return {request.view.y0, request.view.y1, static_cast<size_t>(request.rows)};
  }

  const ColumnSums& spread(const ColumnSums& by_unit) {
    units_.spread(by_unit.alive, spread_.alive);
    units_.spread(by_unit.pending, spread_.pending);
    if (measure_ == LifetimeMeasure::age) units_.spread(by_unit.age, spread_.age);
    return spread_;
  }

  // Widths add up over the strips; what began before this strip was counted in the one before, but for the first.
  void count(const LifetimeBar& bar, const GridBar& cells, uint64_t bytes, Counts& counts) const {
    counts.width += std::min(scale_.columns, cells.completed) - std::max(cells.start, 0.0);
    const bool is_first = (strip_.first == 0) | (bar.start >= strip_.x0);
    const bool is_folded = is_first & ((bar.y1 - bar.y0) * scale_.per_y < 1) & (cells.completed - cells.start < 1);
    counts.shown += is_first ? 1 : 0;
    counts.folded += is_folded ? 1 : 0;
    counts.folded_bytes += is_folded ? bytes : 0;
  }

  void take_column(size_t column, const ColumnSums& sums) {
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
  double take_ages(const ColumnSums& sums, double bytes, float* values) const {
    double total = 0;
    for (size_t row = 0; row < rows_; ++row) {
      total += sums.age[row];
      const double mean = sums.alive[row] > 0 ? sums.age[row] / sums.alive[row] * scale_.width : 0;
      values[row] = std::copysign(static_cast<float>(mean), values[row]);
    }
    return bytes > 0 ? total / bytes * scale_.width : 0;
  }

  const DeviceColumns& device_;
  const Strip strip_;
  const CellScale scale_;
  const LifetimeMeasure measure_;
  const size_t rows_;
  const UnitRows units_;
  const std::vector<double>& factor_;
  const double first_x_;
  float* values_;
  double* column_total_;
  ColumnSums spread_;  // by row, where the sweep is by unit
  Counts counts_;
};

class LifetimePainter {
 public:
  LifetimePainter(LifetimeSpace& space, const LifetimeRasterRequest& request, const StopSignal& stop, LifetimeScratch& scratch,
                  LifetimeRasterSummary& summary)
      : space_(space),
        request_(request),
        stop_(stop),
        summary_(summary),
        scratch_(scratch),
        columns_(static_cast<size_t>(request.columns)),
        rows_(static_cast<size_t>(request.rows)) {
    if (scratch_.values.size() < columns_ * rows_) scratch_.values.resize(columns_ * rows_);
    const CellScale scale(request, whole());
    factor_.assign(rows_, request.measure == LifetimeMeasure::area ? scale.width : 1.0);
    if (is_share_of_cell()) find_capacities();
    summary_.column_total.assign(columns_, 0.0);
  }

  Failure sum() {
    const LifetimeView& view = request_.view;
    const double first_x = space_.device().event_count > 0 ? space_.position(view.axis, 0) : 0;
    const LifetimeScan scan(space_, view);
    const size_t split = split_column();
    std::vector<StripPainter> painters;
    for (const Strip& strip : {strip_of(0, split), strip_of(split, columns_)}) {
      if (strip.count == 0) continue;
      painters.emplace_back(space_.device(), request_, strip, factor_, first_x, scratch_.values.data(),
                            summary_.column_total.data());
    }
    const auto sum_of = [&](size_t k) { return painters[k].sum(scan, stop_, scratch_.sweep[k]); };
    std::future<Failure> other;
    if (painters.size() > 1) other = start_beside([&] { return sum_of(1); });
    Failure error = sum_of(0);
    if (painters.size() > 1) {
      const Failure other_error = other.get();
      if (!error.failed()) error = other_error;
    }
    for (const StripPainter& painter : painters) painter.add_counts(summary_);
    if (summary_.shown > 0) summary_.mean_columns /= static_cast<double>(summary_.shown);
    return error;
  }

  // Address orders: where memory is reserved for most of a cell.
  void mark_reserved(uint8_t* cells) {
    if (!is_address_order(request_.view.order)) {
      std::fill(cells, cells + columns_ * rows_, uint8_t{0});
      return;
    }
    LifetimeSweep sweep(SweepOf::state, columns_, rows_, scratch_.sweep[0]);
    const auto take = [&](size_t column, const ColumnSums& sums) {
      uint8_t* target = cells + column * rows_;
      for (size_t row = 0; row < rows_; ++row) target[row] = sums.alive[row] > 0.5 ? kReservedCell : 0;
    };
    const CellScale scale(request_, whole());
    AddressSpace::Cursor cursor;
    for (const uint32_t index : space_.reservations_by_start()) {
      const GridBar bar = to_cells(space_.device().reservations[index], scale, cursor);
      const bool in_sight = bar.start < scale.columns && bar.completed > 0 && bar.row1 > 0 &&
                            bar.row0 < static_cast<double>(rows_) && bar.row1 > bar.row0;
      if (in_sight) sweep.add(bar, take);
    }
    sweep.finish(take);
  }

  // The levels, over the cells as mark_reserved() left them.
  void set_levels(uint8_t* cells) {
    const size_t count = columns_ * rows_;
    const float* values = scratch_.values.data();
    float largest = is_share_of_cell() ? 1 : 0;
    for (size_t i = 0; i < count && !is_share_of_cell(); ++i) largest = std::max(largest, std::fabs(values[i]));
    if (!is_share_of_cell()) summary_.max = static_cast<double>(largest);
    const float per_max = largest > 0 ? std::min(1 / largest, std::numeric_limits<float>::max()) : 0;
    const LevelTable table(request_.scale);
    for (size_t i = 0; i < count; ++i) {
      const bool is_pending = std::signbit(values[i]);
      if (values[i] != 0) {
        cells[i] = static_cast<uint8_t>(table.level(std::fabs(values[i]) * per_max) | (is_pending ? kPendingBit : 0));
      } else if (is_pending) {
        cells[i] = kReservedCell | kPendingBit;
      }
    }
  }

 private:
  Strip strip_of(size_t first, size_t end) const {
    const double width = (request_.view.x1 - request_.view.x0) / static_cast<double>(columns_);
    const auto x = [&](size_t column) {
      return column == columns_ ? request_.view.x1 : request_.view.x0 + static_cast<double>(column) * width;
    };
    return {first, end - first, x(first), x(end)};
  }
  Strip whole() const { return strip_of(0, columns_); }

  // The first column of a second strip in which half of what is made in sight is made; all columns where that saves nothing.
  size_t split_column() const {
    constexpr size_t kWorthAThread = 100000;  // allocations
    const LifetimeView& view = request_.view;
    const auto made_before = [&](size_t column) {
      const AxisRange up_to{view.axis, strip_of(column, columns_).x0, view.x1 + 1, 1};
      return allocations_until(space_.device(), resolve_columns(space_.device(), up_to, false).edge[0] - 1);
    };
    const size_t before = made_before(0);
    const size_t all = made_before(columns_);
    if (all - before < kWorthAThread) return columns_;
    size_t low = 0;
    size_t high = columns_;
    while (low + 1 < high) {
      const size_t middle = low + (high - low) / 2;
      (made_before(middle) - before < (all - before) / 2 ? low : high) = middle;
    }
    return high;
  }

  // Runs on a thread of its own, or when it is asked for where the system has none.
  template <class Run>
  static std::future<Failure> start_beside(Run run) {
    try {
      return std::async(std::launch::async, run);
    } catch (const std::system_error&) {
      return std::async(std::launch::deferred, run);
    }
  }

  bool is_share_of_cell() const {
    return request_.measure == LifetimeMeasure::bytes && is_address_order(request_.view.order);
  }
  AddressScale address_scale() const {
    return request_.view.order == LifetimeOrder::address ? AddressScale::bytes : AddressScale::root;
  }

  // Bytes of the address space in the cells of each row.
  void find_capacities() {
    const double height = (request_.view.y1 - request_.view.y0) / static_cast<double>(rows_);
    double above = space_.addresses().bytes_below(request_.view.y1, address_scale());
    for (size_t row = 0; row < rows_; ++row) {
      const double low = request_.view.y1 - static_cast<double>(row + 1) * height;
      const double below = space_.addresses().bytes_below(low, address_scale());
      factor_[row] = above > below ? inverse(above - below) : 0;
      summary_.max = std::max(summary_.max, above - below);
      above = below;
    }
  }

  GridBar to_cells(const Reservation& piece, const CellScale& scale, AddressSpace::Cursor& cursor) {
    const AddressSpace& addresses = space_.addresses();
    const uint64_t end = piece.address + std::min(piece.size, UINT64_MAX - piece.address);
    const Axis axis = request_.view.axis;
    GridBar cells;
    cells.start = scale.column(space_.position(axis, piece.map_event));
    cells.freed = cells.completed = std::max(cells.start, scale.column(space_.position(axis, piece.unmap_event)));
    cells.row1 = scale.row(addresses.y(piece.address, address_scale(), cursor));
    cells.row0 = scale.row(addresses.y(end, address_scale(), cursor));
    cells.bytes = cells.row1 - cells.row0;  // so that a cell that is covered wholly holds 1
    return cells;
  }

  LifetimeSpace& space_;
  const LifetimeRasterRequest& request_;
  const StopSignal& stop_;
  LifetimeRasterSummary& summary_;
  LifetimeScratch& scratch_;
  const size_t columns_;
  const size_t rows_;
  std::vector<double> factor_;  // by row: from sums to values
};

}  // namespace

Failure check_lifetime_raster(const DeviceColumns& device, const LifetimeRasterRequest& request) {
  const Failure error = check_view(device, request.view);
  if (error.failed()) return error;
  if (request.columns < 1 || request.columns > kMostColumns) return bad_argument("columns must be 1 to 16384.");
  if (request.rows < 1 || request.rows > kMostRows) return bad_argument("rows must be 1 to 16384.");
  if (request.columns * request.rows > kMostCells) return bad_argument("columns × rows must not exceed 4194304.");
  return {};
}

Failure paint_lifetimes(LifetimeSpace& space, const LifetimeRasterRequest& request, const StopSignal& stop,
                        LifetimeScratch& scratch, uint8_t* cells, LifetimeRasterSummary& summary) {
  LifetimePainter painter(space, request, stop, scratch, summary);
  const Failure error = painter.sum();
  if (error.failed()) return error;
  painter.mark_reserved(cells);
  painter.set_levels(cells);
  return {};
}

std::string to_json(const LifetimeRasterSummary& summary) {
  char numbers[2][32];
  std::snprintf(numbers[0], sizeof numbers[0], "%.17g", summary.max);
  std::snprintf(numbers[1], sizeof numbers[1], "%.17g", summary.mean_columns);
  return "{\"max\":" + std::string(numbers[0]) + ",\"shown\":" + std::to_string(summary.shown) +
         ",\"folded\":" + std::to_string(summary.folded) + ",\"folded_bytes\":" + std::to_string(summary.folded_bytes) +
         ",\"mean_columns\":" + numbers[1] + "}";
}

}  // namespace tidemark
