// Genuine shapes of snapshots, as each writer makes them.
#include "check.h"
#include "readers/pickle_maker.h"
#include "readers/read_bytes.h"

using maker::Pickle;
using maker::Style;
using tidemark::kNone;

namespace {

void check_small_snapshot(const std::string& bytes) {
  const auto read = read_bytes(bytes);
  CHECK_EQ(read->error.code, "");
  CHECK_EQ(read->snapshot.segments.size(), 2u);
  CHECK_EQ(read->events(), 7u);
  if (read->snapshot.segments.size() != 2 || read->events() != 7) return;
  const auto& segment = read->snapshot.segments[1];
  CHECK_EQ(segment.address, 0x7f0000100000u);
  CHECK_EQ(segment.total_size, 1024u);
  CHECK(!segment.is_large);
  CHECK_EQ(segment.pool, 0u);
  CHECK_EQ(segment.blocks.size(), 2u);
  CHECK_EQ(segment.blocks[0].requested_size, 100u);
  CHECK_EQ(segment.blocks[1].requested_size, 0u);  // stale in the file: the block is inactive
  const auto& trace = read->snapshot.traces[0];
  CHECK_EQ(trace.action[0], static_cast<uint8_t>(tidemark::Action::alloc));
  CHECK_EQ(trace.action[1], static_cast<uint8_t>(tidemark::Action::free_completed));
  CHECK_EQ(trace.address[6], 0x7f0000000000u);
  CHECK_EQ(trace.time[6], 1006);
  CHECK_EQ(trace.stack[0], trace.stack[6]);
  CHECK_EQ(read->snapshot.stacks.depth(trace.stack[0]), 3u);
  // By value: depths 0 and 1 of the blocks and 3 of the entries, and no prefixes of them.
  CHECK_EQ(read->snapshot.stacks.size(), 3u);
  CHECK_EQ(read->snapshot.frames.size(), 3u);
  CHECK_EQ(read->finding("snapshot/damaged_entry"), 0u);
}

// A dict with one trace of one device; `fields` writes the fields of its only entry.
template <typename Fields>
std::unique_ptr<ReadResult> read_one_entry(Fields&& fields) {
  Pickle pickle(Style::python4);
  pickle.begin_dict()
      .text("segments")
      .begin_list()
      .end_list()
      .text("device_traces")
      .begin_list()
      .begin_list()
      .begin_dict();
  fields(pickle);
  return read_bytes(pickle.end_dict().end_list().end_list().end_dict().stop());
}

}  // namespace

TEST(python_protocol_4) { check_small_snapshot(maker::snapshot(Style::python4, 7)); }
TEST(cpp_protocol_2) { check_small_snapshot(maker::snapshot(Style::cpp2, 7)); }
TEST(text_protocol_0) { check_small_snapshot(maker::snapshot(Style::text0, 7)); }

TEST(protocol_5_differs_in_its_number_only) {
  std::string bytes = maker::snapshot(Style::python4, 7);
  bytes[1] = 5;
  check_small_snapshot(bytes);
}

TEST(one_appends_of_many_items) {
  const auto read = read_bytes(maker::snapshot(Style::cpp2, 130000));
  CHECK_EQ(read->error.code, "");
  CHECK_EQ(read->events(), 130000u);
}

TEST(several_batches_for_one_list) {
  Pickle pickle(Style::python4);
  pickle.begin_dict().text("device_traces").begin_list().begin_list();
  pickle.entry("alloc", 1, 2, 3, 2)
      .entry("alloc", 1, 2, 4, 2)
      .raw("e(")
      .entry("alloc", 1, 2, 5, 2)
      .raw("e")
      .entry("oom", 0, 9, 6, 0)
      .raw("a");
  const auto read = read_bytes(pickle.raw("e").end_dict().stop());
  CHECK_EQ(read->error.code, "");
  CHECK_EQ(read->events(), 4u);
  CHECK_EQ(read->snapshot.traces.size(), 1u);
  CHECK_EQ(read->snapshot.traces[0].time[3], 6);
}

TEST(a_dict_filled_in_several_steps) {
  const auto read = read_one_entry([](Pickle& pickle) {
    pickle.text("action")
        .text("alloc")
        .raw("u(")
        .text("addr")
        .integer(5)
        .text("size")
        .integer(6)
        .raw("u")
        .text("time_us")
        .integer(7)
        .raw("s(");
  });
  CHECK_EQ(read->error.code, "");
  CHECK_EQ(read->events(), 1u);
  CHECK_EQ(read->snapshot.traces[0].size[0], 6u);
  CHECK_EQ(read->snapshot.traces[0].time[0], 7);
}

TEST(traces_before_segments_and_a_single_device) {
  Pickle pickle(Style::python4);
  pickle.begin_dict()
      .text("device_traces")
      .raw("]\x94]\x94(")
      .entry("alloc", 1, 2, 3, 1)
      .entry("free", 1, 2, 4, 1)
      .raw("ea");
  pickle.text("segments").raw("]\x94").segment(4096, 1).raw("a");
  const auto read = read_bytes(pickle.end_dict().stop());
  CHECK_EQ(read->error.code, "");
  CHECK_EQ(read->events(), 2u);
  CHECK_EQ(read->snapshot.segments.size(), 1u);
}

TEST(empty_devices_keep_their_place) {
  Pickle pickle(Style::python4);
  pickle.begin_dict()
      .text("device_traces")
      .begin_list()
      .raw("]\x94]\x94]\x94(")
      .entry("alloc", 1, 2, 3, 1)
      .raw("e]\x94")
      .end_list();
  const auto read = read_bytes(pickle.end_dict().stop());
  CHECK_EQ(read->snapshot.traces.size(), 4u);
  CHECK_EQ(read->events(2), 1u);
}

TEST(addresses_beyond_63_bits) {
  const auto read = read_one_entry([](Pickle& pickle) {
    pickle.text("action").text("alloc").text("size").integer(1).text("addr").long_bytes(
        std::string("\x00\x00\x00\x00\x00\x00\xff\xff\x00", 9));
  });
  CHECK_EQ(read->error.code, "");
  CHECK_EQ(read->events(), 1u);
  CHECK_EQ(read->snapshot.traces[0].address[0], 0xffff000000000000u);
}

TEST(negative_addresses_are_unsigned_ones) {
  const auto read = read_one_entry(
      [](Pickle& pickle) { pickle.text("action").text("alloc").text("size").integer(1).text("addr").integer(-4096); });
  CHECK_EQ(read->events(), 1u);
  CHECK_EQ(read->snapshot.traces[0].address[0], static_cast<uint64_t>(-4096));
}

TEST(integers_beyond_64_bits_are_refused) {
  const auto read = read_one_entry([](Pickle& pickle) {
    pickle.text("action").text("alloc").text("addr").long_bytes(std::string("\0\0\0\0\0\0\0\0\1", 9));
  });
  CHECK_EQ(read->error.code, "snapshot/integer_too_large");
}

TEST(oom_has_no_address) {
  const auto read = read_one_entry([](Pickle& pickle) {
    pickle.text("action").text("oom").text("device_free").integer(77).text("size").integer(8);
  });
  CHECK_EQ(read->events(), 1u);
  CHECK_EQ(read->snapshot.traces[0].device_free[0], 77u);
  CHECK_EQ(read->snapshot.traces[0].oom_event[0], 0u);
  CHECK_EQ(read->finding("snapshot/no_times"), 1u);
}

TEST(unknown_actions_and_fields_are_kept_or_counted) {
  const auto read = read_one_entry([](Pickle& pickle) {
    pickle.text("action")
        .text("teleport")
        .text("addr")
        .integer(5)
        .text("size")
        .integer(6)
        .text("mood")
        .begin_list()
        .text("good")
        .end_list();
    pickle.text("category").text("PARAMETER");
  });
  CHECK_EQ(read->events(), 1u);
  CHECK_EQ(read->finding("snapshot/unknown_action"), 1u);
  CHECK_EQ(read->finding("snapshot/unknown_field"), 2u);
  CHECK_EQ(read->snapshot.strings.at(read->snapshot.traces[0].unknown_action[0].second), "teleport");
}

TEST(entries_with_and_without_stacks_and_texts) {
  const auto read = read_one_entry([](Pickle& pickle) {
    pickle.text("action")
        .text("alloc")
        .text("addr")
        .integer(5)
        .text("size")
        .integer(6)
        .text("compile_context")
        .text("N/A");
    pickle.text("user_metadata").text("{\"step\":3}").text("pool_id").pair(2, 0);
  });
  const auto& trace = read->snapshot.traces[0];
  CHECK_EQ(trace.stack[0], kNone);
  CHECK_EQ(trace.compile_context[0], kNone);
  CHECK_EQ(read->snapshot.strings.at(trace.user_metadata[0]), "{\"step\":3}");
  CHECK_EQ(read->snapshot.pools.size(), 2u);
  CHECK_EQ(read->snapshot.pools[trace.pool[0]].first, 2);
}

TEST(damaged_entries_are_left_out_and_counted) {
  Pickle pickle(Style::python4);
  pickle.begin_dict().text("device_traces").begin_list().begin_list().entry("alloc", 1, 2, 3, 1);
  pickle.begin_dict().text("action").text("alloc").text("size").integer(4).end_dict();
  pickle.begin_dict().text("action").integer(4).text("addr").integer(4).text("size").integer(4).end_dict().raw("N");
  pickle.begin_dict().text("action").text("alloc").text("addr").text("x").text("size").integer(4).end_dict();
  pickle.entry("alloc", 1, int64_t{1} << 49, 3, 1).entry("oom", 1, int64_t{1} << 62, 3, 1);
  const auto read = read_bytes(pickle.entry("alloc", 1, 2, 4, 1).end_list().end_list().end_dict().stop());
  CHECK_EQ(read->error.code, "");
  CHECK_EQ(read->events(), 3u);  // a request may be of any size: the second one failed
  CHECK_EQ(read->finding("snapshot/damaged_entry"), 5u);
}

TEST(entries_whose_bytes_add_up_to_more_than_63_bits_are_left_out) {
  Pickle pickle(Style::python4);
  pickle.begin_dict().text("device_traces").begin_list().begin_list();
  for (int64_t i = 0; i < 40'000; ++i) pickle.entry("alloc", 1 + i, int64_t{1} << 48, 3, 1);
  const auto read = read_bytes(pickle.entry("alloc", 100'000, 2, 4, 1).end_list().end_list().end_dict().stop());
  CHECK_EQ(read->error.code, "");
  CHECK_EQ(read->events(), 8192u);  // 2^61 bytes
  CHECK_EQ(read->finding("snapshot/damaged_entry"), 40'001u - 8192u);
}

TEST(recursion_repeats_a_frame_in_its_stack) {
  Pickle pickle(Style::python4);
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
  // Memo so far: 0 root, 1 device_traces, 2, 3 lists, 4 entry, 5 action, 6 alloc, 7 addr, 8 size, 9 frames, 10 list, 11
  // frame.
  pickle.text("frames").begin_list().frame("f", "a.py", 1).raw("h\x0bh\x0b").end_list();
  const auto read = read_bytes(pickle.end_dict().end_list().end_list().end_dict().stop());
  CHECK_EQ(read->error.code, "");
  CHECK_EQ(read->events(), 1u);
  CHECK_EQ(read->snapshot.stacks.depth(read->snapshot.traces[0].stack[0]), 3u);
}

int main() { return check::run_all(); }
