// Sums rectangles into a grid, column by column from left to right. A rectangle costs a few additions whatever its size: what
// lasts longer than its first column is kept in running sums by row until it ends, and what covers many rows is a step up at
// its first and a step down behind its last.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "query/row_sums.h"

namespace tidemark {

// A rectangle in units of cells: alive from `start` to `freed`, pending from there to `completed`.
struct GridBar {
  double start = 0;  // may lie before column 0, as the others may behind the last
  double freed = 0;
  double completed = 0;
  double born = 0;  // from where its age counts
  double bytes = 0;
  double row0 = 0;
  double row1 = 0;
};

enum class SweepOf { state, ages, made, freed };

// The sums of one column by row: bytes × the part of the column for which they were there; `age`: times their mean age in
// columns. For made and freed: bytes, all in `alive`.
struct ColumnSums {
  std::vector<double> alive;
  std::vector<double> pending;
  std::vector<double> age;
};

// What two threads write must not lie in one of these, or each waits for the other.
inline constexpr size_t kCacheLine = 64;

// Working memory of a sweep, kept from one to the next: fresh pages would cost more than the sums.
struct alignas(kCacheLine) SweepScratch {
  // What happens to a rectangle later, in a list by column; those that happened are in a list to be used again.
  struct Change {
    GridBar bar;
    uint32_t next = 0;
    bool is_end = false;  // of the pending time
  };
  std::vector<Change> changes;

  // Gives back what only a picture with very many rectangles at a time needs.
  void trim() {
    if (changes.capacity() > kMostKept / sizeof(Change)) std::vector<Change>().swap(changes);
  }
  static constexpr size_t kMostKept = 8 << 20;  // bytes
};

class LifetimeSweep {
 public:
  LifetimeSweep(SweepOf of, size_t columns, size_t rows, SweepScratch& scratch);

  // The next rectangle, in order of start; they overlap the grid. take(column, sums) gets the columns that are complete.
  template <class Take>
  void add(const GridBar& bar, Take&& take) {
    const size_t column = column_at(std::max(bar.start, 0.0));
    while (column_ < column) finish_column(take);
    const RowSpan span = row_span(bar.row0, bar.row1, rows_);
    const double end_of_column = static_cast<double>(column_ + 1);
    // Most of a training run lies in one cell.
    if (of_ == SweepOf::state && bar.completed < end_of_column && bar.start >= 0 && span.is_single()) {
      is_changed_ = has_parts_ = true;
      parts_[span.first].alive += bar.bytes * span.first_share * (bar.freed - bar.start);
      parts_[span.first].pending += bar.bytes * span.first_share * (bar.completed - bar.freed);
      return;
    }
    enter(bar, span);
  }
  // The remaining columns.
  template <class Take>
  void finish(Take&& take) {
    while (column_ < columns_) finish_column(take);
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  // What a single row holds for a part of the column at hand.
  struct Part {
    double alive = 0;
    double pending = 0;
    double age = 0;
  };

  template <class Take>
  void finish_column(Take& take) {
    make_changes();
    // Without changes and rectangles of its own a column is as the one before, but for ages.
    if (is_changed_ || of_ == SweepOf::ages) read_sums();
    take(column_, sums_);
    clear_column();
    ++column_;
  }

  // Of x ≥ 0; the last one of all that is no number below it.
  size_t column_at(double x) const {
    const size_t last = columns_ - 1;
    return x < static_cast<double>(last) ? static_cast<size_t>(static_cast<int64_t>(x + kSliver)) : last;
  }
  void enter(const GridBar& bar, const RowSpan& span);
  void enter_point(const GridBar& bar, const RowSpan& span, double x);
  void begin_pending(const GridBar& bar, const RowSpan& span);
  void make_changes();
  void make_change(const GridBar& bar, bool is_end);
  void schedule(const GridBar& bar, double x, bool is_end);
  void add_alive(const GridBar& bar, const RowSpan& span, double from, double to, double sign);
  void add_pending(const GridBar& bar, const RowSpan& span, double from, double to, double sign);
  void read_sums();
  void add_spans();
  void read_ages();
  void clear_column();

  const SweepOf of_;
  const size_t columns_;
  const size_t rows_;
  size_t column_ = 0;
  // Of the column at hand: single rows, and what covers several.
  std::vector<Part> parts_;
  RowSums spans_, pending_spans_, age_spans_;
  bool has_parts_ = false;
  bool has_spans_ = false;
  bool is_changed_ = true;
  // What lasts: added in full to every column from here on. `born_`: bytes × born.
  RowSums lasting_, pending_lasting_, born_lasting_;
  std::vector<SweepScratch::Change>& changes_;
  std::vector<uint32_t> first_change_;  // by column
  uint32_t first_unused_ = kNone;       // of the changes that happened
  ColumnSums sums_;
};

}  // namespace tidemark
