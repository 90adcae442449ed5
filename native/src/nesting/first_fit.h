// First-fit placing of intervals that come in order of their start: the first lane whose last interval has ended.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace tidemark {

// A tournament tree of the lanes' ends: a file in which everything overlaps has as many lanes as slices.
class FirstFit {
 public:
  // The lane of [start, end]; may touch the interval before it. Starts never fall from call to call.
  size_t place(int64_t start, int64_t end) {
    if (lanes_ == 0 || least_[1] > start) return add(end);
    size_t at = 1;
    while (at < capacity_) at = least_[at * 2] <= start ? at * 2 : at * 2 + 1;
    set(at, end);
    return at - capacity_;
  }
  size_t lanes() const { return lanes_; }

 private:
  static constexpr int64_t kNoLane = std::numeric_limits<int64_t>::max();

  size_t add(int64_t end) {
    if (lanes_ == capacity_) grow();
    set(capacity_ + lanes_, end);
    return lanes_++;
  }
  void grow() {
    const size_t wider = std::max<size_t>(4, capacity_ * 2);
    std::vector<int64_t> tree(wider * 2, kNoLane);
    std::copy(least_.begin() + static_cast<std::ptrdiff_t>(capacity_), least_.end(), tree.begin() + static_cast<std::ptrdiff_t>(wider));
    for (size_t at = wider; --at > 0;) tree[at] = std::min(tree[at * 2], tree[at * 2 + 1]);
    least_.swap(tree);
    capacity_ = wider;
  }
  void set(size_t at, int64_t end) {
    least_[at] = end;
    while (at >>= 1) least_[at] = std::min(least_[at * 2], least_[at * 2 + 1]);
  }

  std::vector<int64_t> least_;  // a heap-shaped tree: [1] is the root, the lanes' ends are from capacity_ on
  size_t capacity_ = 0;
  size_t lanes_ = 0;
};

}  // namespace tidemark
