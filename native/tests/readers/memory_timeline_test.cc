// PyTorch's memory timelines: both forms, what is recognised as one, and damage.
#include "check.h"
#include "readers/gzip.h"
#include "readers/trace/memory_timeline.h"
#include "readers/trace_text.h"

using tidemark::readers::trace::timeline_form;
using tidemark::readers::trace::TimelineForm;
using trace_text::Read;
using trace_text::read_trace_text;

namespace {

// The samples as "time: value of each category that holds something", in order.
std::string states_of(const Read& read) {
  std::string out;
  for (size_t i = 0; i < read.trace.samples.size(); ++i) {
    const auto sample = read.trace.samples[i];
    if (sample.series == 0) out += (out.empty() ? "" : " ") + std::to_string(sample.time_ns) + ":";
    if (sample.value != 0) out += " " + read.text(read.trace.series[sample.series].key) + "=" + std::to_string(static_cast<int64_t>(sample.value));
  }
  return out;
}

std::unique_ptr<Read> read_timeline(const std::string& text) {
  auto read = read_trace_text(text);
  CHECK(read->agrees);
  CHECK_EQ(read->error.code, "");
  return read;
}

const std::string kStates = "[[10, 10, 12], [[0, 8, 0, 0, 0, 0, 0, 0, 0], [0, 8, 0, 0, 2, 0, 0, 0, 0], [0, 8, 0, 0, 0, 0, 0, 0, 5]]]";
const std::string kChanges = "[[-1, 1, 8, 0], [-1, 1, 1, 2], [10000, 2, 4, 3], [10000, 3, -4, 3], [10000, 3, 4, 4], [12000, 4, -1, 2], [12500, 4, -4, 4]]";

}  // namespace

TEST(states_become_one_counter_of_eight_series) {
  const auto read = read_timeline(kStates);
  CHECK_EQ(states_of(*read), "10000: parameter=8 10000: parameter=8 temporary=2 12000: parameter=8 unknown=5");
  CHECK_EQ(read->trace.processes.size(), 1u);
  CHECK_EQ(read->text(read->trace.processes[0].name), "Memory timeline");
  CHECK_EQ(read->trace.series.size(), 8u);
  for (const auto& series : read->trace.series) CHECK_EQ(read->text(series.name), "Memory by category");
  CHECK_EQ(read->trace.event_count, 3u);
  CHECK_EQ(read->findings(), "");
  CHECK_EQ(read->trace.format_detail, "PyTorch memory timeline (JSON)");
}

TEST(changes_become_running_sums_with_what_was_there_before_the_first_time) {
  const auto read = read_timeline(kChanges);
  CHECK_EQ(states_of(*read),
           "9999: parameter=8 input=1 10000: parameter=8 input=1 activation=4 12000: parameter=8 activation=4 12500: parameter=8");
  CHECK_EQ(read->trace.event_count, 7u);
  CHECK_EQ(read->findings(), "");
  CHECK_EQ(read->trace.format_detail, "PyTorch memory timeline (raw JSON)");
}

TEST(a_timeline_below_gzip_says_the_same) {
  const auto read = read_timeline(gzipped(kChanges));
  CHECK_EQ(states_of(*read), states_of(*read_timeline(kChanges)));
  CHECK_EQ(read->findings(), "");
  CHECK_EQ(read->trace.format_detail, "PyTorch memory timeline (raw JSON, gzip)");
}

TEST(a_timeline_is_told_from_other_arrays) {
  CHECK(timeline_form(kStates) == TimelineForm::states);
  CHECK(timeline_form(" \n" + kChanges) == TimelineForm::changes);
  CHECK(timeline_form("\xEF\xBB\xBF" + kChanges) == TimelineForm::changes);
  CHECK(timeline_form("[[],[]]") == TimelineForm::states);
  CHECK(timeline_form("[[1,2,3,4],[[0,") == TimelineForm::states);
  CHECK(timeline_form("[[1,2,3,4,5,6,7") == TimelineForm::states);
  CHECK(timeline_form("[[1,2,3,4,5,x,7],[[0,") == TimelineForm::states);
  CHECK(timeline_form("[[-1,1,8,0]]") == TimelineForm::changes);
  for (const char* other : {"[{\"ph\":\"X\",\"ts\":1}]", "{\"ph\":\"X\"}\n{\"ph\":\"X\"}", "[]", "[[]]", "[[1,2,3]]", "[[10,20,30,40],[1,2,3,4]]",
                            "[[1.5,2,0.5,3],[1,2,3,4]]", "[[[1,2,3,4]]]", "[[\"a\",2,3,4]]", "[1,2,3,4]", "[[1,2,3,4,5],[1,2,3,4,5]]", "[[--,1,8,0]]", "["})
    CHECK(timeline_form(other) == TimelineForm::none);
}

TEST(a_cut_keeps_what_stands_before_it_and_says_so) {
  const auto changes = read_timeline(kChanges.substr(0, kChanges.find("[12500") + 4));
  CHECK_EQ(states_of(*changes), "9999: parameter=8 input=1 10000: parameter=8 input=1 activation=4 12000: parameter=8 activation=4");
  CHECK_EQ(changes->findings(), "truncated=1");
  const auto states = read_timeline(kStates.substr(0, kStates.size() - 5));
  CHECK_EQ(states_of(*states), "10000: parameter=8 10000: parameter=8 temporary=2");
  CHECK_EQ(states->findings(), "truncated=1");
  CHECK_EQ(read_trace_text("[[1,2,3,4,5,6")->error.code, "trace/truncated");
  CHECK_EQ(read_trace_text("[[],[]]")->error.code, "trace/not_a_trace");
  const std::string gzip = gzipped(kChanges);
  const auto cut = read_trace_text(gzip.substr(0, gzip.size() - 4));
  CHECK_EQ(cut->findings(), "truncated=1");
  CHECK_EQ(read_timeline(gzip + "more")->findings(), "bytes_after_end=1");
  CHECK_EQ(read_timeline(kChanges + std::string(300, '\0') + "\n")->findings(), read_timeline(kChanges)->findings());
  CHECK_EQ(read_timeline(kChanges + std::string(300, '\0') + "more")->finding("trace/bytes_after_end"), uint64_t{1});
}

TEST(a_damaged_row_costs_itself_and_no_other) {
  const char* const kExpected = "9999: parameter=8 10000: parameter=8 gradient=4";
  for (const char* odd : {"[10000,2,4]", "[10000,2,4,5,6]", "[10000,2,x,5]", "[10000,2,,5]", "[10000,2,1.5,5]", "10000,2,4,5]", "[10000,2,4,5", "[10000,2,99999999999999999999,5]",
                          "[10000,2,9007199254740993,5]", "\"]"}) {
    const auto read = read_timeline("[[-1,1,8,0]," + std::string(odd) + ",[10000,2,4,5]]");
    CHECK_EQ(states_of(*read), kExpected);
    CHECK_EQ(read->findings(), "timeline_row=1");
    CHECK_EQ(read->first_at("trace/timeline_row"), 12);
  }
}

TEST(unknown_actions_and_categories_count_with_their_bytes) {
  const auto read = read_timeline("[[-1,1,8,0],[5,9,4,99],[6,2,1,-3]]");
  CHECK_EQ(states_of(*read), "4: parameter=8 5: parameter=8 unknown=4 6: parameter=8 unknown=5");
  CHECK_EQ(read->findings(), "timeline_action=1 timeline_category=2");
}

TEST(rows_before_the_row_above_them_count_at_its_time) {
  const auto read = read_timeline("[[20,2,8,0],[10,2,1,0],[-1,1,1,1],[9223372036854775807,2,1,1]]");
  CHECK_EQ(states_of(*read), "20: parameter=9 optimizer_state=1");
  CHECK_EQ(read->findings(), "bad_time=1 timeline_order=2");
}

TEST(only_what_was_there_before_still_makes_a_picture) {
  CHECK_EQ(states_of(*read_timeline("[[-1,1,8,0]]")), "0: parameter=8");
}

TEST(more_freed_than_held_is_told) {
  const auto read = read_timeline("[[5,4,-8,3]]");
  CHECK_EQ(states_of(*read), "5: temporary=-8");
  CHECK_EQ(read->findings(), "timeline_negative=1");
}

TEST(times_and_rows_that_do_not_match_are_told) {
  const auto rows = read_timeline("[[1],[[0,1,0,0,0,0,0,0,0],[0,2,0,0,0,0,0,0,0]]]");
  CHECK_EQ(states_of(*rows), "1000: parameter=1");
  CHECK_EQ(rows->findings(), "timeline_lengths=1");
  const auto times = read_timeline("[[1,3,4,5,6,null],[[0,1,0,0,0,0,0,0,0],[1,2,0,0,0,0,0,0,0]]]x");
  CHECK_EQ(states_of(*times), "1000: parameter=1");
  CHECK_EQ(times->findings(), "bad_time=1 bytes_after_end=1 timeline_row=1 timeline_lengths=4");
}

TEST(cancelling_ends_the_reading) {
  tidemark::Progress progress;
  progress.cancel = true;
  trace_text::MemorySource source(kChanges);
  tidemark::readers::trace::Opened opened;
  opened.anywhere = &source;
  tidemark::Trace trace;
  const auto head = tidemark::readers::head_of(kChanges);
  CHECK_EQ(read_memory_timeline(head, std::move(opened), TimelineForm::changes, 16, progress, trace).code, "query/cancelled");
}
