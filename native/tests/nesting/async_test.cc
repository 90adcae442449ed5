// Async events: pairs by key, first-fit lanes.
#include "check.h"
#include "trace_maker.h"

using namespace tidemark;

TEST(async_pairs_become_slices_of_one_track_a_category_placed_first_fit) {
  TraceMaker make;
  const uint32_t a = make.async_key("net"), b = make.async_key("net");
  make.async('b', 0, a, "request");
  make.async('b', 10, b, "other");
  make.async('e', 20, a, "request");
  make.async('e', 30, b, "other");
  make.async('b', 25, a, "again");
  make.async('e', 40, a, "again");
  const NestedTrace nested = make.nest();
  CHECK_EQ(nested.tracks.size(), size_t{1});
  CHECK(nested.tracks[0].kind == TrackKind::async);
  CHECK_EQ(nested.tracks[0].name, "net");
  CHECK_EQ(shape(nested), "0:0+20 0:25+15 1:10+20");
  CHECK_EQ(nested.tracks[0].busy_ns, 40);
}

TEST(within_a_key_an_end_closes_the_nearest_begin_of_its_name_and_what_is_open_inside) {
  TraceMaker make;
  const uint32_t key = make.async_key("net");
  make.async('b', 0, key, "outer");
  make.async('b', 10, key, "lost");
  make.async('n', 15, key, "mark");
  make.async('e', 20, key, "outer");
  const NestedTrace nested = make.nest();
  CHECK_EQ(shape(nested), "0:0+20 1:10+10 2:15+0");
  CHECK_EQ(name_of_parent(make.trace(), nested, "lost"), "outer");
  CHECK_EQ(name_of_parent(make.trace(), nested, "mark"), "lost");
  CHECK_EQ(finding(nested, "trace/unmatched_async"), 1u);
}

TEST(a_begin_without_an_end_lasts_to_the_last_event_of_its_key_and_an_end_without_a_begin_starts_at_the_first) {
  TraceMaker make;
  const uint32_t key = make.async_key("net"), other = make.async_key("net");
  make.async('n', 5, key, "first");
  make.async('e', 10, key, "never_begun");
  make.async('b', 20, key, "never_ended");
  make.async('n', 50, key, "last");
  make.async('n', 900, other, "later");
  const NestedTrace nested = make.nest();
  const NestedSlice& open = nested.slices[static_cast<size_t>(find(make.trace(), nested, "never_ended"))];
  CHECK_EQ(open.dur_ns, 30);
  CHECK(open.is_unfinished);
  const NestedSlice& ended = nested.slices[static_cast<size_t>(find(make.trace(), nested, "never_begun"))];
  CHECK_EQ(ended.start_ns, 0);
  CHECK_EQ(ended.dur_ns, 5);
  CHECK_EQ(finding(nested, "trace/unmatched_async"), 2u);
}

TEST(async_events_of_two_processes_have_a_track_each) {
  TraceMaker make;
  const uint32_t process = make.add_process("2");
  const uint32_t a = make.async_key("net", 0), b = make.async_key("net", process);
  for (const uint32_t key : {a, b}) {
    make.async('S', 0, key, "job");
    make.async('F', 10, key, "job");
  }
  const NestedTrace nested = make.nest();
  CHECK_EQ(nested.tracks.size(), size_t{2});
  CHECK_EQ(shape(nested, 0), "0:0+10");
  CHECK_EQ(shape(nested, 1), "0:0+10");
  CHECK_EQ(finding(nested, "trace/unmatched_async"), 0u);
}
