// Old versions, other writers and what users add.
#include "check.h"
#include "readers/pickle_maker.h"
#include "readers/read_bytes.h"

using maker::Pickle;
using maker::Style;

TEST(a_list_of_segments_is_a_snapshot_without_events) {
  Pickle pickle(Style::python4);
  const auto read = read_bytes(pickle.begin_list().segment(4096, 2).segment(8192, 1).end_list().stop());
  CHECK_EQ(read->error.code, "");
  CHECK_EQ(read->snapshot.segments.size(), 2u);
  CHECK(!read->snapshot.has_traces_key);
  CHECK_EQ(read->finding("snapshot/segments_only"), 1u);
  CHECK_EQ(read->snapshot.format_detail, "pickle protocol 4, segments only");
}

TEST(blocks_without_addresses_follow_each_other) {
  Pickle pickle(Style::python4);
  pickle.begin_list()
      .begin_dict()
      .text("address")
      .integer(4096)
      .text("total_size")
      .integer(1536)
      .text("blocks")
      .begin_list();
  for (int i = 0; i < 2; ++i) {
    pickle.begin_dict()
        .text("size")
        .integer(i == 0 ? 1024 : 512)
        .text("state")
        .text("active_allocated")
        .text("history")
        .begin_list();
    pickle.begin_dict().text("addr").integer(4096).text("real_size").integer(700).text("frames").frames(2).end_dict();
    pickle.begin_dict().text("addr").integer(4096).text("real_size").integer(3).end_dict().end_list().end_dict();
  }
  const auto read = read_bytes(pickle.end_list().end_dict().end_list().stop());
  CHECK_EQ(read->error.code, "");
  CHECK_EQ(read->snapshot.segments.size(), 1u);
  const auto& blocks = read->snapshot.segments[0].blocks;
  CHECK_EQ(blocks.size(), 2u);
  CHECK_EQ(blocks[1].address, 4096u + 1024u);
  CHECK_EQ(blocks[1].requested_size, 700u);
  CHECK_EQ(read->snapshot.stacks.depth(blocks[1].stack), 2u);
  CHECK_EQ(read->finding("snapshot/damaged_entry"), 0u);
}

TEST(gaps_and_overlaps_in_a_segment_are_repaired) {
  Pickle pickle(Style::python4);
  pickle.begin_list()
      .begin_dict()
      .text("address")
      .integer(4096)
      .text("total_size")
      .integer(4096)
      .text("blocks")
      .begin_list();
  for (const int64_t address : {5120, 4096, 4608}) {
    pickle.begin_dict()
        .text("address")
        .integer(address)
        .text("size")
        .integer(1024)
        .text("state")
        .text("active_allocated")
        .end_dict();
  }
  const auto read = read_bytes(pickle.end_list().end_dict().end_list().stop());
  const auto& blocks = read->snapshot.segments[0].blocks;
  CHECK_EQ(blocks.size(), 3u);  // two real ones and the gap at the end; the overlapping one is out
  uint64_t next = 4096;
  for (const auto& block : blocks) {
    CHECK_EQ(block.address, next);
    next += block.size;
  }
  CHECK_EQ(next, 8192u);
  CHECK_EQ(read->finding("snapshot/segment_mismatch"), 1u);
}

TEST(a_segment_that_claims_another_allocated_size_than_its_blocks_is_told_of) {
  for (const int64_t claimed : {1024, 2048}) {
    Pickle pickle(Style::python4);
    pickle.begin_list().begin_dict().text("address").integer(4096).text("total_size").integer(2048);
    pickle.text("allocated_size").integer(claimed).text("blocks").begin_list();
    for (const char* state : {"active_allocated", "inactive"})
      pickle.begin_dict().text("size").integer(1024).text("state").text(state).end_dict();
    const auto read = read_bytes(pickle.end_list().end_dict().end_list().stop());
    CHECK_EQ(read->finding("snapshot/segment_mismatch"), claimed == 1024 ? 0u : 1u);
  }
}

TEST(settings_and_notes_of_users_are_kept_as_json) {
  Pickle pickle(Style::python4);
  pickle.begin_dict().text("segments").begin_list().end_list().text("rank").integer(3);
  pickle.text("run")
      .begin_dict()
      .text("name")
      .text("a\"b")
      .text("line")
      .integer(4)
      .text("tags")
      .begin_list()
      .text("x")
      .integer(1)
      .op('N')
      .end_list()
      .end_dict();
  pickle.text("allocator_settings")
      .begin_dict()
      .text("max_split_size")
      .integer(-1)
      .text("roundup")
      .begin_dict()
      .text("1")
      .integer(0)
      .end_dict()
      .end_dict();
  const auto read = read_bytes(pickle.end_dict().stop());
  CHECK_EQ(read->snapshot.extra_json, "{\"rank\":3,\"run\":{\"name\":\"a\\\"b\",\"line\":4,\"tags\":[\"x\",1,null]}}");
  CHECK_EQ(read->snapshot.settings_json, "{\"max_split_size\":-1,\"roundup\":{\"1\":0}}");
  CHECK_EQ(read->finding("snapshot/unknown_field"), 0u);
}

TEST(notes_of_any_size_stay_bounded) {
  Pickle pickle(Style::python4);
  pickle.begin_dict().text("segments").begin_list().end_list().text("losses").begin_list();
  for (int i = 0; i < 200000; ++i) pickle.integer(i);
  const auto read = read_bytes(pickle.end_list().end_dict().stop());
  CHECK_EQ(read->error.code, "");
  CHECK(read->snapshot.extra_json.size() < 70000);
  CHECK(read->snapshot.extra_json.find("\"…\"") != std::string::npos);
}

TEST(annotations) {
  Pickle pickle(Style::python4);
  pickle.begin_dict().text("segments").begin_list().end_list().text("external_annotations").begin_list();
  for (const char* stage : {"START", "END", "LATER"}) {
    pickle.begin_dict()
        .text("name")
        .text("step")
        .text("stage")
        .text(stage)
        .text("device")
        .integer(1)
        .text("time_us")
        .integer(12)
        .end_dict();
  }
  const auto read = read_bytes(pickle.end_list().end_dict().stop());
  CHECK_EQ(read->snapshot.annotations.size(), 2u);
  CHECK(!read->snapshot.annotations[1].is_start);
  CHECK_EQ(read->snapshot.annotations[1].device, 1);
  CHECK_EQ(read->finding("snapshot/damaged_entry"), 1u);
}

TEST(user_defined_entries_are_annotations_too) {
  Pickle pickle(Style::python4);
  pickle.begin_dict()
      .text("device_traces")
      .begin_list()
      .raw("]\x94")
      .begin_list()
      .begin_dict()
      .text("action")
      .text("user_defined")
      .text("addr")
      .integer(0);
  pickle.text("size")
      .integer(0)
      .text("time_us")
      .integer(9)
      .text("frames")
      .begin_list()
      .frame("START", "forward", 0)
      .end_list()
      .end_dict();
  const auto read = read_bytes(pickle.end_list().end_list().end_dict().stop());
  CHECK_EQ(read->events(1), 1u);
  CHECK_EQ(read->snapshot.annotations.size(), 1u);
  CHECK_EQ(read->snapshot.annotations[0].device, 1);
  CHECK_EQ(read->snapshot.strings.at(read->snapshot.annotations[0].name), "forward");
}

TEST(host_lists_are_counted_and_not_mixed_in) {
  Pickle pickle(Style::python4);
  pickle.begin_dict()
      .text("host_segments")
      .begin_list()
      .segment(4096, 1)
      .end_list()
      .text("segments")
      .begin_list()
      .segment(8192, 1)
      .end_list();
  pickle.text("host_traces").begin_list().begin_list().entry("alloc", 1, 2, 3, 1).end_list().end_list();
  pickle.text("device_traces")
      .begin_list()
      .begin_list()
      .entry("alloc", 1, 2, 3, 1)
      .entry("free", 1, 2, 3, 1)
      .end_list()
      .end_list();
  const auto read = read_bytes(pickle.end_dict().stop());
  CHECK_EQ(read->snapshot.segments.size(), 1u);
  CHECK_EQ(read->snapshot.segments[0].address, 8192u);
  CHECK_EQ(read->events(), 2u);
  CHECK_EQ(read->finding("snapshot/unknown_field"), 2u);
}

TEST(texts_that_are_not_utf8_keep_their_bytes) {
  Pickle pickle(Style::cpp2);
  pickle.begin_dict()
      .text("device_traces")
      .begin_list()
      .begin_list()
      .begin_dict()
      .text("action")
      .text("alloc")
      .text("addr")
      .integer(1)
      .text("size")
      .integer(1);
  pickle.text("user_metadata").text("a\xff\xfe").text("compile_context").text("\xed\xa0\x80");
  const auto read = read_bytes(pickle.end_dict().end_list().end_list().end_dict().stop());
  CHECK_EQ(read->finding("snapshot/invalid_utf8"), 2u);
  CHECK_EQ(read->snapshot.strings.at(read->snapshot.traces[0].user_metadata[0]), "a\xff\xfe");
}

TEST(bytes_after_the_end_are_ignored) {
  const auto read = read_bytes(maker::snapshot(Style::python4, 3) + std::string(3, '\0'));
  CHECK_EQ(read->error.code, "");
  CHECK_EQ(read->events(), 3u);
  CHECK_EQ(read->finding("snapshot/bytes_after_stop"), 1u);
}
