// Cancel: sorting and nesting of many items end soon once it is set.
#include <algorithm>
#include <numeric>
#include <random>

#include "check.h"
#include "nesting/bucket_sort.h"
#include "nesting/track_order.h"
#include "trace_maker.h"

using namespace tidemark;

namespace {

constexpr size_t kMany = 1'000'000;

struct Pair {
  uint32_t key, place;
};
bool operator==(const Pair& a, const Pair& b) { return a.key == b.key && a.place == b.place; }

std::vector<Pair> shuffled(size_t count, uint32_t keys) {
  std::mt19937 random(7);
  std::vector<Pair> out;
  for (uint32_t i = 0; i < count; ++i) out.push_back({static_cast<uint32_t>(random() % keys), i});
  return out;
}

bool by_key(const Pair& a, const Pair& b) { return a.key < b.key; }

bool are_all_there(std::vector<Pair> items) {
  std::sort(items.begin(), items.end(), [](const Pair& a, const Pair& b) { return a.place < b.place; });
  for (uint32_t i = 0; i < items.size(); ++i) {
    if (items[i].place != i) return false;
  }
  return true;
}

}  // namespace

TEST(a_sort_that_can_be_cancelled_gives_what_a_stable_sort_gives) {
  const Progress progress;
  for (const size_t count : {size_t{0}, size_t{1}, size_t{2}, size_t{600}, size_t{70'000}, size_t{200'001}}) {
    for (const bool in_runs : {false, true}) {
      std::vector<Pair> items = shuffled(count, 1000);
      if (in_runs) std::stable_sort(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(count / 3), by_key);
      std::vector<Pair> expected = items;
      std::stable_sort(expected.begin(), expected.end(), by_key);
      sort_until_cancelled(items, by_key, progress);
      CHECK(items == expected);
    }
  }
}

TEST(a_sort_ends_within_a_few_blocks_of_items_once_it_is_cancelled) {
  uint64_t whole = 0;
  Progress running;
  std::vector<Pair> items = shuffled(kMany, 1u << 30);
  sort_until_cancelled(items, [&](const Pair& a, const Pair& b) { return ++whole, by_key(a, b); }, running);
  for (const uint64_t at : {uint64_t{1}, whole / 4, whole / 2, whole - whole / 8}) {
    Progress progress;
    uint64_t looked_at = 0;
    items = shuffled(kMany, 1u << 30);
    sort_until_cancelled(items, [&](const Pair& a, const Pair& b) {
      if (++looked_at == at) progress.cancel = true;
      return by_key(a, b);
    }, progress);
    CHECK(looked_at - at <= 17 * sorting::kBlock);  // those that sort the block at hand
    CHECK(are_all_there(items));
  }
}

TEST(a_sort_into_buckets_ends_soon_once_it_is_cancelled_and_leaves_the_items_as_they_were) {
  const std::vector<Pair> before = shuffled(kMany, 1u << 20);
  for (const size_t buckets : {size_t{1}, size_t{1} << 16}) {
    const auto bucket_of = [&](const Pair& item) { return static_cast<size_t>(item.key) * buckets >> 20; };
    for (const uint64_t at : {uint64_t{1}, uint64_t{100'000}}) {
      Progress progress;
      uint64_t looked_at = 0;
      std::vector<Pair> items = before;
      bucket_sort(items, buckets, bucket_of, [&](const Pair& a, const Pair& b) {
        if (++looked_at == at) progress.cancel = true;
        return by_key(a, b);
      }, progress);
      CHECK(looked_at - at <= 17 * sorting::kBlock);
      CHECK(items == before);
    }
  }
}

TEST(tracks_are_not_placed_once_nesting_is_cancelled) {
  TraceMaker make(1);
  make.complete(0, 1);
  for (uint32_t i = 0; i < 1000; ++i) make.trace().series.push_back({0, make.text("c" + std::to_string(i)), make.text("v"), kNone});
  TrackSources sources;
  sources.thread_slices = {1};
  sources.thread_is_gpu = {0};
  Progress progress;
  CHECK_EQ(place_tracks(make.trace(), sources, progress).tracks.size(), size_t{1001});
  progress.cancel = true;
  CHECK_EQ(place_tracks(make.trace(), sources, progress).tracks.size(), size_t{0});
}
