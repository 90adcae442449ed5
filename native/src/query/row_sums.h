// Sums by row of a grid, where something that covers many rows costs as little as what covers two.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tidemark {

// Of a row or a column. Edges that lie on an edge of the grid are off by a rounding error: what is thinner than this is nothing.
inline constexpr double kSliver = 1e-9;

// The rows that a rectangle covers, and which part of it lies in the first, in the last and in each one between.
struct RowSpan {
  uint32_t first = 0;
  uint32_t last = 0;
  double first_share = 1;
  double last_share = 0;
  double inner_share = 0;

  bool is_single() const { return first == last; }
};

// Rows [row0, row1), row0 < row1, within a grid of `rows`, of which they cover at least a part of one.
inline RowSpan row_span(double row0, double row1, size_t rows) {
  RowSpan span;
  const double from = std::max(row0, 0.0);
  const double to = std::max(std::min(row1, static_cast<double>(rows)), from);
  const int32_t highest = static_cast<int32_t>(rows) - 1;
  const int32_t first = std::min(static_cast<int32_t>(from + kSliver), highest);
  const int32_t last = std::clamp(static_cast<int32_t>(to - kSliver), first, highest);
  span.first = static_cast<uint32_t>(first);
  span.last = static_cast<uint32_t>(last);
  if (first == last && from == row0 && to == row1) return span;
  span.inner_share = 1 / (row1 - row0);
  if (first == last) {
    span.first_share = (to - from) * span.inner_share;
  } else {
    span.first_share = (first + 1 - from) * span.inner_share;
    span.last_share = (to - last) * span.inner_share;
  }
  return span;
}

// Values by row. Counts tell where nothing is left: the sums alone may keep a rounding error then.
class RowSums {
  struct Cell {
    double sum = 0;   // of the row alone
    double step = 0;  // of this and all further rows
    int32_t count = 0;
    int32_t step_count = 0;
  };

 public:
  explicit RowSums(size_t rows) : cells_(rows + 1) {}

  // count: 1 = more there, −1 = as much less, with the value negated.
  void add(const RowSpan& span, double value, int32_t count) {
    Cell& first = cells_[span.first];
    first.sum += value * span.first_share;
    first.count += count;
    if (span.last == span.first) return;
    Cell& last = cells_[span.last];
    last.sum += value * span.last_share;
    last.count += count;
    if (span.last == span.first + 1) return;
    cells_[span.first + 1].step += value * span.inner_share;
    cells_[span.first + 1].step_count += count;
    last.step -= value * span.inner_share;
    last.step_count -= count;
  }

  void clear() { std::fill(cells_.begin(), cells_.end(), Cell{}); }

  // Reads the rows in order, the first first.
  class Reader {
   public:
    explicit Reader(const RowSums& sums) : cell_(sums.cells_.data()) {}
    double next() {
      const Cell& cell = *cell_++;
      height_count_ += cell.step_count;
      height_ = height_count_ == 0 ? 0 : height_ + cell.step;
      return height_ + (cell.count == 0 ? 0 : cell.sum);
    }

   private:
    const Cell* cell_;
    double height_ = 0;
    int32_t height_count_ = 0;
  };

 private:
  std::vector<Cell> cells_;
};

}  // namespace tidemark
