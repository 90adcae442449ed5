// A strip of columns of the heat map of lifetimes, from the rectangles in it to the values of its cells.
#pragma once

#include <optional>
#include <vector>

#include "query/lifetime_raster.h"
#include "query/unit_rows.h"

namespace tidemark {

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
        per_x(1 / width),
        per_y(1 / ((request.view.y1 - request.view.y0) / static_cast<double>(request.rows))) {}

  double column(double x) const { return (x - x0) * per_x; }
  double row(double y) const { return (y1 - y) * per_y; }
  // The column of an event: divided, since an event on the edge of a column belongs to the right one.
  double column_of_point(double x) const { return x < x1 ? std::min((x - x0) / width, std::nextafter(columns, 0.0)) : columns; }
};

// Sums one strip of columns; strips share nothing that they write, not even a cache line, so several may be painted at a time.
class alignas(kCacheLine) StripPainter {
 public:
  // `factor`: by row, from sums to values. `first_x`: where the ages of what was made before the first event count from. `values`
  // and `column_total` are those of the whole raster; they, the device and the factors must outlive the painter.
  StripPainter(const DeviceColumns& device, const LifetimeRasterRequest& request, const Strip& strip,
               const std::vector<double>& factor, double first_x, float* values, double* column_total);

  // Fills the values and totals of the strip's columns from a scan of the raster's view. `query/cancelled` when stopped.
  Failure sum(const LifetimeScan& scan, const LifetimeView& view, const StopSignal& stop, SweepScratch& scratch);

  // Adds what sum() counted; mean_columns gets the sum of the widths.
  void add_counts(LifetimeRasterSummary& summary) const;

 private:
  struct Counts {
    double width = 0;
    uint64_t shown = 0;
    uint64_t folded = 0;
    uint64_t folded_bytes = 0;
  };

  GridBar to_cells(const LifetimeBar& bar, uint64_t bytes) const;
  void count(const LifetimeBar& bar, const GridBar& cells, uint64_t bytes, Counts& counts) const;
  const ColumnSums& spread(const ColumnSums& by_unit);
  void take_column(size_t column, const ColumnSums& sums);
  double take_ages(const ColumnSums& sums, double bytes, float* values) const;

  const DeviceColumns& device_;
  const Strip strip_;
  const CellScale scale_;
  const LifetimeMeasure measure_;
  const size_t rows_;
  const std::optional<UnitRows> units_;
  const std::vector<double>& factor_;
  const double first_x_;
  float* values_;  // of the first column of the strip
  double* column_total_;
  ColumnSums spread_;  // by row, where the sweep is by unit
  Counts counts_;
};

}  // namespace tidemark
