// The replay against the toy allocator: every curve at every event, from the start and from the middle of the history.
#include <ctime>

#include "check.h"
#include "replayed.h"

using namespace tidemark;

namespace {

void check_whole_history(const AllocatorRules& rules, bool expandable, unsigned streams = 1, unsigned pools = 1) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    ToyAllocator allocator(seed, rules, expandable, streams, pools);
    allocator.run(600);
    const Replayed got = replay(allocator.snapshot(0), rules);
    CHECK(got.replay.exact);
    CHECK_EQ(got.curve[kAllocated].size(), allocator.totals().size());
    CHECK_EQ(differing_events(got, allocator.totals(), 0, true), 0);
    CHECK_EQ(got.replay.paired.allocations.before_count, size_t{0});
  }
}

// One segment of one 2 MiB block.
Segment& add_segment(Snapshot& snapshot, BlockState state, uint32_t stack) {
  Segment segment;
  segment.address = 0x1000000;
  segment.total_size = 2 << 20;
  segment.blocks.push_back({0x1000000, 2 << 20, 2 << 20, state, stack});
  snapshot.segments.push_back(segment);
  return snapshot.segments.back();
}

}  // namespace

TEST(whole_history_is_exact) { check_whole_history(AllocatorRules{}, false); }

TEST(whole_history_of_expandable_segments_is_exact) {
  AllocatorRules rules;
  rules.expandable_segments = true;
  check_whole_history(rules, true);
}

TEST(streams_and_pools_share_nothing) {
  check_whole_history(AllocatorRules{}, false, 3, 2);
  AllocatorRules rules;
  rules.expandable_segments = true;
  check_whole_history(rules, true, 3, 2);
}

TEST(roundup_and_max_split_are_followed) {
  AllocatorRules rules;
  for (auto& divisions : rules.roundup_divisions) divisions = 4;
  check_whole_history(rules, false);
  AllocatorRules limited;
  limited.max_split_size = 20 * 1024 * 1024;
  check_whole_history(limited, false);
}

TEST(wrong_rules_are_noticed) {
  AllocatorRules rules;
  for (auto& divisions : rules.roundup_divisions) divisions = 4;
  ToyAllocator allocator(5, rules, false);
  allocator.run(600);
  const Replayed got = replay(allocator.snapshot(0), AllocatorRules{});
  CHECK(!got.replay.exact);
  CHECK(has_finding(got.replay, "replay/approximate"));
  CHECK_EQ(differing_events(got, allocator.totals(), 0, false), 0);
}

TEST(a_late_start_is_inferred) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    ToyAllocator allocator(seed, AllocatorRules{}, false);
    allocator.run(600);
    const size_t dropped = allocator.totals().size() / 2;
    const Replayed got = replay(allocator.snapshot(dropped), AllocatorRules{});
    CHECK(got.replay.exact);
    CHECK(got.replay.paired.allocations.before_count > 0);
    // Rounded bytes of what was freed since may be unknowable, and then a finding says so.
    const bool knowable = !has_finding(got.replay, "replay/unknown_slack");
    CHECK_EQ(differing_events(got, allocator.totals(), dropped, knowable), 0);
  }
}

TEST(a_late_start_of_expandable_segments_is_exact) {
  AllocatorRules rules;
  rules.expandable_segments = true;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    ToyAllocator allocator(seed, rules, true, 2, 2);
    allocator.run(600);
    const size_t dropped = allocator.totals().size() / 2;
    const Replayed got = replay(allocator.snapshot(dropped), rules);
    CHECK(got.replay.exact);
    CHECK_EQ(differing_events(got, allocator.totals(), dropped, true), 0);
  }
}

TEST(allocations_made_before_come_first_by_address) {
  ToyAllocator allocator(3, AllocatorRules{}, false);
  allocator.run(600);
  const Replayed got = replay(allocator.snapshot(allocator.totals().size() / 2), AllocatorRules{});
  const AllocationTable& t = got.replay.paired.allocations;
  for (size_t i = 1; i < t.count(); ++i) {
    const bool ordered = i < t.before_count ? t.address[i - 1] < t.address[i] : t.alloc_event[i - 1] < t.alloc_event[i];
    CHECK(ordered);
    CHECK_EQ(t.alloc_event[i] < 0, i < t.before_count);
  }
}

TEST(versions_count_the_uses_of_an_address) {
  Snapshot snapshot = empty_snapshot();
  append(snapshot, Action::segment_alloc, 0x1000000, 2 << 20);
  for (int i = 0; i < 3; ++i) {
    append(snapshot, Action::alloc, 0x1000000, 700);
    append(snapshot, Action::free_requested, 0x1000000, 700);
    append(snapshot, Action::free_completed, 0x1000000, 700);
  }
  append(snapshot, Action::segment_free, 0x1000000, 2 << 20);
  const Replayed got = replay(snapshot, AllocatorRules{});
  const AllocationTable& t = got.replay.paired.allocations;
  CHECK(got.replay.exact);
  CHECK_EQ(t.count(), size_t{3});
  for (uint32_t i = 0; i < 3; ++i) CHECK_EQ(t.version[i], i);
  CHECK_EQ(t.size[0], uint64_t{1024});
  CHECK_EQ(got.replay.curves.peak_event, int64_t{1});
  CHECK_EQ(got.replay.curves.peak_allocated, int64_t{1024});
}

TEST(contradictions_become_findings) {
  Snapshot snapshot = empty_snapshot();
  append(snapshot, Action::segment_alloc, 0x1000000, 2 << 20);
  append(snapshot, Action::alloc, 0x1000000, 512);
  append(snapshot, Action::alloc, 0x1000000, 1024);           // over the open one
  append(snapshot, Action::free_completed, 0x1000000, 2048);  // another size, and never requested
  append(snapshot, Action::free_completed, 0x1000000, 1024);  // closed already
  append(snapshot, Action::alloc, 0x1000200, 512);            // never freed, yet gone at the end
  append(snapshot, Action::segment_free, 0x1000000, 2 << 20);
  const Replayed got = replay(snapshot, AllocatorRules{});
  for (const char* code : {"snapshot/alloc_over_open", "snapshot/size_mismatch", "snapshot/ghost_free", "snapshot/lost_free",
                           "snapshot/free_request_missing", "replay/approximate"}) {
    CHECK(has_finding(got.replay, code));
  }
  CHECK(!got.replay.exact);
  for (int c = 0; c < kCurveCount; ++c) CHECK_EQ(got.curve[c].back(), int64_t{0});
}

TEST(a_free_without_allocation_gives_it_its_stack) {
  Snapshot snapshot = empty_snapshot();
  append(snapshot, Action::free_requested, 0x1000000, 512).stack[0] = 7;
  append(snapshot, Action::free_completed, 0x1000000, 512);
  append(snapshot, Action::segment_free, 0x1000000, 2 << 20);
  const Replayed got = replay(snapshot, AllocatorRules{});
  const AllocationTable& t = got.replay.paired.allocations;
  CHECK(got.replay.exact);
  CHECK_EQ(t.count(), size_t{1});
  CHECK_EQ(t.alloc_event[0], -1);
  CHECK_EQ(t.stack[0], uint32_t{7});
  CHECK_EQ(int{t.marks[0]}, int{kStackOfFree});
}

TEST(a_pending_block_gives_back_the_stack_of_its_allocation) {
  Snapshot snapshot = empty_snapshot();
  const uint32_t frame = snapshot.frames.intern(0, 0, 1);
  const uint32_t made = snapshot.stacks.intern(&frame, 1);
  append(snapshot, Action::free_requested, 0x1000000, 2 << 20).stack[0] = made + 1;
  add_segment(snapshot, BlockState::active_pending_free, made);
  const Replayed got = replay(snapshot, AllocatorRules{});
  const AllocationTable& t = got.replay.paired.allocations;
  CHECK(got.replay.exact);
  CHECK_EQ(t.stack[0], made);
  CHECK_EQ(int{t.marks[0]}, 0);
}

TEST(a_block_that_no_event_made_is_there_at_the_end) {
  for (const BlockState state : {BlockState::active_allocated, BlockState::active_pending_free}) {
    Snapshot snapshot = empty_snapshot();
    append(snapshot, Action::alloc, 0x1000000, 512);
    append(snapshot, Action::free, 0x1000000, 512);
    append(snapshot, Action::snapshot, 0, 0);
    const uint32_t made = snapshot.stacks.intern(nullptr, 0);
    add_segment(snapshot, state, made);
    const Replayed got = replay(snapshot, AllocatorRules{});
    const AllocationTable& t = got.replay.paired.allocations;
    CHECK(has_finding(got.replay, "snapshot/ghost_block"));
    CHECK_EQ(t.count(), size_t{2});
    CHECK_EQ(int{t.marks[1]}, int{kMadeUnseen});
    CHECK_EQ(t.version[1], uint32_t{1});
    CHECK_EQ(t.stack[1], made);
    const int64_t held = state == BlockState::active_allocated ? 2 << 20 : 0;
    CHECK_EQ(got.curve[kAllocated][1], int64_t{0});
    CHECK_EQ(got.curve[kAllocated][2], held);
    CHECK_EQ(got.curve[kActive][2], int64_t{2 << 20});
    const std::vector<int64_t> largest = {(2 << 20) - 512, 2 << 20, 0};
    CHECK(got.curve[kLargestFree] == largest);
  }
}

TEST(segments_know_their_stream) {
  Snapshot snapshot = empty_snapshot();
  snapshot.streams.push_back(77);
  add_segment(snapshot, BlockState::active_allocated, kNone).stream = 77;
  CHECK_EQ(replay(snapshot, AllocatorRules{}).replay.paired.allocations.stream[0], uint16_t{1});
  snapshot.segments[0].stream = 78;
  CHECK_EQ(replay(snapshot, AllocatorRules{}).replay.paired.allocations.stream[0], kNoStream);
}

// Addresses that all land in one place of a table that takes the low bits of ((a ^ a >> 9) · golden ratio) >> 32, which a file
// that knows the hash could choose.
TEST(chosen_addresses_do_not_collide) {
  constexpr uint64_t kGolden = 0x9E3779B97F4A7C15ull;
  constexpr uint64_t kCount = 200'000;
  uint64_t inverse = kGolden;  // Newton's steps double the right bits
  for (int i = 0; i < 6; ++i) inverse *= 2 - kGolden * inverse;
  Snapshot snapshot = empty_snapshot();
  for (uint64_t i = 1; i <= kCount; ++i) {
    const uint64_t mixed = (i << 52) | i;
    uint64_t address = mixed * inverse;
    const uint64_t folded = address;
    for (int shift = 9; shift < 64; shift += 9) address ^= folded >> shift;
    append(snapshot, Action::alloc, address, 512);
  }
  const auto start = std::clock();
  CHECK_EQ(replay(snapshot, AllocatorRules{}).replay.paired.allocations.count(), size_t{kCount});
  CHECK(std::clock() - start < 2 * CLOCKS_PER_SEC);
}

// Neighboring pages given back one by one, then taken as one, among many ranges that touch nothing.
TEST(many_joined_cuts_are_undone_in_linear_time) {
  constexpr uint64_t kPage = 2 << 20;
  Snapshot snapshot = empty_snapshot();
  constexpr uint64_t kCount = 50'000;
  for (uint64_t i = 1; i <= kCount; ++i) append(snapshot, Action::segment_map, i << 30, 2 * kPage);
  for (uint64_t i = 1; i <= kCount; ++i) {
    append(snapshot, Action::segment_unmap, i << 30, kPage);
    append(snapshot, Action::segment_unmap, (i << 30) + kPage, kPage);
  }
  const auto start = std::clock();
  CHECK(replay(snapshot, AllocatorRules{}).replay.exact);
  CHECK(std::clock() - start < 2 * CLOCKS_PER_SEC);
}

TEST(final_state_without_history_is_exact) {
  ToyAllocator allocator(9, AllocatorRules{}, false);
  allocator.run(300);
  const Replayed got = replay(allocator.snapshot(allocator.totals().size()), AllocatorRules{});
  CHECK(got.replay.exact);
  CHECK_EQ(got.replay.curves.start[kAllocated], allocator.totals().back().allocated);
  CHECK_EQ(got.replay.curves.peak_event, int64_t{-1});
}
