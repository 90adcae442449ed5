// Tracks: which there are, their order and what they hold.
#include <ctime>

#include "check.h"
#include "trace_maker.h"

using namespace tidemark;

namespace {

std::string names(const NestedTrace& nested) {
  std::string out;
  for (const Track& track : nested.tracks) out += (out.empty() ? "" : ", ") + track.name;
  return out;
}

}  // namespace

TEST(tracks_are_ordered_by_sort_index_then_number_and_rows_without_events_are_left_out) {
  TraceMaker make(0);
  const uint32_t gpu = make.add_process("0");
  make.trace().processes[gpu].sort_index = 5000000;
  for (const char* tid : {"100", "20", "-3", "7"}) make.add_thread(0, tid);
  make.add_thread(gpu, "7");
  make.add_thread(0, "500");  // without events
  const uint32_t text = make.add_thread(0, "main");
  make.trace().threads[text].tid_is_text = true;
  make.trace().threads[3].sort_index = 9;
  for (const uint32_t thread : {0u, 1u, 2u, 3u, 4u, text}) make.complete(0, 1, "x", thread);
  make.trace().slices[4].category = make.category("kernel", CategoryKind::gpu);
  const NestedTrace nested = make.nest();
  CHECK_EQ(names(nested), "thread -3, thread 20, thread 100, main, thread 7, stream 7");
  CHECK(nested.tracks[5].kind == TrackKind::stream);
  CHECK_EQ(nested.thread_track[5], kNone);
  CHECK_EQ(nested.thread_track[4], 5u);
}

TEST(threads_are_called_by_their_metadata) {
  TraceMaker make(1);
  make.trace().threads[0].name = make.text("thread 430 (python3) ");
  make.complete(0, 1);
  CHECK_EQ(make.nest().tracks[0].name, "thread 430 (python3)");
}

TEST(instants_stand_on_the_track_of_their_scope_in_order_of_time) {
  TraceMaker make(1);
  make.trace().processes[0].name = make.text("python");
  make.instant(30, 't');
  make.instant(10, 't');
  make.instant(20, 'g');
  make.instant(5, 'p');
  make.complete(12, 2);
  const NestedTrace nested = make.nest();
  CHECK_EQ(names(nested), "trace, python, thread 10");
  CHECK_EQ(nested.instants.size(), size_t{4});
  const int64_t times[] = {15, 0, 5, 25};
  const uint32_t tracks[] = {0, 1, 2, 2};
  for (size_t i = 0; i < 4; ++i) {
    CHECK_EQ(nested.instants[i].time_ns, times[i]);
    CHECK_EQ(nested.instant_track[i], tracks[i]);
  }
  CHECK_EQ(nested.tracks[2].first_instant, uint64_t{2});
  CHECK_EQ(nested.tracks[2].instant_count, uint64_t{2});
  CHECK_EQ(nested.tracks[2].first_ns, 5);
  CHECK_EQ(nested.tracks[2].last_ns, 25);
}

TEST(the_series_of_a_counter_share_a_track_and_stand_in_order_of_time) {
  TraceMaker make(0);
  TraceCounterSeries a;
  a.name = make.text("memory");
  a.key = make.text("used");
  TraceCounterSeries b = a;
  b.key = make.text("free");
  TraceCounterSeries c = a;
  c.name = make.text("clock");
  make.trace().series = {a, b, c};
  for (int i = 3; i > 0; --i) {
    for (uint32_t s = 0; s < 3; ++s) make.trace().samples.push_back({i * 10, i + s * 100.0, s});
  }
  const NestedTrace nested = make.nest();
  CHECK_EQ(names(nested), "clock, memory");
  CHECK_EQ(nested.series.size(), size_t{3});
  CHECK_EQ(nested.series[0].series, 2u);
  CHECK_EQ(nested.series[1].track, 1u);
  CHECK_EQ(nested.series[2].track, 1u);
  for (size_t i = 0; i < 9; ++i) CHECK_EQ(nested.samples[i].time_ns, static_cast<int64_t>(i % 3) * 10);
  CHECK_EQ(nested.samples[3].value, 1.0);
  CHECK_EQ(nested.samples[6].value, 101.0);
  CHECK_EQ(nested.tracks[1].last_ns, 20);
}

TEST(a_hundred_thousand_series_of_one_long_name_do_not_copy_it_each) {
  TraceMaker make(1);
  const uint32_t name = make.text(std::string(200'000, 'n'));
  for (uint32_t i = 0; i < 100'000; ++i) {
    make.trace().series.push_back({0, name, make.text("v" + std::to_string(i)), kNone});
    make.trace().samples.push_back({int64_t{i}, 1.0, i});
  }
  const std::clock_t begun = std::clock();
  const NestedTrace nested = make.nest();
  CHECK(std::clock() - begun < CLOCKS_PER_SEC);  // a copy each is 20 GB
  CHECK_EQ(nested.tracks.size(), size_t{1});
  CHECK_EQ(nested.series.size(), size_t{100'000});
}
