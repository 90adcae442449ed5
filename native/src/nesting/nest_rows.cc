#include "nesting/nest_rows.h"

#include "nesting/first_fit.h"

namespace tidemark {
namespace {

constexpr size_t kCancelRows = size_t{1} << 16;
constexpr uint32_t kSpill = uint32_t{1} << 31;  // marks the number of a spill lane

// Rows that may still be the innermost around a later time. A row that ends no later than one after it never is, so the ends fall from bottom to top.
class Containers {
 public:
  // The innermost row around [start, end], which then is the innermost itself.
  uint32_t push(int64_t start, int64_t end, uint32_t row) {
    while (!open_.empty() && (open_.back().end <= start || open_.back().end < end)) open_.pop_back();
    const uint32_t parent = open_.empty() ? kNone : open_.back().row;
    if (!open_.empty() && open_.back().end == end) open_.pop_back();
    open_.push_back({end, row});
    return parent;
  }
  // The innermost row around `time`, ends included. No row that starts after it has been pushed, and times never fall: what ended is forgotten.
  uint32_t around(int64_t time) {
    while (!open_.empty() && open_.back().end < time) open_.pop_back();
    return open_.empty() ? kNone : open_.back().row;
  }

 private:
  struct Open {
    int64_t end;
    uint32_t row;
  };
  std::vector<Open> open_;
};

// The lane of each row by its depth, or a spill lane.
class Placer {
 public:
  explicit Placer(NestedRows& out) : out_(out) {}

  uint32_t place(int64_t start, int64_t end, uint32_t row) {
    while (depth_ > 0 && ends_[depth_ - 1] <= start) --depth_;
    if (depth_ > 0 && end > ends_[depth_ - 1]) return spill(start, end, row, out_.overlaps, out_.first_overlap);
    if (depth_ == kMostDepth) return spill(start, end, row, out_.too_deep, out_.first_too_deep);
    ends_[depth_] = end;
    if (depth_ == out_.depths) {
      ++out_.depths;
      out_.lane_slices.push_back(0);
    }
    ++out_.lane_slices[depth_];
    return static_cast<uint32_t>(depth_++);
  }
  const std::vector<uint64_t>& spilled() const { return spilled_; }

 private:
  uint32_t spill(int64_t start, int64_t end, uint32_t row, uint64_t& count, uint32_t& first) {
    if (count++ == 0) first = row;
    const size_t lane = spill_lanes_.place(start, end);
    if (lane == spilled_.size()) spilled_.push_back(0);
    ++spilled_[lane];
    return static_cast<uint32_t>(lane) | kSpill;
  }

  NestedRows& out_;
  int64_t ends_[kMostDepth];
  size_t depth_ = 0;
  FirstFit spill_lanes_;
  std::vector<uint64_t> spilled_;  // slices by spill lane
};

// Points behind the rows that start before them.
class Binder {
 public:
  Binder(BoundPoint* points, size_t count) : points_(points), count_(count) {}

  // All rows that start before `start` have been pushed, and `row` is the first that starts there or later.
  void reach(int64_t start, uint32_t row, Containers& containers) {
    while (next_around_ < count_ && points_[next_around_].time < start) bind_around(containers);
    while (next_after_ < count_ && points_[next_after_].time <= start) {
      if (points_[next_after_].binds_next) points_[next_after_].row = row;
      ++next_after_;
    }
  }
  void finish(Containers& containers) {
    while (next_around_ < count_) bind_around(containers);
  }

 private:
  void bind_around(Containers& containers) {
    BoundPoint& point = points_[next_around_++];
    if (!point.binds_next) point.row = containers.around(point.time);
  }

  BoundPoint* points_;
  size_t count_;
  size_t next_around_ = 0;
  size_t next_after_ = 0;
};

}  // namespace

NestedRows nest_rows(SliceRow* rows, size_t count, uint32_t* parents, BoundPoint* points, size_t point_count,
                     const Progress& progress) {
  NestedRows out;
  if (count == 0) return out;
  Placer placer(out);
  Containers containers;
  Binder binder(points, point_count);
  int64_t covered = out.first_ns = out.last_ns = rows[0].start;
  for (size_t i = 0; i < count && (i % kCancelRows || !progress.cancel); ++i) {
    const int64_t start = rows[i].start;
    const int64_t end = start + rows[i].dur;
    const auto row = static_cast<uint32_t>(i);
    binder.reach(start, row, containers);
    parents[i] = containers.push(start, end, row);
    rows[i].place = placer.place(start, end, row);
    if (end > covered) {
      out.busy_ns += end - std::max(covered, start);
      covered = end;
    }
  }
  out.last_ns = covered;
  binder.finish(containers);
  const std::vector<uint64_t>& spilled = placer.spilled();
  out.lane_slices.insert(out.lane_slices.end(), spilled.begin(), spilled.end());
  for (size_t i = 0; i < count && !spilled.empty(); ++i) {
    if (rows[i].place & kSpill) rows[i].place = (rows[i].place & ~kSpill) + static_cast<uint32_t>(out.depths);
  }
  return out;
}

}  // namespace tidemark
