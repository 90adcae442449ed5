#include "query/lifetime_raster.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <system_error>

#include "model/json_number.h"
#include "query/lifetime_strip.h"
#include "query/stoppable.h"

namespace tidemark {
namespace {

// 1 ÷ length, but finite also where the length is too small for that.
double inverse(double length) { return std::min(1 / length, std::numeric_limits<double>::max()); }

class LifetimePainter {
 public:
  LifetimePainter(const LifetimeSpace& space, const LifetimeRasterRequest& request, const StopSignal& stop, LifetimeScratch& scratch,
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

  Failure sum(size_t worth_a_thread) {
    const LifetimeView& view = request_.view;
    const double first_x = space_.device().event_count > 0 ? space_.position(view.axes.axis, 0) : 0;
    const LifetimeScan scan(space_, view.axes);
    const size_t split = split_column(worth_a_thread);
    std::vector<StripPainter> painters;
    for (const Strip& strip : {strip_of(0, split), strip_of(split, columns_)}) {
      if (strip.count == 0) continue;
      painters.emplace_back(space_.device(), request_, strip, factor_, first_x, scratch_.values.data(),
                            summary_.column_total.data());
    }
    const auto sum_of = [&](size_t k) { return painters[k].sum(scan, request_.view, stop_, scratch_.sweep[k]); };
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
  Failure mark_reserved(uint8_t* cells) {
    if (!is_address_order(request_.view.axes.order)) {
      std::fill(cells, cells + columns_ * rows_, uint8_t{0});
      return {};
    }
    LifetimeSweep sweep(SweepOf::state, columns_, rows_, scratch_.sweep[0]);
    const auto take = [&](size_t column, const ColumnSums& sums) {
      uint8_t* target = cells + column * rows_;
      for (size_t row = 0; row < rows_; ++row) target[row] = sums.alive[row] > 0.5 ? kReservedCell : 0;
    };
    const CellScale scale(request_, whole());
    AddressSpace::Cursor cursor;
    const std::vector<uint32_t>& by_start = space_.reservations_by_start();
    for (size_t i = 0; i < by_start.size(); ++i) {
      if (is_stopped_at(i, stop_)) return query_cancelled();
      const GridBar bar = to_cells(space_.device().reservations[by_start[i]], scale, cursor);
      const bool in_sight = bar.start < scale.columns && bar.completed > 0 && bar.row1 > 0 &&
                            bar.row0 < static_cast<double>(rows_) && bar.row1 > bar.row0;
      if (in_sight) sweep.add(bar, take);
    }
    sweep.finish(take);
    return {};
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
  size_t split_column(size_t worth_a_thread) const {
    const LifetimeView& view = request_.view;
    const auto made_before = [&](size_t column) {
      const AxisRange up_to{view.axes.axis, strip_of(column, columns_).x0, view.x1 + 1, 1};
      return allocations_until(space_.device(), resolve_columns(space_.device(), up_to, false).edge[0] - 1);
    };
    const size_t before = made_before(0);
    const size_t all = made_before(columns_);
    if (all - before < worth_a_thread) return columns_;
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
    return request_.measure == LifetimeMeasure::bytes && is_address_order(request_.view.axes.order);
  }
  AddressScale address_scale() const {
    return request_.view.axes.order == LifetimeOrder::address ? AddressScale::bytes : AddressScale::root;
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

  GridBar to_cells(const Reservation& life, const CellScale& scale, AddressSpace::Cursor& cursor) {
    const AddressSpace& addresses = space_.addresses();
    const uint64_t end = life.address + std::min(life.size, UINT64_MAX - life.address);
    const Axis axis = request_.view.axes.axis;
    GridBar cells;
    cells.start = scale.column(space_.position(axis, life.map_event));
    cells.freed = cells.completed = std::max(cells.start, scale.column(space_.position(axis, life.unmap_event)));
    cells.row1 = scale.row(addresses.y(life.address, address_scale(), cursor));
    cells.row0 = scale.row(addresses.y(end, address_scale(), cursor));
    cells.bytes = cells.row1 - cells.row0;  // so that a cell that is covered wholly holds 1
    return cells;
  }

  const LifetimeSpace& space_;
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
  const LifetimeView& view = request.view;
  Failure error = check_cells(request.columns, request.rows);
  if (!error.failed()) error = check_range(device, {view.axes.axis, view.x0, view.x1, request.columns});
  return error.failed() ? error : check_heights(view.y0, view.y1, request.rows);
}

Failure paint_lifetimes(const LifetimeSpace& space, const LifetimeRasterRequest& request, const StopSignal& stop,
                        LifetimeScratch& scratch, uint8_t* cells, LifetimeRasterSummary& summary, size_t worth_a_thread) {
  LifetimePainter painter(space, request, stop, scratch, summary);
  Failure error = painter.sum(worth_a_thread);
  if (!error.failed()) error = painter.mark_reserved(cells);
  if (!error.failed()) painter.set_levels(cells);
  for (SweepScratch& sweep : scratch.sweep) sweep.trim();
  return error;
}

std::string to_json(const LifetimeRasterSummary& summary) {
  return "{\"max\":" + json_number(summary.max) + ",\"shown\":" + std::to_string(summary.shown) +
         ",\"folded\":" + std::to_string(summary.folded) + ",\"folded_bytes\":" + std::to_string(summary.folded_bytes) +
         ",\"mean_columns\":" + json_number(summary.mean_columns) + "}";
}

}  // namespace tidemark
