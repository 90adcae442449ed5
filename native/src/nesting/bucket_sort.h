// Sorts items whose keys are spread over a known range: first into buckets of a few, then each bucket.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "model/stoppable_sort.h"

namespace tidemark {

// Ascending by `less`; equal items keep their order. bucket_of(item) < buckets never falls from an item to a greater one. However the items
// are spread, it takes no longer than sorting does. Once `progress.cancel` is set it ends soon and leaves the items as they were.
template <typename Item, typename BucketOf, typename Less>
void bucket_sort(std::vector<Item>& items, size_t buckets, BucketOf bucket_of, Less less, const Progress& progress) {
  constexpr size_t kFew = 16;
  std::vector<size_t> next(buckets + 1);
  for (size_t i = 0; i < items.size() && !is_cancelled_at(i, progress); ++i) ++next[bucket_of(items[i]) + 1];
  if (progress.cancel) return;
  for (size_t b = 0; b < buckets; ++b) next[b + 1] += next[b];
  std::vector<Item> sorted(items.size());
  for (size_t i = 0; i < items.size() && !is_cancelled_at(i, progress); ++i) {
    sorted[next[bucket_of(items[i])]++] = items[i];  // next[b] becomes the end of bucket b
  }
  Item* const all = sorted.data();
  for (size_t b = 0, first = 0; b < buckets; first = next[b++]) {
    if (is_cancelled_at(b, progress)) return;
    Item* const from = all + first;
    Item* const to = all + next[b];
    if (to - from > static_cast<std::ptrdiff_t>(kFew)) {
      sort_until_cancelled(from, static_cast<size_t>(to - from), less, progress);
      continue;
    }
    for (Item* item = from; item < to; ++item) {
      std::rotate(std::upper_bound(from, item, *item, less), item, item + 1);
    }
  }
  if (!progress.cancel) items.swap(sorted);
}

}  // namespace tidemark
