#include "query/selection_sums.h"

#include <algorithm>

#include "model/bits.h"
#include "query/trace_sight.h"

namespace tidemark {
SelectionSums::SelectionSums(SelectionBy by, size_t keys, int64_t t0, int64_t t1)
    : by_(by), t0_(t0), t1_(t1), chunk_(std::make_unique<Chunk>()), group_by_key_(keys + 1, kNoGroup) {}

void SelectionSums::begin_track(const std::vector<RowStretch>& lanes) {
  end_track();
  size_t rows = 0;
  for (const RowStretch& lane : lanes) {
    if (lane.count > 0) windows_.push_back({lane, rows});
    rows += lane.count;
  }
  if (by_ != SelectionBy::track && rows > row_groups_.size()) row_groups_ = Array<uint32_t>(rows);
}

void SelectionSums::end_track() {
  for (const EarlyChild& child : early_) {
    const uint32_t group = group_of_row(child.parent);
    if (group != kNoGroup) groups_[group].children = saturating_add(groups_[group].children, child.inside);
  }
  early_.clear();
  windows_.clear();
  given_ = 0;
  last_window_ = 0;
}

uint32_t SelectionSums::new_group(size_t at) {
  group_by_key_[at] = static_cast<uint32_t>(groups_.size());
  groups_.emplace_back();
  groups_.back().key = static_cast<int64_t>(at) - 1;
  return group_by_key_[at];
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
  return at < given_ ? row_groups_[at] : kNoGroup;
}

void SelectionSums::add(const SliceStretch& stretch) {
  if (!stretch.lanes.empty()) begin_track(stretch.lanes);
  Chunk& chunk = *chunk_;
  for (size_t first = 0; first < stretch.count; first += kChunk) {
    const size_t count = std::min(kChunk, stretch.count - first);
    const auto unpack = [&](const StretchColumn& column, int64_t* out) { decode_piece(column.piece, column.from + first, count, out); };
    unpack(stretch.start, chunk.start);
    unpack(stretch.duration, chunk.duration);
    unpack(stretch.parent, chunk.parent);
    if (by_ != SelectionBy::track) unpack(stretch.key, chunk.key);
    add_slices(stretch.track, count);
    add_children(count);
  }
}

void SelectionSums::add_slices(int64_t track, size_t count) {
  Chunk& chunk = *chunk_;
  const bool by_track = by_ == SelectionBy::track;
  const int64_t t0 = t0_, t1 = t1_;
  const uint32_t of_track = by_track ? group_of(track) : 0;
  uint32_t* const of_row = by_track ? nullptr : row_groups_.begin() + given_;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t group = by_track ? of_track : group_of(chunk.key[i]);
    if (of_row) of_row[i] = group;
    const int64_t start = chunk.start[i];
    const int64_t duration = std::max<int64_t>(chunk.duration[i], 0);
    const int64_t inside = std::max<int64_t>(std::min(end_of(start, duration), t1) - std::max(start, t0), 0);
    chunk.inside[i] = inside;
    SelectionGroup& sum = groups_[group];
    ++sum.count;
    sum.total = saturating_add(sum.total, inside);
    sum.shortest = std::min(sum.shortest, duration);
    sum.longest = std::max(sum.longest, duration);
  }
  given_ += count;
}

// Parents lie in lanes that were given before, but for early children; those of neighbors are often the same.
void SelectionSums::add_children(size_t count) {
  const Chunk& chunk = *chunk_;
  int64_t last_parent = -1;
  uint32_t group = by_ == SelectionBy::track ? static_cast<uint32_t>(groups_.size() - 1) : kNoGroup;
  for (size_t i = 0; i < count; ++i) {
    const int64_t parent = chunk.parent[i];
    if (parent < 0 || chunk.inside[i] == 0) continue;
    if (parent != last_parent && by_ != SelectionBy::track) group = group_of_row(parent);
    last_parent = parent;
    if (group != kNoGroup) groups_[group].children = saturating_add(groups_[group].children, chunk.inside[i]);
    else early_.push_back({parent, chunk.inside[i]});
  }
}

}  // namespace tidemark
