#include "readers/pickle_maker.h"

namespace maker {
namespace {

std::string little(uint64_t number, int count) {
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(number >> (8 * i));
  return bytes;
}

}  // namespace

Pickle& Pickle::memoize() {
  if (style_ == Style::python4) return op(0x94);
  if (style_ == Style::text0) return raw("p" + std::to_string(memo_++) + "\n");
  return *this;  // the C++ writer does not remember these containers
}

Pickle& Pickle::text(std::string_view text) {
  if (style_ == Style::python4 && text.size() < 256) {
    op(0x8c).op(static_cast<unsigned char>(text.size())).raw(text);
    return memoize();
  }
  if (style_ == Style::text0) {
    raw("V").raw(text).raw("\n");
    return memoize();
  }
  raw("X").raw(little(text.size(), 4)).raw(text);
  return style_ == Style::cpp2 ? raw("r").raw(little(static_cast<uint64_t>(memo_++), 4)) : memoize();
}

Pickle& Pickle::integer(int64_t number) {
  if (style_ == Style::text0)
    return raw((number > INT32_MAX || number < INT32_MIN ? "L" : "I") + std::to_string(number) +
               (number > INT32_MAX || number < INT32_MIN ? "L\n" : "\n"));
  if (number >= 0 && number < 256) return op('K').op(static_cast<unsigned char>(number));
  if (number >= 0 && number < 65536) return op('M').raw(little(static_cast<uint64_t>(number), 2));
  if (number >= INT32_MIN && number <= INT32_MAX) return op('J').raw(little(static_cast<uint64_t>(number), 4));
  return long_bytes(little(static_cast<uint64_t>(number), 8));
}

Pickle& Pickle::long_bytes(std::string_view digits) {
  return op(0x8a).op(static_cast<unsigned char>(digits.size())).raw(digits);
}

Pickle& Pickle::boolean(bool value) {
  if (style_ == Style::text0) return raw(value ? "I01\n" : "I00\n");
  return op(value ? 0x88 : 0x89);
}

Pickle& Pickle::pair(int64_t first, int64_t second) {
  if (style_ == Style::python4) {
    integer(first).integer(second).op(0x86);
  } else {
    raw("(").integer(first).integer(second).raw("t");
  }
  return memoize();
}

Pickle& Pickle::begin_dict() {
  if (style_ == Style::text0) {
    raw("(d");
    return memoize();
  }
  raw("}");
  return memoize().raw("(");
}
Pickle& Pickle::end_dict() { return style_ == Style::text0 ? *this : raw("u"); }
Pickle& Pickle::begin_list() {
  if (style_ == Style::text0) {
    raw("(l");
    return memoize();
  }
  raw("]");
  return memoize().raw("(");
}
Pickle& Pickle::end_list() { return style_ == Style::text0 ? *this : raw("e"); }

Pickle& Pickle::frame(std::string_view name, std::string_view file, int64_t line) {
  begin_dict().text("name").text(name).set().text("filename").text(file).set();
  return text("line").integer(line).set().end_dict();
}

Pickle& Pickle::frames(int depth) {
  begin_list();
  for (int i = 0; i < depth; ++i) frame("f" + std::to_string(i), "model.py", i).item();
  return end_list();
}

Pickle& Pickle::entry(std::string_view action, int64_t address, int64_t size, int64_t time_us, int depth) {
  begin_dict().text("action").text(action).set().text("addr").integer(address).set().text("size").integer(size).set();
  text("stream").integer(0).set().text("time_us").integer(time_us).set();
  return text("frames").frames(depth).set().end_dict();
}

Pickle& Pickle::segment(int64_t address, int blocks) {
  begin_dict()
      .text("device")
      .integer(0)
      .set()
      .text("address")
      .integer(address)
      .set()
      .text("total_size")
      .integer(512 * blocks)
      .set();
  text("stream").integer(0).set().text("segment_type").text("small").set().text("segment_pool_id").pair(0, 0).set();
  text("is_expandable").boolean(false).set().text("blocks").begin_list();
  for (int i = 0; i < blocks; ++i) {
    begin_dict().text("address").integer(address + 512 * i).set().text("size").integer(512).set();
    text("requested_size").integer(100).set().text("state").text(i % 2 ? "inactive" : "active_allocated").set();
    text("frames").frames(i).set().end_dict().item();
  }
  return end_list().set().end_dict();
}

std::string snapshot(Style style, int events) {
  Pickle pickle(style);
  pickle.begin_dict().text("segments").begin_list();
  pickle.segment(0x7f0000000000, 2).item().segment(0x7f0000100000, 2).item().end_list().set();
  pickle.text("device_traces").begin_list().begin_list();
  for (int i = 0; i < events; ++i)
    pickle.entry(i % 2 ? "free_completed" : "alloc", 0x7f0000000000, 100, 1000 + i, 3).item();
  pickle.end_list().item().end_list().set();
  return pickle.end_dict().stop();
}

}  // namespace maker
