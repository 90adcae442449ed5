// The columns of one lane while a picture of it is painted.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "query/trace_index.h"

namespace tidemark {

class LaneCells {
 public:
  explicit LaneCells(size_t columns) : columns_(columns), covered_(columns), best_(columns), slot_(columns) {}

  void clear() {
    std::fill(covered_.begin(), covered_.end(), 0.0);
    std::fill(best_.begin(), best_.end(), kNothing);
  }

  // Paints [x0, x1), in columns, of which the share `density` is covered; what has no length lies in one column.
  void paint(double x0, double x1, double density, uint8_t slot) {
    x0 = std::clamp(x0, 0.0, static_cast<double>(columns_));
    x1 = std::clamp(x1, x0, static_cast<double>(columns_));
    size_t column = std::min(static_cast<size_t>(x0), columns_ - 1);
    // What ends at a column's left edge, but for rounding, does not lie in it.
    const size_t last = std::min(static_cast<size_t>(std::max(x1 - kEdge, x0)), columns_ - 1);
    for (; column < last; ++column) {
      const double edge = static_cast<double>(column) + 1;
      add(column, (edge - x0) * density, slot);
      x0 = edge;
    }
    add(column, std::max(x1 - x0, 0.0) * density, slot);
  }

  void answer(uint8_t* cells, uint8_t* fill) const {
    for (size_t column = 0; column < columns_; ++column) {
      const bool is_empty = best_[column] == kNothing;
      cells[column] = is_empty ? uint8_t{0} : slot_[column];
      fill[column] = is_empty ? uint8_t{0} : static_cast<uint8_t>(std::clamp(static_cast<int>(covered_[column] * 255 + 0.5), 1, 255));
    }
  }

 private:
  static constexpr double kNothing = -1;
  static constexpr double kPasses = 2;  // what passes the filter counts more than any share of what does not
  static constexpr double kEdge = 1e-6;

  void add(size_t column, double share, uint8_t slot) {
    covered_[column] += share;
    const double weight = slot == kLeftOutName ? share : share + kPasses;
    if (weight <= best_[column]) return;
    best_[column] = weight;
    slot_[column] = slot;
  }

  size_t columns_;
  std::vector<double> covered_, best_;
  std::vector<uint8_t> slot_;
};

}  // namespace tidemark
