// Damaged traces: everything that can be kept is kept, and every repair is told.
#include "check.h"
#include "readers/trace_text.h"

using trace_text::Read;
using trace_text::read_trace_text;

namespace {

const std::string kA = R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1})";
const std::string kB = R"({"ph":"X","name":"b","pid":1,"tid":1,"ts":2,"dur":1})";

// A healthy event, the given text, a healthy event.
std::unique_ptr<Read> read_between(const std::string& middle) {
  auto read = read_trace_text("{\"traceEvents\":[" + kA + "," + middle + "," + kB + "],\"z\":1}");
  CHECK_EQ(read->error.code, "");
  CHECK(read->agrees);
  CHECK_EQ(read->metadata("z"), "1");
  return read;
}

std::string event(const std::string& fields) { return "{\"ph\":\"X\",\"pid\":1,\"tid\":1," + fields + "}"; }

void check_middle(const std::string& fields, const std::string& names, const std::string& findings) {
  const auto read = read_between(event(fields));
  CHECK_EQ(read->names(), names);
  CHECK_EQ(read->findings(), findings);
}

}  // namespace

TEST(numbers_that_json_does_not_have) {
  for (const char* word : {"NaN", "Infinity", "-Infinity", "inf", "nan", "-inf"}) {
    check_middle("\"ts\":1,\"dur\":1,\"name\":\"n\",\"args\":{\"x\":" + std::string(word) + ",\"External id\":5}", "a|n|b", "non_finite_number=1");
    check_middle("\"name\":\"n\",\"ts\":" + std::string(word) + ",\"dur\":1", "a|b", "non_finite_number=1 bad_time=1");
    check_middle("\"name\":\"n\",\"ts\":3,\"dur\":" + std::string(word), "a|n|b", "non_finite_number=1 missing_duration=1");
  }
  check_middle(R"("name":"n","ts":"inf","dur":1)", "a|b", "bad_time=1");
  check_middle(R"("name":"n","ts":1,"dur":1,"args":{"bandwidth":"inf","v":N/A})", "a|n|b", "non_finite_number=1");
}

TEST(numbers_in_odd_forms) {
  const struct {
    const char* text;
    int64_t ns;
  } cases[] = {{"007", 7000}, {"1.", 1000}, {".5", 500}, {"+1", 1000}, {"-1.-05", -1005}};
  for (const auto& one : cases) {
    const auto read = read_between(event(std::string("\"name\":\"n\",\"dur\":1,\"ts\":") + one.text));
    CHECK_EQ(read->names(), "a|n|b");
    CHECK_EQ(read->trace.slices[1].start_ns, one.ns);
    CHECK_EQ(read->findings(), "odd_number=1");
  }
}

TEST(unescaped_quotes_in_a_name) {
  const auto read = read_between(event(R"("name":"foo "bar" {"id": 3} baz","ts":1,"dur":1,"args":{"External id":4})"));
  CHECK_EQ(read->names(), R"(a|foo "bar" {"id": 3} baz|b)");
  CHECK_EQ(read->trace.slices[1].external_id, 4u);
  CHECK_EQ(read->findings(), "unescaped_quote=1");
  CHECK_EQ(read->first_at("trace/unescaped_quote"), static_cast<int64_t>(16 + kA.size() + 1 + 34));
}

TEST(unescaped_quotes_in_an_argument) {
  check_middle(R"("name":"n","ts":1,"dur":1,"args":{"cmd":"say "hi" now","External id":4})", "a|n|b", "unescaped_quote=1");
  check_middle(R"("name":"n","ts":1,"dur":1,"args":{"cmd":"say "hi"})", "a|n|b", "unescaped_quote=1");
}

TEST(an_odd_quote_in_a_list_costs_one_event) {
  const auto read = read_between(event(R"("name":"n","ts":1,"dur":1,"args":{"list":["x"y"]})"));
  CHECK_EQ(read->names(), "a|b");
  CHECK_EQ(read->findings(), "syntax=1");
}

TEST(backslashes_that_escape_nothing_stay) {
  const auto read = read_between(event(R"("name":"C:\Users\ada \e","ts":1,"dur":1)"));
  CHECK_EQ(read->text(read->trace.slices[1].name), "C:\\Users\\ada \\e");
  CHECK_EQ(read->finding("trace/bad_escape"), 3u);
  check_middle(R"("name":"n","ts":1,"dur":1,"args":{"file":["C:\Data\x.py"]})", "a|n|b", "bad_escape=2");
  check_middle(R"("name":"n\u12","ts":1,"dur":1)", "a|n\\u12|b", "bad_escape=1");
}

TEST(control_characters_in_texts_stay) {
  check_middle("\"name\":\"n\tm\nq\",\"ts\":1,\"dur\":1", "a|n\tm\nq|b", "control_character=2");
  check_middle("\"name\":\"n\",\"ts\":1,\"dur\":1,\n\"args\":{\"s\":\"x\ny\",\n\"l\":[\"\x01\"]}", "a|n|b", "control_character=2");
}

TEST(surrogates_and_bytes_that_are_no_utf8) {
  check_middle(R"("name":"\ud83d\ude00","ts":1,"dur":1)", "a|\xF0\x9F\x98\x80|b", "");
  check_middle(R"("name":"\ud83dx","ts":1,"dur":1)", "a|\xEF\xBF\xBDx|b", "");
  check_middle("\"name\":\"n\xff\xfe\",\"ts\":1,\"dur\":1", "a|n\xff\xfe|b", "invalid_utf8=2");
  check_middle("\"name\":\"é\",\"ts\":1,\"dur\":1,\"args\":{\"l\":[\"\x80\"]}", "a|é|b", "invalid_utf8=1");
}

TEST(the_last_of_equal_keys_counts) {
  check_middle(R"("name":"m","name":"n","ts":1,"dur":1)", "a|n|b", "duplicate_key=1");
  const auto read = read_between(event(R"("name":"n","ts":1,"dur":1,"args":{"External id":1,"External id":2})"));
  CHECK_EQ(read->trace.slices[1].external_id, 2u);
  CHECK_EQ(read->findings(), "duplicate_key=1");
}

TEST(numbers_beyond_64_bits_stay_texts) {
  const auto read = read_between(event(R"("name":"n","ts":1,"dur":1,"id":99999999999999999999999,"args":{"Addr":18446744073709551616,"Comms Id":123456789012345678901234567890})"));
  CHECK_EQ(read->names(), "a|n|b");
  const auto memory = read_between(R"({"ph":"i","name":"[memory]","ts":1,"args":{"Addr":18446744073709551615,"Bytes":9223372036854775807,"Device Id":0}})");
  CHECK_EQ(memory->trace.memory_events[0].address, UINT64_MAX);
  CHECK_EQ(memory->trace.memory_events[0].bytes, INT64_MAX);
}

TEST(durations_that_cannot_be) {
  check_middle(R"("name":"n","ts":1)", "a|n|b", "missing_duration=1");
  check_middle(R"("name":"n","ts":1,"dur":null)", "a|n|b", "missing_duration=1");
  const auto negative = read_between(event(R"("name":"n","ts":1,"dur":-3)"));
  CHECK_EQ(negative->trace.slices[1].dur_ns, 0);
  CHECK_EQ(negative->findings(), "negative_duration=1");
  const auto huge = read_between(event(R"("name":"n","ts":1,"dur":9223372036854775807)"));
  CHECK(huge->trace.slices[1].dur_ns > 1000000000000000000);
  CHECK_EQ(huge->findings(), "");
}

TEST(events_without_a_time_are_left_out) {
  for (const char* time : {"", "\"ts\":null,", "\"ts\":\"soon\",", "\"ts\":1e99,", "\"ts\":[1],"})
    check_middle(std::string(time) + R"("name":"n","dur":1)", "a|b", "bad_time=1");
}

TEST(objects_that_are_no_events) {
  CHECK_EQ(read_between("{\"name\":\"n\"}")->findings(), "no_phase=1");
  CHECK_EQ(read_between("{}")->findings(), "");
  CHECK_EQ(read_between("{\"ph\":\"Q\",\"ts\":1}")->findings(), "unknown_phase=1");
  CHECK_EQ(read_between("{\"ph\":5,\"ts\":1}")->findings(), "unknown_phase=1");
  for (const char* phase : {"v", "V", "c", "(", ")", "="}) {
    const auto read = read_between(std::string("{\"ph\":\"") + phase + "\",\"ts\":1,\"id\":1}");
    CHECK_EQ(read->findings(), "ignored_phase=1");
    CHECK_EQ(read->trace.event_count, 3u);
  }
}

TEST(damage_costs_only_the_damaged_event) {
  for (const char* middle : {R"({"ph":"X","name":"n","ts":1,"du)", R"({"ph":"X" "name":"n"})", R"({"ph":"X","name":)", R"("text")", "17", "nonsense",
                             R"({"ph":"X","name":"n","args":{"a":[1,2})"}) {
    const auto read = read_trace_text("{\"traceEvents\":[" + kA + "," + middle + ",\n" + kB + "]}");
    CHECK(read->agrees);
    CHECK_EQ(read->names(), "a|b");
    CHECK(read->trace.findings.size() > 0);
  }
}

TEST(interleaved_events_lose_only_themselves) {
  const auto read = read_trace_text("[\n" + kA + ",\n{\"ph\":\"X\",\"na{\"ph\":\"X\",\"name\":\"n\",\"pid\":1,\"tid\":1,\"ts\":5,\"dur\":1},\nme\":\"m\"},\n" + kB + "\n]");
  CHECK(read->agrees);
  CHECK_EQ(read->names(), "a|n|b");
  CHECK(read->finding("trace/syntax") >= 1);
}

TEST(a_broken_member_before_the_events) {
  const auto read = read_trace_text("{\"INFO\":[\"say \"hi\" now\"],\"traceEvents\":[" + kA + "," + kB + "],\"z\":3}");
  CHECK(read->agrees);
  CHECK_EQ(read->names(), "a|b");
  CHECK_EQ(read->metadata("z"), "3");
  CHECK_EQ(read->findings(), "syntax=1");
}

TEST(every_cut_of_a_trace_keeps_the_complete_events) {
  const std::string whole = "{\"x\":{\"y\":[1,\"\\\"\"]},\"traceEvents\":[" + kA + "," + kB + "," + kA + "],\"z\":\"end\"}";
  for (size_t length = 1; length < whole.size(); ++length) {
    const auto read = read_trace_text(whole.substr(0, length));
    CHECK(read->agrees);
    size_t complete = 0;
    for (size_t i = 0; i < 3; ++i) complete += whole.find("traceEvents") + 14 + (i + 1) * (kA.size() + 1) - 1 <= length;
    if (complete == 0) {
      CHECK_EQ(read->error.code, "trace/truncated");
      continue;
    }
    CHECK_EQ(read->trace.slices.size(), complete);
    CHECK_EQ(read->findings(), "truncated=1");
  }
}

TEST(a_cut_array_tells_where_it_was_cut) {
  const auto read = read_trace_text("[" + kA + ",{\"ph\":\"X\",\"na");
  CHECK_EQ(read->findings(), "truncated=1");
  CHECK_EQ(read->first_at("trace/truncated"), static_cast<int64_t>(kA.size() + 2));
}

TEST(nesting_without_end_is_refused_without_harm) {
  for (const std::string& open : {std::string("["), std::string("{\"a\":")}) {
    std::string deep;
    for (int i = 0; i < 100000; ++i) deep += open;
    const auto read = read_trace_text("[" + kA + ",{\"ph\":\"X\",\"name\":\"n\",\"args\":{\"x\":" + deep);
    CHECK_EQ(read->names(), "a");
    CHECK(read->agrees);
  }
}

TEST(texts_that_never_end_cost_no_more_than_their_length) {
  std::string broken;
  for (int i = 0; i < 100000; ++i) broken += "{\"ph\":\"x\",\"a\":\"";
  Read read;
  trace_text::read_into(read, "[" + kA + "," + broken + "\n," + kB + "]", {});
  CHECK_EQ(read.trace.slices.size() >= 1, true);
  CHECK(read.finding("trace/syntax") + read.finding("trace/truncated") > 0);
}

TEST(a_long_text_and_a_long_list_are_read_over) {
  std::string list = "[";
  for (int i = 0; i < 20000; ++i) list += "[" + std::to_string(i) + ",\"q]\\\"\"],";
  list += "0]";
  const std::string text = "[" + kA + ",{\"ph\":\"X\",\"name\":\"" + std::string(200000, 'n') + "\",\"ts\":1,\"dur\":2,\"args\":{\"l\":" + list + ",\"External id\":6}}," + kB + "]";
  trace_text::Read read;
  trace_text::read_into(read, text, {});
  trace_text::Read small;
  trace_text::read_into(small, text, {4000, 1000, 2});
  CHECK(trace_text::dump(read) == trace_text::dump(small));
  CHECK_EQ(read.trace.slices.size(), 3u);
  CHECK_EQ(read.trace.slices[1].external_id, 6u);
  CHECK_EQ(read.findings(), "");
}

TEST(long_metadata_is_not_kept) {
  const std::string text = "{\"m\":[\"" + std::string(2000000, 'x') + "\",\"\\\\\"],\"t\":\"" + std::string(2000000, '\\') + "\",\"traceEvents\":[" + kA + "," + kB + "]}";
  trace_text::Read read;
  trace_text::read_into(read, text, {});
  trace_text::Read small;
  trace_text::read_into(small, text, {100000, 10000, 2});
  CHECK(trace_text::dump(read) == trace_text::dump(small));
  CHECK_EQ(read.names(), "a|b");
  CHECK_EQ(read.findings(), "metadata_too_long=2");
  CHECK_EQ(read.metadata("m"), "(none)");
}

TEST(top_level_values_are_always_json) {
  const struct {
    const char* value;
    const char* json;
    const char* findings;
  } cases[] = {
      {"NaN", "null", "non_finite_number=1"},
      {"[-Infinity,{\"a\":inf,\"b\":N/A},1]", "[null,{\"a\":null,\"b\":null},1]", "non_finite_number=3"},
      {"[007,+1,.5,1.,-1.-05,01e2]", "[7,1,0.5,1,-1.005,1e2]", "odd_number=6"},
      {"[1e400,-0,12345678901234567890123,0.0]", "[1e400,-0,12345678901234567890123,0.0]", ""},
      {"[soon,None,1e,1-2]", "[null,null,null,null]", "syntax=2 odd_number=2"},
      {"\"C:\\Users\\u12 \\n\"", "\"C:\\\\Users\\\\u12 \\n\"", "bad_escape=2"},
      {"{\"k\tey\":\"a\nb\"}", "{\"k\\u0009ey\":\"a\\u000ab\"}", "control_character=2"},
      {"\"n\xff\xc3\"", "\"n\xEF\xBF\xBD\xEF\xBF\xBD\"", "invalid_utf8=2"},
      {"[true, false , null]", "[true, false , null]", ""},
  };
  for (const auto& one : cases) {
    const auto read = read_trace_text("{\"m\":" + std::string(one.value) + ",\"traceEvents\":[" + kA + "]}");
    CHECK(read->agrees);
    CHECK_EQ(read->metadata("m"), one.json);
    CHECK_EQ(read->findings(), one.findings);
  }
  const auto read = read_trace_text("{\"rate\":NaN,\"traceEvents\":[" + kA + "]}");
  CHECK_EQ(read->first_at("trace/non_finite_number"), 8);
}

TEST(numbers_that_json_does_not_have_are_counted_in_lists_too) {
  check_middle(R"("name":"n","ts":1,"dur":1,"args":{"l":[NaN,[-Infinity,{"a":N/A}],"NaN",nan]})", "a|n|b", "non_finite_number=4");
  check_middle(R"("name":"n","ts":1,"dur":1,"args":{"l":[null,"inf"],"m":[none]})", "a|n|b", "");
  std::string list;
  for (int i = 0; i < 5000; ++i) list += "NaN,[Infinity,1],";
  const std::string text = "[" + kA + "," + event("\"name\":\"n\",\"ts\":1,\"dur\":1,\"args\":{\"l\":[" + list + "0]}") + "]";
  Read read;
  trace_text::read_into(read, text, {});
  CHECK_EQ(read.findings(), "non_finite_number=10000");
}

TEST(an_event_of_more_than_64_megabytes_is_left_out) {
  const std::string text = "[" + kA + "," + event("\"name\":\"" + std::string(70u << 20, 'n') + "\",\"ts\":1,\"dur\":1") + "," + kB + "," + kB + "]";
  for (const unsigned threads : {1u, 2u}) {
    Read read;
    trace_text::read_into(read, text, {8u << 20, 1u << 20, threads});
    CHECK_EQ(read.names(), "a|b|b");
    CHECK_EQ(read.findings(), "event_too_long=1");
    CHECK_EQ(read.first_at("trace/event_too_long"), static_cast<int64_t>(kA.size() + 2));
  }
}

TEST(a_long_broken_event_costs_no_healthy_ones) {
  std::string list;
  for (int i = 0; i < 20000; ++i) list += "[1,2],";
  const std::string long_event = event("\"name\":\"n\",\"ts\":1,\"dur\":1,\"args\":{\"l\":[" + list.substr(0, 6 * 6666) + "[0]]}");
  const auto read = read_trace_text("[" + kA + ",{\"ph\":\"X\",\"args\":{\"l\":[" + list + "{\"ph\":\"X\",\"args\":{\"l\":[1,\n" + long_event + "," + kB + "]");
  CHECK(read->agrees);
  CHECK_EQ(read->names(), "a|n|b");
  CHECK_EQ(read->findings(), "syntax=1");
}
