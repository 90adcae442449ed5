#include "query/label_tracker.h"

#include <algorithm>

namespace tidemark {

void LabelTracker::begin_column(uint32_t column, uint32_t kept_rows) {
  column_ = column;
  size_t kept = open_.size();
  while (kept > 0 && open_[kept - 1].row1 > kept_rows) --kept;
  pending_.assign(open_.begin() + static_cast<std::ptrdiff_t>(kept), open_.end());
  open_.resize(kept);
  next_pending_ = 0;
}

void LabelTracker::offer(const Band& band) {
  if (band.row1 - band.row0 < kLabelRows) return;
  while (next_pending_ < pending_.size() && pending_[next_pending_].row0 < band.row0) close(pending_[next_pending_++]);
  if (next_pending_ < pending_.size()) {
    const Label& before = pending_[next_pending_];
    if (before.row0 == band.row0 && before.row1 == band.row1 && before.allocation == band.allocation) {
      open_.push_back(before);
      ++next_pending_;
      return;
    }
  }
  open_.push_back({column_, 0, band.row0, band.row1, band.allocation, band.bottom});
}

void LabelTracker::end_column() {
  while (next_pending_ < pending_.size()) close(pending_[next_pending_++]);
}

void LabelTracker::close(Label stretch) {
  stretch.column1 = column_;
  if (stretch.column1 - stretch.column0 >= kLabelColumns) closed_.push_back(stretch);
}

std::vector<Label> LabelTracker::finish(uint32_t column) {
  begin_column(column, 0);
  end_column();
  const size_t count = std::min(closed_.size(), kMostLabels);
  const auto larger = [](const Label& a, const Label& b) {
    if (a.cells() != b.cells()) return a.cells() > b.cells();
    return a.column0 != b.column0 ? a.column0 < b.column0 : a.row0 < b.row0;
  };
  std::partial_sort(closed_.begin(), closed_.begin() + static_cast<std::ptrdiff_t>(count), closed_.end(), larger);
  closed_.resize(count);
  return std::move(closed_);
}

}  // namespace tidemark
