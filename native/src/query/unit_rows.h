// Rows of a picture that show units of y, several rows a unit: sums are made by unit, which costs one addition where rows would
// cost several, and spread over the rows once a column.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tidemark {

class UnitRows {
 public:
  // For rows from y1 down to y0; none where a unit is not higher than a row.
  static std::optional<UnitRows> between(double y0, double y1, size_t rows) {
    const double height = (y1 - y0) / static_cast<double>(rows);
    if (!(height < 1) || !(std::fabs(y0) < kMostUnits) || !(std::fabs(y1) < kMostUnits)) return std::nullopt;
    return UnitRows(y0, y1, rows, height);
  }

  size_t units() const { return units_; }
  // The row of the sums by unit for the unit [y, y + 1).
  double unit_row(double y) const { return top_ - 1 - y; }

  void spread(const std::vector<double>& by_unit, std::vector<double>& by_row) const {
    for (size_t row = 0; row < rows_.size(); ++row) {
      const Row& at = rows_[row];
      by_row[row] = by_unit[at.unit] * at.share + by_unit[at.unit + at.step] * at.next_share;
    }
  }

 private:
  UnitRows(double y0, double y1, size_t rows, double height)
      : top_(std::ceil(y1)), units_(static_cast<size_t>(top_ - std::floor(y0))) {
    for (size_t row = 0; row < rows; ++row) {
      const double high = y1 - static_cast<double>(row) * height;
      const double low = high - height;
      const size_t first = std::min(static_cast<size_t>(std::max(top_ - high, 0.0)), units_ - 1);
      // A row is lower than a unit, so it meets two at most.
      const double edge = top_ - static_cast<double>(first) - 1;
      const bool meets_two = low < edge && first + 1 < units_;
      const double in_first = meets_two ? high - edge : height;
      rows_.push_back({static_cast<uint32_t>(first), meets_two ? 1u : 0u, clean(in_first), clean(height - in_first)});
    }
  }

  struct Row {
    uint32_t unit;
    uint32_t step;
    double share;  // of the unit
    double next_share;
  };
  static constexpr double kMostUnits = 1 << 30;
  static constexpr double kThinnest = 1e-12;
  static double clean(double share) { return share < kThinnest ? 0 : share; }

  double top_;
  size_t units_;
  std::vector<Row> rows_;
};

}  // namespace tidemark
