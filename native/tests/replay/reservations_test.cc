// The lives of reserved addresses against the toy allocator's own page by page log, and on histories that contradict themselves.
#include <algorithm>
#include <ctime>
#include <tuple>

#include "check.h"
#include "replayed.h"

using namespace tidemark;

namespace {

constexpr uint64_t kMiB = 1 << 20;

// address, size, map_event, unmap_event (−1 = never), stream, pool, is_small
using Life = std::tuple<uint64_t, uint64_t, int64_t, int64_t, int32_t, int32_t, bool>;

bool by_address_and_map_event(const Life& a, const Life& b) {
  return std::get<0>(a) != std::get<0>(b) ? std::get<0>(a) < std::get<0>(b) : std::get<2>(a) < std::get<2>(b);
}

std::vector<Life> lives_of(const Snapshot& snapshot, const AllocatorRules& rules, bool expandable) {
  std::vector<Life> out;
  for (const Reservation& r : replay(snapshot, rules).replay.reservations) {
    CHECK_EQ(r.is_expandable, expandable);
    const int64_t unmap = r.unmap_event == kNoEvent ? -1 : int64_t{r.unmap_event};
    out.emplace_back(r.address, r.size, r.map_event, unmap, r.stream, r.pool, r.is_small);
  }
  return out;
}

// Pages next to each other that were mapped and unmapped by the same events are one life: an event names one stretch.
std::vector<Life> logged_lives(const ToyAllocator& allocator, size_t dropped) {
  const auto first = static_cast<int64_t>(dropped);
  std::vector<Life> out;
  std::map<std::tuple<int64_t, int64_t, int, int, bool>, size_t> last;  // what a life must share with one that it goes on
  for (const auto& [page, lives] : allocator.pages()) {
    for (const ToyPageLife& life : lives) {
      if (life.unmap_event >= 0 && life.unmap_event < first) continue;
      const int64_t map = std::max<int64_t>(life.map_event - first, -1);
      const int64_t unmap = life.unmap_event < 0 ? -1 : life.unmap_event - first;
      const ToyClass& serves = life.serves;
      const auto key = std::make_tuple(map, unmap, int{serves.stream}, int{serves.pool}, serves.is_small);
      const auto before = last.find(key);
      if (before != last.end() && std::get<0>(out[before->second]) + std::get<1>(out[before->second]) == page) {
        std::get<1>(out[before->second]) += 2 * kMiB;
        continue;
      }
      last[key] = out.size();
      out.emplace_back(page, 2 * kMiB, map, unmap, serves.stream, serves.pool, serves.is_small);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

void check_lives(bool expandable, unsigned streams, unsigned pools, bool late) {
  AllocatorRules rules;
  rules.expandable_segments = expandable;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    ToyAllocator allocator(seed, rules, expandable, streams, pools, pools > 1);
    allocator.run(800);
    const size_t dropped = late ? allocator.totals().size() / 2 : 0;
    std::vector<Life> got = lives_of(allocator.snapshot(dropped), rules, expandable);
    const std::vector<Life> wanted = logged_lives(allocator, dropped);
    CHECK(std::is_sorted(got.begin(), got.end(), by_address_and_map_event));
    std::sort(got.begin(), got.end());
    CHECK(got == wanted);
  }
}

}  // namespace

TEST(every_reservation_has_its_life) {
  check_lives(false, 1, 1, false);
  check_lives(false, 3, 2, false);
}

TEST(parts_that_are_unmapped_end_alone) {
  check_lives(true, 1, 1, false);
  check_lives(true, 3, 2, false);
}

TEST(reservations_before_the_first_event_are_inferred) {
  check_lives(false, 3, 2, true);
  check_lives(true, 3, 2, true);
}

TEST(a_part_unmapped_leaves_two_that_go_on) {
  Snapshot snapshot = empty_snapshot();
  append(snapshot, Action::segment_map, 0x40000000, 60 * kMiB);
  append(snapshot, Action::segment_unmap, 0x40000000 + 20 * kMiB, 20 * kMiB);
  append(snapshot, Action::segment_unmap, 0x40000000, 20 * kMiB);
  append(snapshot, Action::segment_unmap, 0x40000000 + 40 * kMiB, 20 * kMiB);
  const std::vector<Life> wanted = {{0x40000000, 20 * kMiB, 0, 2, 0, 0, false},
                                    {0x40000000 + 20 * kMiB, 20 * kMiB, 0, 1, 0, 0, false},
                                    {0x40000000 + 40 * kMiB, 20 * kMiB, 0, 3, 0, 0, false}};
  CHECK(lives_of(snapshot, AllocatorRules{}, true) == wanted);
}

TEST(the_first_allocation_tells_the_class_of_what_did_not_last) {
  Snapshot snapshot = empty_snapshot();
  append(snapshot, Action::segment_map, 0x40000000, 20 * kMiB);  // of many small pages
  append(snapshot, Action::alloc, 0x40000000, 700);
  append(snapshot, Action::segment_map, 0x80000000, 2 * kMiB);
  append(snapshot, Action::alloc, 0x80000000, 2 * kMiB);
  append(snapshot, Action::free, 0x40000000, 700);
  append(snapshot, Action::free, 0x80000000, 2 * kMiB);
  append(snapshot, Action::segment_unmap, 0x40000000, 20 * kMiB);
  append(snapshot, Action::segment_unmap, 0x80000000, 2 * kMiB);
  const std::vector<Life> wanted = {{0x40000000, 20 * kMiB, 0, 6, 0, 0, true}, {0x80000000, 2 * kMiB, 2, 7, 0, 0, false}};
  CHECK(lives_of(snapshot, AllocatorRules{}, true) == wanted);
}

TEST(an_allocation_names_the_pool_of_its_segment) {
  Snapshot snapshot = empty_snapshot();
  snapshot.pools.push_back({1, 0});
  append(snapshot, Action::segment_alloc, 0x40000000, 20 * kMiB);
  append(snapshot, Action::segment_alloc, 0x80000000, 20 * kMiB);
  DeviceTrace& trace = append(snapshot, Action::alloc, 0x40000000, 12 * kMiB);
  trace.pool[2] = 1;
  append(snapshot, Action::free, 0x40000000, 12 * kMiB);
  append(snapshot, Action::segment_free, 0x40000000, 20 * kMiB);
  append(snapshot, Action::segment_free, 0x80000000, 20 * kMiB);
  const std::vector<Life> wanted = {{0x40000000, 20 * kMiB, 0, 4, 0, 1, false}, {0x80000000, 20 * kMiB, 1, 5, 0, -1, false}};
  CHECK(lives_of(snapshot, AllocatorRules{}, false) == wanted);
}

// A block over the seam, two pools and no event that names one: the segment that the first page became tells for both.
TEST(pages_side_by_side_are_of_one_pool) {
  constexpr uint64_t kPage = 20 * kMiB;
  Snapshot snapshot = empty_snapshot();
  snapshot.pools.push_back({1, 0});
  append(snapshot, Action::segment_map, 0x40000000, kPage);
  append(snapshot, Action::segment_map, 0x40000000 + kPage, kPage);
  append(snapshot, Action::segment_unmap, 0x40000000 + kPage, kPage);
  append(snapshot, Action::segment_map, 0x80000000, kPage);
  append(snapshot, Action::segment_unmap, 0x80000000, kPage);
  Segment segment;
  segment.device = 0;
  segment.address = 0x40000000;
  segment.total_size = kPage;
  segment.is_large = segment.is_expandable = true;
  segment.pool = 1;
  segment.blocks.push_back({});
  segment.blocks[0].address = segment.address;
  segment.blocks[0].size = kPage;
  snapshot.segments.push_back(segment);
  const std::vector<Life> wanted = {{0x40000000, kPage, 0, -1, 0, 1, false},
                                    {0x40000000 + kPage, kPage, 1, 2, 0, 1, false},
                                    {0x80000000, kPage, 3, 4, 0, -1, false}};
  CHECK(lives_of(snapshot, AllocatorRules{}, true) == wanted);
}

TEST(a_pool_that_no_event_names_is_never_told_wrongly) {
  AllocatorRules rules;
  rules.expandable_segments = true;
  size_t told = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    ToyAllocator allocator(seed, rules, true, 3, 2, false);
    allocator.run(800);
    std::vector<Life> got = lives_of(allocator.snapshot(0), rules, true);
    std::sort(got.begin(), got.end());
    std::vector<Life> wanted = logged_lives(allocator, 0);
    CHECK_EQ(got.size(), wanted.size());
    for (size_t i = 0; i < std::min(got.size(), wanted.size()); ++i) {
      if (std::get<5>(got[i]) < 0) std::get<5>(wanted[i]) = -1;
      else told += std::get<3>(got[i]) >= 0;
    }
    CHECK(got == wanted);
  }
  CHECK(told > 0);
}

TEST(an_unmap_takes_what_is_mapped_beside_other_segments) {
  constexpr uint64_t kPage = 20 * kMiB;
  Snapshot snapshot = empty_snapshot();
  append(snapshot, Action::segment_map, 0x40000000, kPage);
  append(snapshot, Action::segment_alloc, 0x40000000 + kPage, kPage);
  append(snapshot, Action::segment_map, 0x40000000 + 2 * kPage, kPage);
  append(snapshot, Action::segment_unmap, 0x40000000, 3 * kPage);
  append(snapshot, Action::snapshot, 0, 0);
  const Replayed got = replay(snapshot, AllocatorRules{});
  CHECK(!got.replay.exact);
  std::vector<Life> lives;
  for (const Reservation& r : got.replay.reservations) {
    lives.emplace_back(r.address, r.size, r.map_event, r.unmap_event == kNoEvent ? -1 : int64_t{r.unmap_event}, r.stream, r.pool,
                       r.is_small);
  }
  const std::vector<Life> wanted = {{0x40000000, kPage, 0, 3, 0, 0, false},
                                    {0x40000000 + kPage, kPage, 1, 4, 0, 0, false},
                                    {0x40000000 + 2 * kPage, kPage, 2, 3, 0, 0, false}};
  CHECK(lives == wanted);
  CHECK_EQ(got.curve[kFreeBlocks].at(2), 3);
  CHECK_EQ(got.curve[kFreeBlocks].at(3), 1);
  CHECK_EQ(got.curve[kFreeBlocks].at(4), 0);  // the final state has no segment
}

TEST(contradictory_segment_events_are_skipped) {
  Snapshot snapshot = empty_snapshot();
  append(snapshot, Action::segment_alloc, 0x40000000, 20 * kMiB);
  append(snapshot, Action::segment_alloc, 0x40000000 + 2 * kMiB, 20 * kMiB);  // overlaps
  append(snapshot, Action::segment_free, 0x40000000, 2 * kMiB);               // not the whole
  append(snapshot, Action::segment_unmap, 0x40000000, 2 * kMiB);              // not expandable
  append(snapshot, Action::segment_alloc, UINT64_MAX - kMiB, 2 * kMiB);       // beyond the end of all addresses
  append(snapshot, Action::segment_alloc, 0x80000000, 0);
  append(snapshot, Action::segment_free, 0x40000000, 20 * kMiB);
  const std::vector<Life> got = lives_of(snapshot, AllocatorRules{}, false);
  CHECK(std::find(got.begin(), got.end(), Life{0x40000000, 20 * kMiB, 0, 6, 0, 0, false}) != got.end());
}

// Unmaps that ask for more than is there, over many pages that each were mapped alone.
TEST(many_pages_cost_no_more_than_their_number) {
  constexpr uint64_t kCount = 100'000;
  constexpr uint64_t kPage = 2 * kMiB;
  Snapshot snapshot = empty_snapshot();
  for (uint64_t i = 0; i < kCount; ++i) append(snapshot, Action::segment_map, (i + 1) * kPage, kPage);
  for (uint64_t i = 0; i < kCount; ++i) {
    append(snapshot, Action::segment_unmap, kPage * (kCount / 2), kPage * kCount);
    append(snapshot, Action::segment_map, kPage * (kCount / 2), kPage);
    append(snapshot, Action::alloc, kPage, kPage * kCount);
    append(snapshot, Action::free, kPage, kPage * kCount);
  }
  const auto start = std::clock();
  const Replayed got = replay(snapshot, AllocatorRules{});
  CHECK(!got.replay.exact);
  CHECK(std::clock() - start < 4 * CLOCKS_PER_SEC);
  CHECK(got.replay.reservations.size() >= kCount);
}

TEST(unmaps_over_many_other_segments_cost_no_more_than_their_number) {
  constexpr uint64_t kCount = 100'000;
  constexpr uint64_t kPage = 2 * kMiB;
  Snapshot snapshot = empty_snapshot();
  for (uint64_t i = 0; i < kCount; ++i) append(snapshot, Action::segment_alloc, (i + 1) * kPage, kPage);
  append(snapshot, Action::segment_map, (kCount + 1) * kPage, kPage * kCount);
  for (uint64_t i = 0; i < kCount; ++i) append(snapshot, Action::segment_unmap, kPage, kPage * (kCount + 1 + i));
  const auto start = std::clock();
  const Replayed got = replay(snapshot, AllocatorRules{});
  CHECK(!got.replay.exact);
  CHECK(std::clock() - start < 4 * CLOCKS_PER_SEC);
  CHECK(got.replay.reservations.size() >= 2 * kCount - 1);
}
