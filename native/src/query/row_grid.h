// The rows of a raster: each shows what covers the byte offset at its center.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace tidemark {

class RowGrid {
 public:
  // Row r covers bytes [y0 + r·h, y0 + (r + 1)·h), h = (y1 − y0) / rows. All arguments finite, y1 > y0, rows ≥ 1.
  RowGrid(double y0, double y1, size_t rows) : y0_(y0), height_((y1 - y0) / static_cast<double>(rows)) {
    constexpr double kHighest = 4611686018427387904.0;  // 2^62: no stack reaches it, and it converts safely
    per_byte_ = std::isfinite(1 / height_) ? 1 / height_ : 0;  // rows of denormal height: only the exact search
    offset_.reserve(rows);
    for (size_t row = 0; row < rows; ++row) {
      const double center = std::floor(y0 + (static_cast<double>(row) + 0.5) * height_);
      if (center < 0) base_ = row + 1;
      offset_.push_back(static_cast<uint64_t>(std::clamp(center, 0.0, kHighest)));
    }
  }

  size_t count() const { return offset_.size(); }
  double height() const { return height_; }
  // The lowest row whose center is not below the base of the stack.
  size_t base() const { return base_; }
  // Whole byte that the center of a row lies in. Band [b, t) covers the row exactly when b ≤ offset < t.
  uint64_t offset(size_t row) const { return offset_[row]; }

  // The first row ≥ `from` whose offset is at least `bytes`; count() when there is none.
  size_t first_row_at(uint64_t bytes, size_t from) const {
    const size_t rows = offset_.size();
    if (from >= rows || offset_[from] >= bytes) return from;
    if (from + 1 >= rows || offset_[from + 1] >= bytes) return from + 1;
    // An estimate by division, then the exact place by the offsets themselves.
    const double guess = (static_cast<double>(bytes) - y0_) * per_byte_ - 0.5;
    size_t row = static_cast<size_t>(std::clamp(guess, static_cast<double>(from + 1), static_cast<double>(rows)));
    while (row < rows && offset_[row] < bytes) ++row;
    while (row > from + 1 && offset_[row - 1] >= bytes) --row;
    return row;
  }

 private:
  double y0_;
  double height_;
  double per_byte_ = 0;
  size_t base_ = 0;
  std::vector<uint64_t> offset_;
};

}  // namespace tidemark
