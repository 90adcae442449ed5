// Sorting of columns with millions of items, which nobody who has cancelled must wait for.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "model/array.h"
#include "model/progress.h"

namespace tidemark {
namespace sorting {

inline constexpr size_t kBlock = size_t{1} << 16;
// Shorter runs than this are made by sorting, longer ones are taken as they are.
inline constexpr size_t kUsefulRun = 512;

template <typename Item>
using Buffer = std::conditional_t<std::is_trivially_copyable_v<Item>, Array<Item>, std::vector<Item>>;

// The ends of ascending runs that together are all items.
template <typename Item, typename Less, typename Stopped>
std::vector<size_t> make_runs(Item* items, size_t count, Less less, const Stopped& stopped) {
  std::vector<size_t> ends;
  for (size_t from = 0; from < count && !stopped();) {
    size_t to = from + 1;
    while (to < count && !less(items[to], items[to - 1]) && (to % kBlock != 0 || !stopped())) ++to;
    if (to - from < kUsefulRun && to < count) {
      to = std::min(count, from + kBlock);
      std::stable_sort(items + from, items + to, less);
    }
    ends.push_back(to);
    from = to;
  }
  return ends;
}

template <typename Item, typename Less, typename Stopped>
void merge_runs(const Item* a, const Item* a_end, const Item* b, const Item* b_end, Item* out, Less less, const Stopped& stopped) {
  while (a < a_end && b < b_end && !stopped()) {
    for (size_t i = 0; i < kBlock && a < a_end && b < b_end; ++i) *out++ = less(*b, *a) ? *b++ : *a++;
  }
  out = std::copy(a, a_end, out);
  std::copy(b, b_end, out);
}

}  // namespace sorting

// Ascending by `less`; equal items keep their order. Items that come in a few ascending runs, as files have them, cost one merge. Once
// stopped() answers true it looks at a block of items more at most; then they are all there, in no order.
template <typename Item, typename Less, typename Stopped>
void sort_until_stopped(Item* items, size_t count, Less less, const Stopped& stopped) {
  std::vector<size_t> ends = sorting::make_runs(items, count, less, stopped);
  if (ends.size() < 2 || stopped()) return;
  sorting::Buffer<Item> other(count);
  Item* from = items;
  Item* to = &other[0];
  while (ends.size() > 1 && !stopped()) {
    std::vector<size_t> merged;
    size_t begin = 0;
    for (size_t run = 0; run < ends.size(); run += 2) {
      const size_t middle = ends[run];
      const size_t end = run + 1 < ends.size() ? ends[run + 1] : middle;
      sorting::merge_runs(from + begin, from + middle, from + middle, from + end, to + begin, less, stopped);
      merged.push_back(end);
      begin = end;
    }
    ends.swap(merged);
    std::swap(from, to);
  }
  if (from != items) std::copy(from, from + count, items);
}

// The same until `progress.cancel` is set.
template <typename Item, typename Less>
void sort_until_cancelled(Item* items, size_t count, Less less, const Progress& progress) {
  sort_until_stopped(items, count, less, [&] { return progress.cancel.load(std::memory_order_relaxed); });
}
template <typename Item, typename Less>
void sort_until_cancelled(std::vector<Item>& items, Less less, const Progress& progress) {
  sort_until_cancelled(items.data(), items.size(), less, progress);
}

}  // namespace tidemark
