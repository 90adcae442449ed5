// Profiles of other tools: stacks add up whatever the order in which a file tells things, and damage keeps what was read.
#include "check.h"
#include "readers/gzip.h"
#include "readers/profile_bytes.h"

using profile_bytes::read_profile_bytes;

TEST(equal_stacks_add_up) {
  const auto read = read_profile_bytes("a;b 3\na 1\n# note\na;b 4.5\n");
  CHECK_EQ(read->error.code, "");
  CHECK_EQ(read->values(), "a;b=7.5 a=1 ");
  CHECK_EQ(read->profile.format_detail, "folded");
  CHECK_EQ(read->findings(), "");
}

TEST(a_place_behind_a_name_is_the_file_of_the_frame) {
  const auto read = read_profile_bytes("f (a b.py:12);g (int) 1\n");
  CHECK_EQ(read->values(), "f@a b.py:12;g (int)=1 ");
}

TEST(frames_of_a_tree_may_be_named_behind_their_children) {
  const auto read = read_profile_bytes(R"({"children":[{"children":[{"value":2,"name":"leaf"}],"value":3,"name":"mid"}],"value":5,"name":"all"})");
  CHECK_EQ(read->values(), "=2 mid;leaf=2 mid=1 ");
}

TEST(a_tree_that_is_cut_keeps_what_was_read) {
  const auto read = read_profile_bytes(R"({"name":"all","value":5,"children":[{"name":"a","value":3},{"name":"b","val)");
  CHECK_EQ(read->values(), "=2 a=3 ");
  CHECK_EQ(read->findings(), "profile/truncated=1 ");
}

TEST(a_gzip_stream_that_is_cut_keeps_what_was_read) {
  const std::string packed = gzipped("a;b 3\na;c 4\n");
  const auto read = read_profile_bytes(packed.substr(0, packed.size() - 6));
  CHECK_EQ(read->values(), "a;b=3 a;c=4 ");
  CHECK_EQ(read->findings(), "profile/damaged_gzip=1 ");
}

TEST(a_message_longer_than_the_file_ends_the_reading) {
  const std::string bytes = std::string("\x0a\x04\x08\x01\x10\x02", 6) + std::string("\x12\x04\x0a\x00\x12\x00", 6) + "\x12\xff\xff\xff\xff\x0f";
  const auto read = read_profile_bytes(bytes);
  CHECK_EQ(read->error.code, "profile/not_a_profile");
}
