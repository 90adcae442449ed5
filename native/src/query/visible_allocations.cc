#include "query/visible_allocations.h"

namespace tidemark {
namespace {

// Finds the first column whose event is not before a given one. Rep events are close to evenly spread, so a table over equal
// stretches of events leaves a step or two; where they are not, a binary search bounds the work.
class ColumnFinder {
 public:
  explicit ColumnFinder(const std::vector<int64_t>& rep_event) : rep_(rep_event.data()), first_(rep_event.front()) {
    const uint64_t span = static_cast<uint64_t>(rep_event.back() - first_);
    while ((span >> shift_) >= 2 * rep_event.size()) ++shift_;
    uint32_t column = 0;
    for (uint64_t bucket = 0; bucket <= (span >> shift_) + 1; ++bucket) {
      const int64_t event = first_ + static_cast<int64_t>(bucket << shift_);
      while (column < rep_event.size() && rep_[column] < event) ++column;
      start_.push_back(column);
    }
  }

  // For first rep event ≤ event ≤ last rep event.
  uint32_t find(int64_t event) const {
    const size_t bucket = static_cast<size_t>(event - first_) >> shift_;
    const int64_t* base = rep_ + start_[bucket];
    size_t length = start_[bucket + 1] - start_[bucket] + size_t{1};
    constexpr size_t kShort = 8;
    while (length > kShort) {
      const size_t half = length / 2;
      base += base[half - 1] < event ? half : 0;
      length -= half;
    }
    while (*base < event) ++base;
    return static_cast<uint32_t>(base - rep_);
  }

 private:
  const int64_t* rep_;
  int64_t first_;
  unsigned shift_ = 0;
  std::vector<uint32_t> start_;  // by stretch of 2^shift_ events: the first column at or after its start
};

// Counting sort of the members by the column at which they are gone.
void order_by_leaving(size_t columns, VisibleAllocations& out) {
  std::vector<uint32_t> next(columns + 2, 0);
  for (size_t member = 0; member < out.members; ++member) ++next[out.gone_at[member] + 1];
  for (size_t c = 0; c < columns; ++c) next[c + 1] += next[c];
  out.leaving_start.assign(next.begin(), next.end() - 1);
  // Members alive to the end are written too, behind all columns: cheaper than a branch that cannot be predicted.
  if (out.leaving.size() < out.members) out.leaving.resize(out.allocation.size());
  for (size_t member = 0; member < out.members; ++member) {
    out.leaving[next[out.gone_at[member]]++] = static_cast<uint32_t>(member);
  }
}

// The scan itself: allocations in order, the column that first shows them running along.
class Collector {
 public:
  Collector(const Lifetimes& lifetimes, const std::vector<int64_t>& rep_event, VisibleAllocations& out)
      : lifetimes_(lifetimes), device_(*lifetimes.columns), rep_(rep_event.data()), columns_(rep_event.size()),
        last_rep_(rep_event.back()), finder_(rep_event), out_(out) {
    out_.entering.assign(columns_ + 1, 0);
  }

  void scan_group(size_t first, size_t end) {
    advance(device_.alloc_event[first]);
    const int64_t shown = rep_[column_];
    // Columns only move on within the group, so what is dead at this one is dead at all later ones.
    if (static_cast<int64_t>(lifetimes_.last_free[first / kLifetimeGroup]) <= shown) return;
    uint32_t candidates[kLifetimeGroup];
    size_t count = 0;
    for (size_t i = first; i < end; ++i) {
      candidates[count] = static_cast<uint32_t>(i);  // no branch: which ones survive cannot be predicted
      count += static_cast<int64_t>(device_.free_requested[i]) > shown ? 1 : 0;
    }
    make_room(count);
    for (size_t k = 0; k < count; ++k) offer(candidates[k]);
  }

  void finish() {
    while (column_ < columns_) out_.entering[++column_] = static_cast<uint32_t>(members_);
    out_.members = members_;
    order_by_leaving(columns_, out_);
  }

 private:
  void advance(int64_t event) {
    while (rep_[column_] < event) out_.entering[++column_] = static_cast<uint32_t>(members_);
  }

  void make_room(size_t count) {
    if (members_ + count <= out_.allocation.size()) return;
    const size_t room = std::max<size_t>(4096, 2 * out_.allocation.size());
    out_.allocation.resize(room);
    out_.bytes.resize(room);
    out_.gone_at.resize(room);
  }

  void offer(uint32_t index) {
    advance(device_.alloc_event[index]);
    const int64_t freed = device_.free_requested[index];
    out_.allocation[members_] = index;
    out_.bytes[members_] = device_.size[index];
    out_.gone_at[members_] = first_column_without(freed);
    members_ += freed > rep_[column_] ? 1 : 0;
  }

  uint32_t first_column_without(int64_t freed) const {
    if (freed > last_rep_) return static_cast<uint32_t>(columns_);
    // The next column, where most of a zoomed-out view are gone, needs no search.
    const size_t next = std::min(column_ + 1, columns_ - 1);
    if (freed <= rep_[next]) return static_cast<uint32_t>(next);
    return finder_.find(freed);
  }

  const Lifetimes& lifetimes_;
  const DeviceColumns& device_;
  const int64_t* rep_;
  const size_t columns_;
  const int64_t last_rep_;
  const ColumnFinder finder_;
  VisibleAllocations& out_;
  size_t members_ = 0;
  size_t column_ = 0;  // the first column that shows the allocation at hand as made
};

}  // namespace

Failure collect_visible(const Lifetimes& lifetimes, const std::vector<int64_t>& rep_event, const StopSignal& stop,
                           VisibleAllocations& out) {
  Collector collector(lifetimes, rep_event, out);
  const size_t limit = allocations_until(*lifetimes.columns, rep_event.back());
  constexpr size_t kLook = 4096 * kLifetimeGroup;
  for (size_t first = 0; first < limit; first += kLifetimeGroup) {
    if (first % kLook == 0 && stop()) return query_cancelled();
    collector.scan_group(first, std::min(limit, first + kLifetimeGroup));
  }
  collector.finish();
  return {};
}

}  // namespace tidemark
