// Slices of one thread: order, lanes, parents, begin and end events, the span of the capture.
#include "check.h"
#include "trace_maker.h"

using namespace tidemark;

TEST(what_lies_inside_an_open_slice_is_its_child_whatever_the_files_order) {
  TraceMaker make;
  make.complete(30, 10, "inner");
  make.complete(20, 60, "outer");
  make.complete(50, 30, "second");
  make.complete(80, 5, "after");
  const NestedTrace nested = make.nest();
  CHECK_EQ(shape(nested), "0:0+60 0:60+5 1:10+10 1:30+30");
  CHECK_EQ(name_of_parent(make.trace(), nested, "inner"), "outer");
  CHECK_EQ(name_of_parent(make.trace(), nested, "second"), "outer");
  CHECK_EQ(name_of_parent(make.trace(), nested, "after"), "none");
  CHECK_EQ(nested.start_ns, 20);
  CHECK_EQ(nested.duration_ns, 65);
  CHECK_EQ(nested.tracks[0].busy_ns, 65);
}

TEST(of_equal_starts_the_longer_is_the_parent_and_of_equal_slices_the_first_in_the_file) {
  TraceMaker make;
  make.complete(0, 5, "short");
  make.complete(0, 10, "first");
  make.complete(0, 10, "second");
  const NestedTrace nested = make.nest();
  CHECK_EQ(shape(nested), "0:0+10 1:0+10 2:0+5");
  CHECK_EQ(name_of_parent(make.trace(), nested, "short"), "second");
  CHECK_EQ(name_of_parent(make.trace(), nested, "second"), "first");
}

TEST(slices_that_only_touch_are_siblings) {
  TraceMaker make;
  make.complete(0, 10, "a");
  make.complete(10, 10, "b");
  make.complete(20, 0, "nothing");
  make.complete(20, 0, "as_little");
  const NestedTrace nested = make.nest();
  CHECK_EQ(shape(nested), "0:0+10 0:10+10 0:20+0 0:20+0");
  CHECK_EQ(finding(nested, "trace/overlap"), 0u);
}

TEST(what_overlaps_without_lying_inside_goes_to_a_spill_lane_and_keeps_its_parent) {
  TraceMaker make;
  make.complete(0, 100, "whole");
  make.complete(10, 20, "a");
  make.complete(20, 20, "overlaps");
  make.complete(22, 3, "inside_both");
  make.complete(35, 4, "inside_the_spilled");
  make.complete(50, 30, "b");
  make.complete(60, 30, "overlaps_too");
  const NestedTrace nested = make.nest();
  CHECK_EQ(shape(nested), "0:0+100 1:10+20 1:35+4 1:50+30 2:22+3 3s:20+20 3s:60+30");
  CHECK_EQ(finding(nested, "trace/overlap"), 2u);
  CHECK_EQ(name_of_parent(make.trace(), nested, "overlaps"), "whole");
  CHECK_EQ(name_of_parent(make.trace(), nested, "inside_both"), "overlaps");
  CHECK_EQ(name_of_parent(make.trace(), nested, "inside_the_spilled"), "overlaps");
  CHECK_EQ(name_of_parent(make.trace(), nested, "overlaps_too"), "whole");
  CHECK_EQ(nested.findings[0].first_at, 2);
}

TEST(spill_lanes_are_filled_from_the_first_with_room) {
  TraceMaker make;
  for (int i = 0; i < 6; ++i) make.complete(i * 10, 25, "s");
  CHECK_EQ(shape(make.nest()), "0:0+25 0:30+25 1s:10+25 1s:40+25 2s:20+25 2s:50+25");
}

TEST(a_staircase_of_overlaps_loses_no_slice) {
  TraceMaker make;
  constexpr int kSteps = 3000;
  for (int i = 0; i < kSteps; ++i) make.complete(i, 1'000'000, "s");
  const NestedTrace nested = make.nest();
  CHECK_EQ(nested.slices.size(), size_t{kSteps});
  CHECK_EQ(nested.lanes.size(), size_t{kSteps});
  CHECK_EQ(finding(nested, "trace/overlap"), uint64_t{kSteps - 1});
}

TEST(nesting_deeper_than_512_goes_to_spill_lanes) {
  TraceMaker make;
  for (int i = 0; i < 600; ++i) make.complete(i, 2000 - 2 * i, "level" + std::to_string(i));
  const NestedTrace nested = make.nest();
  CHECK_EQ(finding(nested, "trace/too_deep"), 88u);
  CHECK_EQ(finding(nested, "trace/overlap"), 0u);
  CHECK_EQ(nested.lanes.size(), size_t{600});
  CHECK(!nested.lanes[511].is_spill && nested.lanes[512].is_spill);
  CHECK_EQ(name_of_parent(make.trace(), nested, "level599"), "level598");
}

TEST(an_end_closes_the_innermost_open_begin) {
  TraceMaker make;
  make.begin(0, "outer");
  make.begin(10, "inner");
  make.complete(12, 3, "complete");
  make.end(20);
  make.end(30);
  const NestedTrace nested = make.nest();
  CHECK_EQ(shape(nested), "0:0+30 1:10+10 2:12+3");
  CHECK_EQ(name_of_parent(make.trace(), nested, "complete"), "inner");
  CHECK(!nested.slices[0].is_unfinished && !nested.slices[1].is_unfinished);
}

TEST(begin_and_end_events_out_of_order_are_paired_in_order_of_time) {
  TraceMaker make;
  make.end(20);
  make.end(30);
  make.begin(10, "b");
  make.begin(5, "a");
  CHECK_EQ(shape(make.nest()), "0:0+25 1:5+10");
}

TEST(an_end_without_a_begin_is_counted_and_a_begin_without_an_end_lasts_to_the_end_of_its_track) {
  TraceMaker make(2);
  make.end(0).source_offset = 77;
  make.begin(10, "open");
  make.complete(20, 30, "last");
  make.complete(0, 500, "other_track", 1);
  const NestedTrace nested = make.nest();
  CHECK_EQ(finding(nested, "trace/unmatched_end"), 1u);
  CHECK_EQ(finding(nested, "trace/unfinished"), 1u);
  CHECK_EQ(shape(nested, 0), "0:10+40 1:20+30");
  CHECK(nested.slices[0].is_unfinished && !nested.slices[1].is_unfinished);
}

TEST(a_complete_event_without_a_duration_lasts_to_the_end_of_its_track) {
  TraceMaker make;
  make.complete(0, kUnfinished, "open");
  make.complete(5, 10, "inside");
  const NestedTrace nested = make.nest();
  CHECK_EQ(shape(nested), "0:0+15 1:5+10");
  CHECK(nested.slices[0].is_unfinished);
  CHECK_EQ(name_of_parent(make.trace(), nested, "inside"), "open");
}

TEST(the_capture_starts_at_the_first_event_that_is_no_span_row) {
  TraceMaker make(2);
  const uint16_t span = make.category("Trace", CategoryKind::span);
  make.complete(100, 5000, "span", 1).category = span;
  make.complete(1000, 10, "work");
  const NestedTrace nested = make.nest();
  CHECK_EQ(nested.start_ns, 1000);
  CHECK_EQ(nested.duration_ns, 10);
  CHECK_EQ(nested.slices[static_cast<size_t>(find(make.trace(), nested, "span"))].start_ns, -900);
}

TEST(an_event_more_than_a_day_from_the_rest_does_not_move_the_capture) {
  constexpr int64_t kDay = int64_t{86400} * 1000000000;
  TraceMaker make;
  make.complete(5, 10, "early");
  for (int i = 0; i < 3; ++i) make.complete(3 * kDay + i * 100, 10, "work");
  make.complete(9 * kDay, 10, "late");
  const NestedTrace nested = make.nest();
  CHECK_EQ(nested.start_ns, 3 * kDay);
  CHECK_EQ(nested.duration_ns, 210);
  CHECK_EQ(finding(nested, "trace/time_outlier"), 2u);
  CHECK_EQ(nested.slices[0].start_ns, 5 - 3 * kDay);
  CHECK_EQ(nested.slices.size(), size_t{5});
}

TEST(a_slice_longer_than_all_the_rest_does_not_lengthen_the_capture) {
  constexpr int64_t kYear = int64_t{365} * 86400 * 1000000000;
  TraceMaker make;
  make.complete(0, kYear, "endless");
  make.complete(10, 20, "work");
  const NestedTrace nested = make.nest();
  CHECK_EQ(nested.duration_ns, 30);
  CHECK_EQ(finding(nested, "trace/long_duration"), 1u);
  CHECK_EQ(name_of_parent(make.trace(), nested, "work"), "endless");
}

TEST(the_one_slice_far_longer_than_all_the_rest_is_told_and_shown_whole) {
  constexpr int64_t kSecond = 1000000000;
  const auto long_ones = [&](int64_t first, int64_t second) {
    TraceMaker make;
    make.complete(0, 10, "before");
    make.complete(20, first, "wrapped");
    make.complete(30, second, "other");
    const NestedTrace nested = make.nest();
    CHECK_EQ(nested.duration_ns, std::max(20 + first, 30 + second));
    return finding(nested, "trace/long_duration");
  };
  CHECK_EQ(long_ones(1600 * kSecond, 10), 1u);
  CHECK_EQ(long_ones(1600 * kSecond, kSecond), 1u);
  CHECK_EQ(long_ones(1600 * kSecond, 17 * kSecond), 0u);
  CHECK_EQ(long_ones(1600 * kSecond, 1600 * kSecond), 0u);
  CHECK_EQ(long_ones(kSecond / 2, 10), 0u);
}

TEST(times_at_the_ends_of_the_range_do_not_overflow) {
  TraceMaker make;
  make.complete(INT64_MIN, INT64_MAX, "a");
  make.complete(INT64_MAX, INT64_MAX, "b");
  make.complete(0, INT64_MAX, "c");
  make.begin(INT64_MIN, "d");
  make.end(INT64_MAX);
  const NestedTrace nested = make.nest();
  CHECK_EQ(nested.slices.size(), size_t{4});
  for (const NestedSlice& s : nested.slices) CHECK(s.dur_ns >= 0);
}

TEST(a_cancelled_load_stops) {
  TraceMaker make;
  for (int i = 0; i < 100; ++i) make.complete(i, 1);
  Progress progress;
  progress.cancel = true;
  CHECK_EQ(nest_trace(make.trace(), progress).slices.size(), size_t{0});
}
