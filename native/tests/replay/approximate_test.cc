// The layout of a history that does not lead to the final state: what is sure of it must still be right.
#include <algorithm>
#include <ctime>
#include <random>

#include "check.h"
#include "replay/approximate_layout.h"
#include "replayed.h"

using namespace tidemark;

namespace {

// What no allocator does: a segment given back that lies inside one that is kept.
void contradict(Snapshot& snapshot) { append(snapshot, Action::segment_free, snapshot.segments[0].address + 512, 512); }

// A final segment of one free block.
Segment& add_free_segment(Snapshot& snapshot, uint64_t address, uint64_t size) {
  Segment segment;
  segment.address = address;
  segment.total_size = size;
  segment.blocks.push_back({address, size, 0, BlockState::inactive, kNone});
  snapshot.segments.push_back(segment);
  return snapshot.segments.back();
}

}  // namespace

// Expandable segments leave no doubt about the sizes of blocks, so that nothing but the last event is wrong.
TEST(a_contradiction_at_the_end_spoils_nothing_before_it) {
  AllocatorRules rules;
  rules.expandable_segments = true;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    ToyAllocator allocator(seed, rules, true, 2, 2);
    allocator.run(600);
    Snapshot snapshot = allocator.snapshot(0);
    contradict(snapshot);
    const Replayed got = replay(snapshot, rules);
    CHECK(!got.replay.exact);
    const auto& totals = allocator.totals();
    int differing = 0;
    for (size_t i = 0; i < totals.size(); ++i) {
      differing += got.curve[kLargestFree].at(i) != totals[i].largest_free || got.curve[kReturnable][i] != totals[i].returnable ||
                   got.curve[kFreeBlocks][i] != totals[i].free_blocks || got.curve[kInactiveSplit][i] != 0;
    }
    CHECK_EQ(differing, 0);
    CHECK_EQ(got.curve[kLargestFree].size(), totals.size() + 1);
  }
}

TEST(wrong_sizes_stay_inside_what_is_reserved) {
  AllocatorRules rules;
  for (auto& divisions : rules.roundup_divisions) divisions = 4;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    ToyAllocator allocator(seed, rules, false, 2, 2);
    allocator.run(600);
    const size_t dropped = allocator.totals().size() / 3;
    const Replayed got = replay(allocator.snapshot(dropped), AllocatorRules{});
    CHECK(!got.replay.exact);
    for (size_t i = 0; i < got.curve[kReserved].size(); ++i) {
      const int64_t reserved = got.curve[kReserved][i];
      CHECK(got.curve[kInactiveSplit][i] >= 0 && got.curve[kReturnable][i] >= 0);
      CHECK(got.curve[kInactiveSplit][i] + got.curve[kReturnable][i] <= reserved);
      CHECK(got.curve[kLargestFree][i] <= std::max(got.curve[kInactiveSplit][i], got.curve[kReturnable][i]));
      CHECK_EQ(got.curve[kFreeBlocks][i] > 0, got.curve[kLargestFree][i] > 0);
    }
  }
}

TEST(memory_given_back_takes_along_what_is_in_it) {
  Snapshot snapshot = empty_snapshot();
  append(snapshot, Action::segment_map, 0x40000000, 40 << 20);
  append(snapshot, Action::alloc, 0x40000000 + (10 << 20), 20 << 20);
  append(snapshot, Action::alloc, 0x90000000, 4096);                              // in no segment
  append(snapshot, Action::segment_unmap, 0x40000000 + (20 << 20), 20 << 20);     // with a half of the first
  append(snapshot, Action::segment_unmap, 0x40000000, 20 << 20);
  const Replayed got = replay(snapshot, AllocatorRules{});
  CHECK(!got.replay.exact);
  const std::vector<int64_t> blocks = {1, 2, 2, 1, 0};
  const std::vector<int64_t> largest = {40 << 20, 10 << 20, 10 << 20, 20 << 20, 0};
  const std::vector<int64_t> active = {0, 20 << 20, (20 << 20) + 4096, 4096, 0};
  const std::vector<int64_t> reserved = {40 << 20, 40 << 20, (40 << 20) + 4096, (20 << 20) + 4096, 0};
  CHECK(got.curve[kFreeBlocks] == blocks);
  CHECK(got.curve[kLargestFree] == largest);
  CHECK(got.curve[kActive] == active);
  CHECK(got.curve[kReserved] == reserved);
}

TEST(what_the_program_gives_back_later_is_cut_to_fit) {
  Snapshot snapshot = empty_snapshot();
  append(snapshot, Action::segment_map, 0x40000000, 40 << 20);
  append(snapshot, Action::alloc, 0x40000000 + (10 << 20), 20 << 20);
  append(snapshot, Action::segment_unmap, 0x40000000 + (20 << 20), 20 << 20);     // under its end
  append(snapshot, Action::alloc, 0x40000000 + (14 << 20), 2 << 20);              // inside it
  append(snapshot, Action::free, 0x40000000 + (10 << 20), 20 << 20);
  append(snapshot, Action::free, 0x40000000 + (14 << 20), 2 << 20);
  append(snapshot, Action::segment_unmap, 0x40000000, 20 << 20);
  const Replayed got = replay(snapshot, AllocatorRules{});
  CHECK(!got.replay.exact);
  CHECK_EQ(got.replay.paired.allocations.size[0], uint64_t{4 << 20});
  CHECK_EQ(got.replay.paired.allocations.free_completed[0], 4u);
  const std::vector<int64_t> active = {0, 4 << 20, 4 << 20, 6 << 20, 2 << 20, 0, 0};
  CHECK(got.curve[kActive] == active);
  CHECK(got.curve[kRequested] == active);
}

TEST(an_unmap_takes_what_is_mapped_of_its_bytes) {
  Snapshot snapshot = empty_snapshot();
  Segment& kept = add_free_segment(snapshot, 0x40000000 + (40 << 20), 20 << 20);
  kept.is_expandable = true;
  append(snapshot, Action::segment_map, 0x40000000 + (20 << 20), 20 << 20);
  append(snapshot, Action::segment_map, 0x40000000 + (60 << 20), 40 << 20);
  append(snapshot, Action::segment_unmap, 0x40000000, 80 << 20);  // of which 60 MiB are mapped
  append(snapshot, Action::snapshot, 0, 0);
  const Replayed got = replay(snapshot, AllocatorRules{});
  CHECK(!got.replay.exact);
  const std::vector<int64_t> returnable = {40 << 20, 80 << 20, 20 << 20, 20 << 20};
  CHECK(got.curve[kReturnable] == returnable);  // at the end the page that the file says is there, and no other
  CHECK_EQ(got.replay.reservations.size(), size_t{5});
}

TEST(an_allocation_lost_at_the_last_event_takes_no_room) {
  Snapshot snapshot = empty_snapshot();
  append(snapshot, Action::alloc, 0x1000000, 512);
  add_free_segment(snapshot, 0x1000000, 2 << 20);
  const Replayed got = replay(snapshot, AllocatorRules{});
  CHECK(has_finding(got.replay, "snapshot/lost_free"));
  CHECK_EQ(got.curve[kActive][0], int64_t{0});
  CHECK_EQ(got.curve[kLargestFree][0], int64_t{2 << 20});
  CHECK_EQ(got.curve[kReturnable][0], int64_t{2 << 20});
}

TEST(any_history_is_survived) {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    Snapshot snapshot = empty_snapshot();
    const auto address = [&] { return 0x40000000 + uint64_t{random() % 24} * (1 << 20); };
    const auto size = [&] { return uint64_t{random() % 8} * (1 << 20) + (random() % 4 ? 0 : 512); };
    for (unsigned i = random() % 4; i > 0; --i) add_free_segment(snapshot, address(), size()).is_expandable = random() % 2;
    for (int i = 0; i < 200; ++i) append(snapshot, static_cast<Action>(random() % 12), address(), size());
    const Replayed got = replay(snapshot, AllocatorRules{});
    int wrong = 0;
    for (size_t i = 0; i < 200; ++i) {
      const int64_t free_blocks = got.curve[kFreeBlocks].at(i);
      const int64_t largest = got.curve[kLargestFree].at(i);
      wrong += free_blocks < 0 || largest < 0 || got.curve[kInactiveSplit].at(i) < 0 || got.curve[kReturnable].at(i) < 0 ||
               (free_blocks == 0) != (largest == 0);
      const int64_t active = got.curve[kActive].at(i);
      const int64_t free = got.curve[kReserved].at(i) - active;
      wrong += got.curve[kRequested].at(i) > active || got.curve[kAllocated].at(i) > active || free < largest ||
               free > largest * free_blocks || free < got.curve[kInactiveSplit].at(i) + got.curve[kReturnable].at(i);
    }
    CHECK_EQ(wrong, 0);
    for (const Reservation& r : got.replay.reservations) CHECK(r.size > 0 && r.map_event < int64_t{r.unmap_event});
  }
}

// Blocks of one size taken and given back again and again.
TEST(many_equal_blocks_take_linear_time) {
  constexpr uint64_t kCount = 200'000;
  Snapshot snapshot = empty_snapshot();
  append(snapshot, Action::segment_alloc, 0x40000000, kCount * 512);
  for (uint64_t i = 0; i < kCount; ++i) append(snapshot, Action::alloc, 0x40000000 + i * 512, 512);
  for (uint64_t i = 0; i < kCount; i += 2) append(snapshot, Action::free, 0x40000000 + i * 512, 512);
  for (uint64_t i = 0; i < kCount; ++i) {
    append(snapshot, Action::alloc, 0x40000000 + i / 2 * 2 * 512, 512);
    append(snapshot, Action::free, 0x40000000 + i / 2 * 2 * 512, 512);
  }
  const auto start = std::clock();
  const Replayed got = replay(snapshot, AllocatorRules{});
  CHECK(!got.replay.exact);  // so that both layouts have run
  CHECK_EQ(got.curve[kLargestFree].back(), int64_t{512});
  CHECK_EQ(got.curve[kFreeBlocks].back(), int64_t{kCount / 2});
  CHECK(std::clock() - start < 4 * CLOCKS_PER_SEC);
}

TEST(an_allocation_without_a_free_ends_when_its_memory_is_used_again) {
  constexpr uint64_t kAt = 0x40000000;
  Snapshot snapshot = empty_snapshot();
  append(snapshot, Action::segment_alloc, kAt, 20 << 20);
  append(snapshot, Action::alloc, kAt + (4 << 20), 4 << 20);
  append(snapshot, Action::alloc, kAt + (12 << 20), 4 << 20);
  append(snapshot, Action::free_requested, kAt + (12 << 20), 4 << 20);
  append(snapshot, Action::alloc, kAt, 10 << 20);  // over the first
  append(snapshot, Action::free, kAt, 10 << 20);
  append(snapshot, Action::segment_free, kAt, 20 << 20);  // with the second
  append(snapshot, Action::snapshot, 0, 0);
  const Replayed got = replay(snapshot, AllocatorRules{});
  CHECK(!got.replay.exact);
  const AllocationTable& table = got.replay.paired.allocations;
  CHECK_EQ(table.size[0], uint64_t{4 << 20});
  CHECK_EQ(table.free_requested[0], 4u);
  CHECK_EQ(table.free_completed[0], 4u);
  CHECK_EQ(table.size[1], uint64_t{4 << 20});
  CHECK_EQ(table.free_requested[1], 3u);
  CHECK_EQ(table.free_completed[1], 6u);
  CHECK_EQ(table.size[2], uint64_t{10 << 20});
  const std::vector<int64_t> allocated = {0, 4 << 20, 8 << 20, 4 << 20, 10 << 20, 0, 0, 0};
  const std::vector<int64_t> active = {0, 4 << 20, 8 << 20, 8 << 20, 14 << 20, 4 << 20, 0, 0};
  CHECK(got.curve[kAllocated] == allocated);
  CHECK(got.curve[kActive] == active);
}

TEST(following_free_memory_is_given_up_after_so_many_steps_and_the_curves_stay_whole) {
  ToyAllocator allocator(3, AllocatorRules{}, false, 2, 2);
  allocator.run(600);
  Snapshot snapshot = allocator.snapshot(0);
  contradict(snapshot);
  const Replayed got = replay(snapshot, AllocatorRules{});
  const size_t events = snapshot.traces[0].action.size();
  const auto lay_out = [&](uint64_t most_steps, std::vector<int64_t>& blocks, ReservedCurve& reserved) {
    CurveSummary summary;
    const CurveSink sink = [&](const CurveBlock& block) {
      blocks.insert(blocks.end(), block.value[kFreeBlocks], block.value[kFreeBlocks] + block.count);
    };
    SpaceCurves space(events, sink, summary);
    return approximate_layout(events, got.replay.reservations, got.replay.paired.allocations, space, reserved, Progress(), most_steps);
  };
  std::vector<int64_t> whole, part;
  ReservedCurve reserved, untouched;
  CHECK(lay_out(kMostLayoutSteps, whole, reserved));
  CHECK_EQ(reserved.after.size(), events);
  CHECK(whole == got.curve[kFreeBlocks]);
  untouched.start = 77;
  CHECK(!lay_out(300, part, untouched));
  CHECK_EQ(untouched.start, int64_t{77});
  CHECK(untouched.after.empty());
  CHECK_EQ(part.size(), events);
  const size_t same = static_cast<size_t>(std::mismatch(whole.begin(), whole.end(), part.begin()).first - whole.begin());
  CHECK(same > 10 && same < events);
  CHECK(std::all_of(part.begin() + static_cast<std::ptrdiff_t>(same), part.end(), [&](int64_t blocks) { return blocks == part.back(); }));
}
