// Files that are cut, damaged or made to harm: a coded error or partial data with findings.
#include "check.h"
#include "readers/pickle_maker.h"
#include "readers/read_bytes.h"

using maker::Pickle;
using maker::Style;

namespace {

std::string code_of(const std::string& bytes) { return read_bytes(bytes)->error.code; }

std::string repeated(std::string_view part, size_t count) {
  std::string all;
  all.reserve(part.size() * count);
  for (size_t i = 0; i < count; ++i) all += part;
  return all;
}

void check_every_cut(Style style) {
  const std::string whole = maker::snapshot(style, 40);
  size_t most = 0;
  for (size_t length = 2; length < whole.size(); ++length) {
    const auto read = read_bytes(whole.substr(0, length));
    if (read->error.failed()) {
      CHECK_EQ(read->error.code, "snapshot/truncated");
      CHECK_EQ(most, 0u);  // once something is complete, no later cut loses it
      continue;
    }
    CHECK_EQ(read->finding("snapshot/truncated"), 1u);
    const size_t found = read->snapshot.segments.size() + read->events();
    CHECK(found >= most);
    most = found;
  }
  CHECK(most >= 41);  // two segments and all events but the last one at least
}

}  // namespace

TEST(every_cut_of_a_python_pickle) { check_every_cut(Style::python4); }
TEST(every_cut_of_a_cpp_pickle) { check_every_cut(Style::cpp2); }
TEST(every_cut_of_a_text_pickle) { check_every_cut(Style::text0); }

TEST(opcodes_that_run_code_are_refused_by_name) {
  const auto global = read_bytes("cos\nsystem\n(S'true'\ntR.");
  CHECK_EQ(global->error.code, "snapshot/forbidden_opcode");
  CHECK(global->error.message.find("GLOBAL for os.system at byte 0") != std::string::npos);
  const auto stacked = read_bytes("\x80\x04\x8c\x05posix\x8c\x06system\x93.");
  CHECK_EQ(stacked->error.code, "snapshot/forbidden_opcode");
  CHECK(stacked->error.message.find("STACK_GLOBAL for posix.system at byte 17") != std::string::npos);
  CHECK_EQ(stacked->error.offset, 17);
  for (const char op : std::string("R\x81\x92"
                                   "boiPQ\x82\x83\x84\x96\x97\x98")) {
    const auto read = read_bytes(std::string("\x80\x04}(", 4) + op + std::string(16, '\0'));
    CHECK_EQ(read->error.code, "snapshot/forbidden_opcode");
  }
}

TEST(depth_is_limited) {
  CHECK_EQ(code_of("\x80\x04" + repeated("](", 200000)), "file/too_deep");
  CHECK_EQ(code_of("\x80\x04" + repeated("]", 200000) + repeated("a", 199999) + "."), "file/too_deep");
  CHECK_EQ(code_of("\x80\x04" + repeated("]", 1000000) + repeated("a", 999999) + "."), "file/too_deep");
  CHECK_EQ(code_of("\x80\x04)" + repeated("\x85", 200000) + "."), "file/too_deep");
  CHECK_EQ(code_of("\x80\x04" + repeated("}K\x01", 300000)), "snapshot/truncated");
  CHECK_EQ(code_of("(" + repeated("(", 1000000)), "file/too_deep");
  CHECK_EQ(code_of(repeated("[", 1000000)), "file/too_deep");
  CHECK_EQ(code_of(repeated("{\"a\":", 1000000)), "file/too_deep");
}

TEST(the_stack_is_limited) {
  CHECK_EQ(code_of("\x80\x04" + repeated("N", (size_t{1} << 22) + 1)), "snapshot/malformed");
}

TEST(cycles_are_refused) {
  CHECK_EQ(code_of(std::string("\x80\x04]\x94h\0a.", 8)), "snapshot/malformed");
  CHECK_EQ(code_of(std::string("\x80\x04}\x94(\x8c\x01kh\0u.", 12)), "snapshot/malformed");
  CHECK_EQ(code_of(std::string("\x80\x04]\x94]\x94h\0aa.", 10)), "snapshot/malformed");
}

TEST(memo_bombs_stay_small) {
  CHECK_EQ(code_of(std::string("\x80\x04Nr\xfe\xff\xff\xffj\xfe\xff\xff\xff.", 14)), "snapshot/not_a_snapshot");
  CHECK_EQ(code_of(std::string("\x80\x04j\xff\xff\xff\x7f.", 8)), "snapshot/malformed");
  CHECK_EQ(code_of("(dp99999999999999999999\n."), "snapshot/malformed");
  // Each level refers ten times to the one below: a billion items when written out.
  std::string bomb("\x80\x04]\x94(NNNNNNNNNNe0", 16);
  for (int level = 0; level < 9; ++level) {
    bomb += "]\x94(";
    for (int i = 0; i < 10; ++i) bomb += std::string("h") + static_cast<char>(level);
    bomb += "e";
    if (level < 8) bomb += "0";
  }
  CHECK_EQ(code_of(bomb + "."), "snapshot/not_a_snapshot");
}

TEST(absurd_lengths_are_not_believed) {
  CHECK_EQ(code_of(std::string("\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\x7f", 11) + "abc"), "snapshot/truncated");
  CHECK_EQ(code_of(std::string("\x80\x04X\xff\xff\xff\xff", 7) + "abc"), "snapshot/truncated");
  CHECK_EQ(code_of(std::string("\x80\x04\x8b\xff\xff\xff\x7f", 7) + "abc"), "snapshot/integer_too_large");
  CHECK_EQ(code_of(std::string("\x80\x04\x8b\xff\xff\xff\xff", 7) + "abc"), "snapshot/malformed");
}

TEST(broken_structure_is_refused) {
  for (const char* body : {"e.", "u.", "t.", "a.", "s.", "]e.", "}u.", "}(Nu.", "(a.", "N(a.", "NN(NNu.", "0.", "1.",
                           "2.", "}}Ns.", "](K\x01K\x02s."}) {
    CHECK_EQ(code_of(std::string("\x80\x04") + body), "snapshot/malformed");
  }
  CHECK_EQ(code_of(std::string("\x80\x04.", 3)), "snapshot/malformed");
  CHECK_EQ(code_of("\x80\x04\xff."), "snapshot/malformed");
  CHECK_EQ(code_of("\x80\x07N."), "snapshot/malformed");
}

TEST(other_pickles_are_not_snapshots) {
  for (const char* body : {"N.", "}.", "K\x05.",
                           "](K\x01K\x02K\x03"
                           "e.",
                           "}(\x8c\x01"
                           "aK\x01u.",
                           "(}."}) {
    const std::string code = code_of(std::string("\x80\x04") + body);
    CHECK(code == "snapshot/not_a_snapshot" || code == "snapshot/malformed");
  }
}

TEST(flipped_bits_never_break_the_reader) {
  const std::string whole = maker::snapshot(Style::python4, 12);
  size_t survived = 0;
  for (size_t at = 2; at < whole.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      const auto read = read_bytes(damaged);
      survived += !read->error.failed();
      CHECK(!read->error.failed() || !read->error.message.empty());
    }
  }
  CHECK(survived > 0);
}
