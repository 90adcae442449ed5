// Snapshots as JSON text, and JSON that is something else.
#include "check.h"
#include "readers/read_bytes.h"

namespace {

const std::string kEntry =
    R"({"action":"alloc","addr":140000000000,"size":100,"stream":0,"time_us":5,"frames":[{"name":"f","filename":"a.py","line":3}]})";
const std::string kSegment =
    R"({"device":0,"address":140000000000,"total_size":1024,"stream":7,"segment_type":"large","segment_pool_id":[0,3],"is_expandable":true,)"
    R"("blocks":[{"address":140000000000,"size":1024,"requested_size":1000,"state":"active_awaiting_free","frames":[]}]})";

std::string code_of(const std::string& text) { return read_bytes(text)->error.code; }

}  // namespace

TEST(a_snapshot_as_json) {
  const auto read = read_bytes(" {\"device_traces\": [[" + kEntry + " , " + kEntry + "], []],\n\"segments\": [" +
                               kSegment + "], \"rank\": 1.5}\n");
  CHECK_EQ(read->error.code, "");
  CHECK_EQ(read->snapshot.traces.size(), 2u);
  CHECK_EQ(read->events(), 2u);
  CHECK_EQ(read->snapshot.segments.size(), 1u);
  const auto& segment = read->snapshot.segments[0];
  CHECK(segment.is_expandable);
  CHECK_EQ(segment.stream, 7u);
  CHECK_EQ(read->snapshot.pools[segment.pool].second, 3);
  CHECK(segment.blocks[0].state == tidemark::BlockState::active_pending_free);
  CHECK_EQ(read->snapshot.extra_json, "{\"rank\":1.5}");
  CHECK_EQ(read->snapshot.findings.size(), 0u);
}

TEST(a_json_list_of_segments) {
  const auto read = read_bytes("[" + kSegment + "," + kSegment + "]");
  CHECK_EQ(read->error.code, "");
  CHECK_EQ(read->snapshot.segments.size(), 2u);
  CHECK_EQ(read->finding("snapshot/segments_only"), 1u);
}

TEST(json_integers_are_exact) {
  const auto read =
      read_bytes(R"({"device_traces":[[{"action":"oom","addr":18446720620317114368,"size":9007199254740993}]]})");
  CHECK_EQ(read->error.code, "");
  CHECK_EQ(read->snapshot.traces[0].address[0], 18446720620317114368u);
  CHECK_EQ(read->snapshot.traces[0].size[0], 9007199254740993u);
  CHECK_EQ(code_of(R"({"segments":[],"x":18446744073709551616})"), "snapshot/integer_too_large");
  CHECK_EQ(code_of(R"({"segments":[],"x":-9223372036854775809})"), "snapshot/integer_too_large");
}

TEST(json_escapes) {
  const auto read = read_bytes(
      R"({"device_traces":[[{"action":"alloc","addr":1,"size":1,"user_metadata":"a\n\"\u00e9\ud83d\ude00\ud800x\/"}]]})");
  CHECK_EQ(read->error.code, "");
  CHECK_EQ(read->snapshot.strings.at(read->snapshot.traces[0].user_metadata[0]), "a\n\"é😀\xed\xa0\x80x/");
  CHECK_EQ(read->finding("snapshot/invalid_utf8"), 1u);
}

TEST(chrome_traces_are_named) {
  CHECK_EQ(code_of(R"({"schemaVersion":1,"traceEvents":[{"ph":"X"}]})"), "snapshot/not_a_snapshot");
  CHECK_EQ(code_of("[]"), "snapshot/not_a_snapshot");
  CHECK_EQ(code_of(R"([{"name":"a","ph":"X","ts":1,"args":{}},{"name":"b"}])"), "snapshot/not_a_snapshot");
}

TEST(other_json_is_no_snapshot) {
  for (const char* text : {"{}", "{\"a\":1}", "[{\"a\":1}]", "{\"model\":{\"layers\":[1,2,3]}}"})
    CHECK_EQ(code_of(text), "snapshot/not_a_snapshot");
}

TEST(malformed_json) {
  for (const char* text : {"{\"segments\":[}", "{\"segments\" []}", "{\"segments\":[],}", "[\"a\\q\"]", "{\"a\":tru}",
                           "{\"a\":1 2}", "{\"a\":--1}", "[{]", "{\"a\":01x}"}) {
    CHECK_EQ(code_of(text), "snapshot/malformed");
  }
}

TEST(every_cut_of_a_json_snapshot) {
  const std::string whole = "{\"segments\":[" + kSegment + "," + kSegment + "],\"device_traces\":[[" + kEntry + "," +
                            kEntry + "," + kEntry + "]]}";
  size_t most = 0;
  for (size_t length = 2; length < whole.size(); ++length) {
    const auto read = read_bytes(whole.substr(0, length));
    if (read->error.failed()) {
      CHECK_EQ(read->error.code, "snapshot/truncated");
      CHECK_EQ(most, 0u);
      continue;
    }
    const size_t found = read->snapshot.segments.size() + read->events();
    CHECK(found >= most);
    most = found;
  }
  CHECK_EQ(most, 5u);
}
