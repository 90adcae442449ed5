#include "query/selection_sums.h"

#include <algorithm>

#include "query/trace_sight.h"

namespace tidemark {
namespace {

// Sums of a damaged index may go beyond what fits; that is no reason to stop.
void add_wrapping(int64_t& sum, int64_t value) { __builtin_add_overflow(sum, value, &sum); }

}  // namespace

SelectionSums::SelectionSums(SelectionBy by, size_t keys, int64_t t0, int64_t t1)
    : by_(by), t0_(t0), t1_(t1), group_by_key_(keys + 1, kNoGroup) {}

void SelectionSums::begin(const SliceStretch& stretch) {
  if (stretch.begins_track) end_track();
  if (stretch.begins_lane) {
    windows_.push_back({stretch.lane, row_groups_.size()});
    row_groups_.reserve(row_groups_.size() + stretch.lane.count);
  }
}

void SelectionSums::end_track() {
  for (const EarlyChild& child : early_) {
    const uint32_t group = group_of_row(child.parent);
    if (group != kNoGroup) add_wrapping(groups_[group].children, child.inside);
  }
  early_.clear();
  windows_.clear();
  row_groups_.clear();
  last_window_ = 0;
}

void SelectionSums::finish() { end_track(); }

uint32_t SelectionSums::group_of(int64_t key) {
  // A key that the index does not list belongs to those without one.
  const size_t at = key >= 0 && key < static_cast<int64_t>(group_by_key_.size()) - 1 ? static_cast<size_t>(key) + 1 : 0;
  uint32_t& group = group_by_key_[at];
  if (group == kNoGroup) {
    group = static_cast<uint32_t>(groups_.size());
    groups_.emplace_back();
    groups_.back().key = static_cast<int64_t>(at) - 1;
  }
  return group;
}

uint32_t SelectionSums::group_of_row(int64_t row) {
  const auto holds = [&](const LaneWindow& window) { return static_cast<uint64_t>(row) - window.rows.first < window.rows.count; };
  if (windows_.empty()) return kNoGroup;
  if (!holds(windows_[last_window_])) {
    const auto behind = std::upper_bound(windows_.begin(), windows_.end(), static_cast<size_t>(row),
                                         [](size_t wanted, const LaneWindow& window) { return wanted < window.rows.first; });
    if (behind == windows_.begin() || !holds(*(behind - 1))) return kNoGroup;
    last_window_ = static_cast<size_t>(behind - windows_.begin()) - 1;
  }
  const size_t at = windows_[last_window_].at + (static_cast<size_t>(row) - windows_[last_window_].rows.first);
  return at < row_groups_.size() ? row_groups_[at] : kNoGroup;
}

void SelectionSums::add(const SliceStretch& stretch) {
  begin(stretch);
  const bool by_track = by_ == SelectionBy::track;
  const size_t count = stretch.start.size();
  const size_t before = row_groups_.size();
  row_groups_.resize(before + count, by_track ? group_of(stretch.track) : 0);
  inside_.resize(count);
  uint32_t* of_row = row_groups_.data() + before;
  for (size_t i = 0; i < count; ++i) {
    if (!by_track) of_row[i] = group_of(stretch.key[i]);
    const int64_t start = stretch.start[i];
    const int64_t duration = std::max<int64_t>(stretch.duration[i], 0);
    const int64_t inside = std::max<int64_t>(std::min(end_of(start, duration), t1_) - std::max(start, t0_), 0);
    inside_[i] = inside;
    SelectionGroup& sum = groups_[of_row[i]];
    ++sum.count;
    add_wrapping(sum.total, inside);
    sum.shortest = std::min(sum.shortest, duration);
    sum.longest = std::max(sum.longest, duration);
  }
  add_children(stretch, by_track);
}

// Parents lie in lanes that were given before, but for early children, and those of neighbours next to each other.
void SelectionSums::add_children(const SliceStretch& stretch, bool by_track) {
  for (size_t i = 0; i < stretch.parent.size(); ++i) {
    const int64_t parent = stretch.parent[i];
    if (parent < 0 || inside_[i] == 0) continue;
    const uint32_t group = by_track ? row_groups_.back() : group_of_row(parent);
    if (group != kNoGroup) add_wrapping(groups_[group].children, inside_[i]);
    else early_.push_back({parent, inside_[i]});
  }
}

}  // namespace tidemark
