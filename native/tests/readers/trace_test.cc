// Healthy traces: every phase, every container, what PyTorch's files hold.
#include <algorithm>
#include <vector>

#include "check.h"
#include "readers/trace_text.h"

using tidemark::CategoryKind;
using tidemark::kNoId;
using tidemark::kNone;
using tidemark::SlicePhase;
using trace_text::Read;
using trace_text::read_trace_text;

namespace {

std::unique_ptr<Read> read_events(const std::string& events) {
  auto read = read_trace_text("{\"traceEvents\":[" + events + "]}");
  CHECK_EQ(read->error.code, "");
  CHECK(read->agrees);
  return read;
}

const char* const kFixture = R"json({"schemaVersion":1,"deviceProperties":[{"id":0,"name":"Fake GPU","totalGlobalMem":85899345920,"numSms":132}],
"distributedInfo":{"backend":"nccl","rank":1,"world_size":4},
"profile_memory":1,"with_stack":1,"baseTimeNanoseconds":1750000000000000000,"displayTimeUnit":"ms",
"traceEvents":[
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#5","pid":500,"tid":500,"ts":1000.000,"dur":900.000,"args":{"External id":1,"Ev Idx":0}},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":500,"tid":500,"ts":1100.001,"dur":99.999,"args":{"External id":2,"Ev Idx":1,"Sequence number":9,"Fwd thread id":0,"Input Dims":[[64,32],[32,16]],"Input type":["float","float"]}},
{"ph":"X","cat":"cpu_op","name":"aten::empty","pid":500,"tid":500,"ts":1110.000,"dur":5.000,"args":{"External id":3,"Ev Idx":2}},
{"ph":"i","cat":"cpu_instant_event","s":"t","name":"[memory]","pid":500,"tid":500,"ts":1112.500,"args":{"Ev Idx":3,"Device Type":1,"Device Id":0,"Addr":139990000000000,"Bytes":4096,"Total Allocated":1004096,"Total Reserved":2097152}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":500,"tid":500,"ts":1150.000,"dur":8.000,"args":{"External id":2,"cbid":211,"correlation":77}},
{"ph":"s","id":77,"pid":500,"tid":500,"ts":1150.000,"cat":"ac2g","name":"ac2g"},
{"ph":"X","cat":"kernel","name":"fake_gemm","pid":0,"tid":7,"ts":1160.250,"dur":20.000,"args":{"External id":2,"device":0,"stream":7,"correlation":77,"grid":[4,1,1],"block":[128,1,1],"est. achieved occupancy %":50}},
{"ph":"f","id":77,"pid":0,"tid":7,"ts":1160.250,"cat":"ac2g","name":"ac2g","bp":"e"},
{"ph":"X","cat":"kernel","name":"fake_pdl","pid":0,"tid":7,"ts":1180.000,"dur":5.000,"args":{"device":0,"stream":7,"correlation":78}},
{"ph":"i","cat":"cpu_instant_event","s":"t","name":"[memory]","pid":500,"tid":500,"ts":1700.000,"args":{"Ev Idx":9,"Device Type":1,"Device Id":0,"Addr":139990000000000,"Bytes":-4096,"Total Allocated":1000000,"Total Reserved":2097152}},
{"ph":"X","cat":"overhead","name":"Buffer Flush","pid":-1,"tid":0,"ts":1500.000,"dur":40.000},
{"ph":"M","name":"process_labels","pid":0,"tid":0,"args":{"labels":"GPU 0"}},
{"ph":"M","name":"thread_name","pid":0,"tid":7,"args":{"name":"stream 7 "}},
{"ph":"X","cat":"Trace","name":"PyTorch Profiler (0)","pid":"Spans","tid":"PyTorch Profiler","ts":990.000,"dur":920.000,"args":{"Op count":0}},
{}],"traceName":"fixture.json"})json";

}  // namespace

TEST(a_pytorch_trace_is_read_as_it_says) {
  const auto read = read_trace_text(kFixture);
  const tidemark::Trace& trace = read->trace;
  CHECK(read->agrees);
  CHECK_EQ(read->error.code, "");
  CHECK_EQ(trace.format_detail, "JSON object");
  CHECK_EQ(trace.event_count, 14u);
  CHECK_EQ(trace.slices.size(), 8u);
  CHECK_EQ(read->names(), "ProfilerStep#5|aten::mm|aten::empty|cudaLaunchKernel|fake_gemm|fake_pdl|Buffer Flush|PyTorch Profiler (0)");
  const auto mm = trace.slices[1];
  CHECK_EQ(mm.start_ns, 1100001);
  CHECK_EQ(mm.dur_ns, 99999);
  CHECK_EQ(mm.external_id, 2u);
  CHECK_EQ(mm.correlation, kNoId);
  CHECK(trace.category_kinds[mm.category] == CategoryKind::cpu_op);
  CHECK_EQ(std::string(kFixture).substr(mm.source_offset, mm.source_length).substr(0, 46), R"({"ph":"X","cat":"cpu_op","name":"aten::mm","pi)");
  CHECK_EQ(kFixture[mm.source_offset + mm.source_length - 1], '}');
  CHECK_EQ(trace.slices[4].correlation, 77u);
  CHECK_EQ(trace.memory_events.size(), 2u);
  CHECK_EQ(trace.memory_events[1].bytes, -4096);
  CHECK_EQ(trace.memory_events[1].address, 139990000000000u);
  CHECK_EQ(trace.memory_events[1].order, 9u);
  CHECK_EQ(trace.memory_events[1].device_id, 0);
  CHECK_EQ(trace.flow_points.size(), 2u);
  CHECK_EQ(trace.flow_points[0].id, trace.flow_points[1].id);
  CHECK(trace.flow_points[1].binds_enclosing);
  CHECK_EQ(trace.base_ns, 1750000000000000000);
  CHECK_EQ(read->metadata("traceName"), "\"fixture.json\"");
  CHECK_EQ(read->metadata("profile_memory"), "1");
  CHECK_EQ(trace.processes.size(), 4u);
  CHECK_EQ(trace.processes[1].pid, "0");
  CHECK_EQ(read->text(trace.processes[1].labels), "GPU 0");
  CHECK_EQ(trace.processes[2].pid, "-1");
  CHECK(trace.processes[3].pid_is_text);
  CHECK_EQ(read->text(trace.threads[1].name), "stream 7 ");
  CHECK_EQ(read->findings(), "no_python_stacks=1");
}

TEST(times_are_exact_nanoseconds) {
  const auto read = read_events(
      R"({"ph":"X","ts":1713812345678901.123,"dur":0.001},{"ph":"X","ts":1713812345678901.124,"dur":1e3},{"ph":"X","ts":-12.5,"dur":7},)"
      R"({"ph":"X","ts":0.000001,"dur":0.000001},{"ph":"X","ts":"3.25","dur":"1.5"},{"ph":"X","ts":1.5e2,"dur":0},{"ph":"X","ts":-0.0001,"dur":0.0001})");
  CHECK_EQ(read->trace.slices[0].start_ns, 1713812345678901123);
  CHECK_EQ(read->trace.slices[0].dur_ns, 1);
  CHECK_EQ(read->trace.slices[1].start_ns, 1713812345678901124);
  CHECK_EQ(read->trace.slices[1].dur_ns, 1000000);
  CHECK_EQ(read->trace.slices[2].start_ns, -12500);
  CHECK_EQ(read->trace.slices[3].start_ns, 0);
  CHECK_EQ(read->trace.slices[3].dur_ns, 1);
  CHECK_EQ(read->trace.slices[4].start_ns, 3250);
  CHECK_EQ(read->trace.slices[4].dur_ns, 1500);
  CHECK_EQ(read->trace.slices[5].start_ns, 150000);
  CHECK_EQ(read->trace.slices[6].start_ns, -1);
  CHECK_EQ(read->trace.slices[6].dur_ns, 1);
  CHECK_EQ(read->findings(), "below_nanosecond=2");
}

TEST(starts_are_rounded_down_and_ends_up) {
  // 1.2 ns to 2.7 ns lies in [1, 3); 1.9 ns to 2.0 ns in [1, 2); 1.9 to 3.1 in [1, 4).
  const auto read = read_events(R"({"ph":"X","ts":0.0012,"dur":0.0015},{"ph":"X","ts":0.0019,"dur":0.0001},{"ph":"X","ts":0.0019,"dur":0.0012})");
  CHECK_EQ(read->trace.slices[0].dur_ns, 2);
  CHECK_EQ(read->trace.slices[1].dur_ns, 1);
  CHECK_EQ(read->trace.slices[2].dur_ns, 3);
}

TEST(begin_and_end_events_keep_their_phase) {
  const auto read = read_events(R"({"ph":"B","name":"a","pid":1,"tid":1,"ts":1},{"ph":"E","pid":1,"tid":1,"ts":2})");
  CHECK(read->trace.slices[0].phase == SlicePhase::begin);
  CHECK(read->trace.slices[1].phase == SlicePhase::end);
  CHECK_EQ(read->trace.slices[1].name, kNone);
  CHECK_EQ(read->trace.slices[1].dur_ns, tidemark::kUnfinished);
}

TEST(async_events_of_one_id_share_a_key) {
  const auto read = read_events(
      R"({"ph":"b","cat":"c","id":1,"name":"x","pid":1,"ts":1},{"ph":"n","cat":"c","id":1,"name":"y","pid":1,"ts":2},{"ph":"e","cat":"c","id":1,"name":"x","pid":1,"ts":3},)"
      R"({"ph":"b","cat":"c","id":"1","name":"x","pid":1,"ts":1},{"ph":"b","cat":"d","id":1,"name":"x","pid":1,"ts":1},)"
      R"({"ph":"b","cat":"c","id2":{"local":1},"name":"x","pid":1,"ts":1},{"ph":"e","cat":"c","id2":{"local":1},"name":"x","pid":2,"ts":1},)"
      R"({"ph":"S","cat":"c","id":5,"name":"x","pid":1,"ts":1},{"ph":"T","cat":"c","id":5,"name":"x","pid":1,"ts":1,"args":{"step":"q"}},{"ph":"F","cat":"c","id":5,"name":"z","pid":1,"ts":1},)"
      R"({"ph":"b","cat":"c","scope":"s","id":1,"name":"x","pid":1,"ts":1})");
  CHECK_EQ(read->trace.async_points.size(), 11u);
  const uint32_t keys[] = {0, 0, 0, 1, 2, 3, 4, 5, 5, 6, 7};
  for (size_t i = 0; i < 11; ++i) CHECK_EQ(read->trace.async_points[i].key, keys[i]);
  CHECK_EQ(read->trace.async_points[1].phase, 'n');
  CHECK_EQ(read->text(read->trace.categories[read->trace.async_keys[2].category]), "d");
}

TEST(each_key_of_a_counter_is_a_series) {
  const auto read = read_events(
      R"({"ph":"C","name":"mem","pid":1,"ts":1,"args":{"a":1,"b":2.5}},{"ph":"C","name":"mem","pid":1,"ts":2,"args":{"b":"3","a":NaN,"":7}},)"
      R"({"args":{"a":4},"ts":3,"id":9,"pid":1,"name":"mem","ph":"C"},{"ph":"C","name":"mem","pid":"1","ts":1,"args":{"a":1}})");
  CHECK_EQ(read->trace.series.size(), 5u);
  CHECK_EQ(read->trace.samples.size(), 6u);
  CHECK(read->trace.samples[1].value == 2.5);
  CHECK_EQ(read->trace.samples[2].series, 1u);
  CHECK(read->trace.samples[2].value == 3);
  CHECK_EQ(read->text(read->trace.series[2].key), "");
  CHECK_EQ(read->text(read->trace.series[3].id), "9");
  CHECK_EQ(read->findings(), "non_finite_number=1");
}

TEST(instants_keep_their_scope) {
  const auto read = read_events(
      R"({"ph":"i","name":"a","pid":1,"tid":1,"ts":1},{"ph":"I","s":"p","name":"b","pid":1,"tid":1,"ts":1},{"ph":"R","s":"g","name":"c","ts":1},)"
      R"({"ph":"N","name":"d","id":1,"ts":1},{"ph":"O","name":"e","id":1,"ts":1,"args":{"snapshot":{"a":[1]}}},{"ph":"D","name":"f","id":1,"ts":1},)"
      R"({"ph":"i","name":"[memory]","ts":1,"args":{"x":1}})");
  CHECK_EQ(read->trace.instants.size(), 7u);
  CHECK_EQ(read->trace.instants[0].scope, 't');
  CHECK_EQ(read->trace.instants[1].scope, 'p');
  CHECK_EQ(read->trace.instants[2].scope, 'g');
  CHECK_EQ(read->trace.memory_events.size(), 0u);
}

TEST(samples_are_named_by_their_leaf_frame) {
  const auto read = read_trace_text(
      R"({"traceEvents":[{"ph":"P","name":"sample","pid":1,"tid":1,"ts":1,"sf":"7"},{"ph":"P","name":"other","ts":2,"sf":9},{"ph":"P","name":"third","ts":2,"sf":99}],)"
      R"("stackFrames":{"5":{"name":"main"},"7":{"category":"c","name":"leaf","parent":"5"},"9":{"name":"nine"}}})");
  CHECK(read->agrees);
  CHECK_EQ(read->text(read->trace.instants[0].name), "leaf");
  CHECK_EQ(read->text(read->trace.instants[1].name), "nine");
  CHECK_EQ(read->text(read->trace.instants[2].name), "third");
}

TEST(flows_of_both_versions) {
  const auto read = read_events(
      R"({"ph":"s","cat":"c","name":"n","id":"0x1F","ts":1,"pid":1,"tid":1},{"ph":"t","cat":"c","name":"n","id":"0x1F","ts":2,"pid":1,"tid":1},{"ph":"f","cat":"c","name":"n","id":"0x1F","ts":3,"pid":1,"tid":1},)"
      R"({"ph":"f","cat":"c","name":"n","id":31,"ts":3,"pid":1,"tid":1,"bp":"e"},{"ph":"X","name":"p","ts":1,"dur":2,"bind_id":5,"flow_out":true},{"ph":"X","name":"q","ts":4,"dur":2,"bind_id":5,"flow_in":true,"flow_out":false},)"
      R"({"ph":"X","name":"r","ts":4,"dur":2,"bind_id":5,"flow_in":true,"flow_out":true},)"
      R"({"ph":"f","cat":"c,input","name":"n","id":1,"ts":3,"pid":1,"tid":1},{"ph":"f","cat":"ipc.flow","name":"n","id":1,"ts":3,"pid":1,"tid":1})");
  const auto& points = read->trace.flow_points;
  CHECK_EQ(points.size(), 9u);
  CHECK_EQ(points[0].id, points[2].id);
  CHECK(points[0].id != points[3].id);
  CHECK(!points[2].binds_enclosing);
  CHECK(points[3].binds_enclosing);
  CHECK_EQ(points[4].phase, 'o');
  CHECK_EQ(points[5].phase, 'i');
  CHECK_EQ(points[6].phase, 'b');
  CHECK_EQ(points[4].id, points[6].id);
  CHECK(points[7].binds_enclosing && points[8].binds_enclosing);  // as catapult binds these categories
}

TEST(old_names_of_categories_and_arguments_are_understood) {
  const auto read = read_events(
      R"({"ph":"X","cat":"Operator","name":"a","ts":1,"dur":1,"args":{"external id":"12"}},{"ph":"X","cat":"Runtime","name":"b","ts":1,"dur":1},{"ph":"X","cat":"Kernel","name":"c","ts":1,"dur":1},)"
      R"({"ph":"X","cat":"Python","name":"d","ts":1,"dur":1,"args":{"Python id":4,"Python parent id":null,"Python thread":0,"External id":5,"correlation":6}},{"ph":"i","name":"[memory]","ts":1,"args":{"Profiler Event Index":8,"Device Type":0,"Device Id":-1,"Bytes":64}})");
  const auto kind = [&](size_t i) { return read->trace.category_kinds[read->trace.slices[i].category]; };
  CHECK(kind(0) == CategoryKind::cpu_op);
  CHECK(kind(1) == CategoryKind::runtime);
  CHECK(kind(2) == CategoryKind::gpu);
  CHECK(kind(3) == CategoryKind::python_function);
  CHECK_EQ(read->trace.slices[0].external_id, 12u);
  CHECK_EQ(read->trace.slices[3].external_id, kNoId);  // ids of Python frames are no links
  CHECK_EQ(read->trace.slices[3].correlation, kNoId);
  CHECK_EQ(read->trace.memory_events[0].order, 8u);
  CHECK_EQ(read->trace.memory_events[0].address, 0u);
  CHECK_EQ(read->trace.memory_events[0].total_allocated, -1);
}

TEST(rows_differ_by_type_and_value) {
  const auto read = read_events(
      R"({"ph":"X","ts":1,"dur":1,"pid":0,"tid":0},{"ph":"X","ts":1,"dur":1,"pid":"0","tid":0},{"ph":"X","ts":1,"dur":1,"tid":0},{"ph":"X","ts":1,"dur":1,"pid":0,"tid":"0"},{"ph":"X","ts":1,"dur":1,"pid":0,"tid":0})");
  CHECK_EQ(read->trace.threads.size(), 4u);
  CHECK_EQ(read->trace.processes.size(), 3u);
  CHECK(!read->trace.processes[2].has_pid);
  CHECK_EQ(read->trace.slices[4].thread, 0u);
}

TEST(metadata_counts_wherever_it_stands) {
  const auto read = read_trace_text(
      R"({"a":{"b":[1,2]},"traceEvents":[{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"first"}},{"ph":"X","name":"x","pid":1,"tid":2,"ts":1,"dur":1},)"
      R"({"args":{"name":"last"},"name":"thread_name","tid":2,"pid":1,"ph":"M"},{"ph":"M","name":"process_sort_index","pid":1,"args":{"sort_index":-5}},{"ph":"M","name":"num_cpus","args":{"number":3}}],)"
      R"("baseTimeNanoseconds":"1000","z":"end"})");
  CHECK(read->agrees);
  CHECK_EQ(read->text(read->trace.threads[0].name), "last");
  CHECK_EQ(read->trace.processes[0].sort_index, -5);
  CHECK_EQ(read->metadata("a"), R"({"b":[1,2]})");
  CHECK_EQ(read->metadata("z"), "\"end\"");
  CHECK_EQ(read->trace.base_ns, 1000);
  CHECK_EQ(read->trace.event_count, 5u);
}

TEST(every_container_gives_the_same_events) {
  const std::string a = R"({"name":"a","ph":"X","ts":1,"dur":1})";
  const std::string b = R"({"name":"b","ph":"X","ts":2,"dur":1})";
  const struct {
    std::string text;
    const char* detail;
    const char* findings;
  } cases[] = {
      {"{\"traceEvents\":[" + a + "," + b + "]}", "JSON object", ""},
      {"{\"x\":1,\"traceEvents\":[" + a + "," + b + ",]}\n", "JSON object", ""},
      {"{\"traceEvents\":[" + a + "," + b + ",{}]}", "JSON object", ""},
      {"[" + a + "," + b + "]", "JSON array", ""},
      {"[\n" + a + ",\n" + b + ",\n", "JSON array", ""},
      {"[" + a + "," + b, "JSON array", ""},
      {a + "\n" + b + "\n", "JSON lines", ""},
      {a + b, "JSON lines", ""},
      {"\xEF\xBB\xBF[" + a + "," + b + "]", "JSON array", ""},
      {"[" + a + "]\n[" + b + "]", "JSON array", "several_documents=1"},
      {"{\"traceEvents\":[" + a + "]}{\"traceEvents\":[" + b + "]}", "JSON object", "several_documents=1"},
      {"{\"traceEvents\":[" + a + "],\"traceEvents\":[" + b + "]}", "JSON object", "duplicate_key=1"},
      {"[" + a + "," + b + "]" + std::string(500, '\0'), "JSON array", ""},
      {"[" + a + "," + b + "]\n" + std::string(500, '\0') + "\n", "JSON array", ""},
      {"[" + a + "," + b + "]" + std::string(500, '\0') + "more", "JSON array", "bytes_after_end=1"},
      {"[" + a + "," + b + "] and more", "JSON array", "bytes_after_end=1"},
      {"[" + a + "," + b + std::string(70, '\0'), "JSON array", ""},
  };
  for (const auto& one : cases) {
    const auto read = read_trace_text(one.text);
    CHECK(read->agrees);
    CHECK_EQ(read->names(), "a|b");
    CHECK_EQ(read->trace.format_detail, one.detail);
    CHECK_EQ(read->findings(), one.findings);
  }
}

TEST(a_line_with_its_phase_behind_long_args_is_an_event) {
  const std::string a = R"({"ph":"X","name":"a","ts":1,"dur":1})";
  for (const size_t length : {size_t{100}, size_t{60'000}, size_t{70'000}, size_t{3'000'000}}) {
    const std::string args = R"("args":{"t":")" + std::string(length, 'x') + R"("})";
    const std::string late = "{\"name\":\"b\"," + args + R"(,"ts":2,"dur":1,"ph":"X"})";
    const std::string unknown = "{\"more\":[" + std::string(length, ' ') + R"(],"name":"c","ts":3,"dur":1,"ph":"X"})";
    const std::string texts[] = {late + "\n" + unknown + "\n" + a, a + "\n" + late + "\n" + unknown + "\n"};
    for (const std::string& text : texts) {
      const bool is_cut_small = length < 100'000;  // cuts of a few bytes take long on more
      auto read = std::make_unique<trace_text::Read>();
      if (is_cut_small) read = read_trace_text(text);
      else trace_text::read_into(*read, text, {8u << 20, 64u << 10, 2});
      CHECK(read->agrees);
      CHECK_EQ(read->names(), text[2] == 'n' ? "b|c|a" : "a|b|c");
      CHECK_EQ(read->findings(), "");
      CHECK_EQ(read->trace.format_detail, "JSON lines");
    }
  }
}

TEST(a_document_with_long_metadata_before_its_events_is_no_line) {
  const std::string metadata = "\"distributedInfo\":{\"t\":\"" + std::string(200'000, 'x') + "\"}";
  const auto read = read_trace_text("{" + metadata + R"(,"traceEvents":[{"ph":"X","name":"a","ts":1,"dur":1}]})");
  CHECK(read->agrees);
  CHECK_EQ(read->names(), "a");
  CHECK_EQ(read->findings(), "");
  CHECK_EQ(read->trace.format_detail, "JSON object");
}

TEST(other_json_is_no_trace) {
  for (const char* text : {"{}", "[]", "[1,2,3]", "{\"traceEvents\":[]}", "{\"a\":[{\"b\":1}]}", "[[1,2],[3,4]]", "{\"traceEvents\":{}}"}) {
    const auto read = read_trace_text(text);
    CHECK_EQ(read->error.code, "trace/not_a_trace");
    CHECK(read->agrees);
  }
}

TEST(keys_in_any_order_and_any_blanks_give_the_same_events) {
  // Events that share some of what stands between their values, so that what was remembered of one does not hold for the next.
  const char* const gaps[] = {"", " ", "\n    ", "\t \r\n"};
  std::string text = "[";
  for (unsigned i = 0; i < 240; ++i) {
    std::vector<std::string> members = {"\"ph\":\"X\"", "\"name\":\"n \\\", \\\"ts\\\": 7\"", "\"ts\":" + std::to_string(i), "\"dur\":2", "\"pid\":1", "\"tid\":\"t\"", "\"odd key, \":null",
                                        "\"args\":{" + std::string(gaps[i % 3]) + (i % 2 == 0 ? "\"External id\":7,\"x\":[]" : "\"x\":{\"a\":\"}\"},\"External id\":" + std::string(gaps[i % 4]) + "7") + "}"};
    std::rotate(members.begin(), members.begin() + i % 8, members.end());
    std::swap(members[i / 8 % 8], members[i / 64]);
    const std::string gap = gaps[i / 3 % 4];
    text += i == 0 ? "{" : ",{";
    for (size_t k = 0; k < members.size(); ++k) text += (k == 0 ? "" : "," + gap) + members[k].substr(0, members[k].find(':') + 1) + gaps[i / 5 % 4] + members[k].substr(members[k].find(':') + 1) + (i % 7 == 0 ? gap : "");
    text += "}";
  }
  const auto read = read_trace_text(text + "]");
  CHECK(read->agrees);
  CHECK_EQ(read->findings(), "");
  CHECK_EQ(read->trace.slices.size(), 240u);
  for (size_t i = 0; i < read->trace.slices.size(); ++i) {
    const auto slice = read->trace.slices[i];
    CHECK_EQ(slice.start_ns, static_cast<int64_t>(i) * 1000);
    CHECK_EQ(slice.dur_ns, 2000);
    CHECK_EQ(slice.external_id, 7u);
    CHECK_EQ(read->text(slice.name), "n \", \"ts\": 7");
  }
  CHECK_EQ(read->trace.threads.size(), 1u);
}

TEST(damage_in_events_like_the_ones_before_is_seen) {
  const std::string good = R"({"ph":"X","name":"n","ts":1,"dur":1,"args":{"cmd":"c","External id":4}})";
  const std::string damaged[] = {R"({"ph":"X","name":"a "b" c","ts":1,"dur":1,"args":{"cmd":"c","External id":4}})", R"({"ph":"X","name":"n","ts":1,"dur":1,"args":{"cmd":"c "x", "y"","External id":4}})",
                                 R"({"ph":"X","name":"n","ts":,"dur":1,"args":{"cmd":"c","External id":4}})", R"({"ph":"X","name":"n","ts":1,"dur":1,"args":{"cmd":"c","External id":}})",
                                 R"({"ph":"X","name":"n","ts":1,"ts":1,"dur":1,"args":{"cmd":"c","External id":4}})", R"({"ph":"X","name":"n","ts":1,"dur":1,"args":{"cmd":"c","External id":NaN}})"};
  const char* const findings[] = {"unescaped_quote=1", "unescaped_quote=1", "syntax=1", "syntax=1", "duplicate_key=1", "non_finite_number=1"};
  for (size_t i = 0; i < 6; ++i) {
    const auto read = read_trace_text("[" + good + "," + good + "," + damaged[i] + "," + good + "]");
    CHECK(read->agrees);
    CHECK_EQ(read->findings(), findings[i]);
    CHECK_EQ(read->trace.slices.size(), i == 2 || i == 3 ? 3u : 4u);
  }
}
