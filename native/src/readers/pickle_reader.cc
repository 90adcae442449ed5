#include "readers/pickle_reader.h"

#include <cstring>

#include "readers/little_endian.h"
#include "readers/opcodes.h"

namespace tidemark::readers {
namespace {

// Longest operand of a fixed-size opcode together with the opcode itself, and room for a LONG1 of 8 bytes.
constexpr size_t kLongestFixed = 16;
// Longer texts are cut: nothing in a snapshot comes near.
constexpr size_t kTextLimit = 1024 * 1024;

// Which of the two inner loops an opcode belongs to.
enum class OpClass : uint8_t { other, scalar, structure };

struct OpClasses {
  OpClass of[256] = {};
  constexpr OpClasses() {
    for (const uint8_t op : {op_LONG_BINGET, op_BINGET, op_LONG1, op_BININT1, op_BININT, op_BININT2}) of[op] = OpClass::scalar;
    for (const uint8_t op : {op_EMPTY_DICT, op_EMPTY_LIST, op_MEMOIZE, op_MARK}) of[op] = OpClass::structure;
  }
};
constexpr OpClasses kOpClasses;

}  // namespace

PickleReader::Step PickleReader::fail(const char* code, std::string message) {
  if (!error_.failed()) error_ = {code, std::move(message), static_cast<int64_t>(op_offset_)};
  return Step::failed;
}

Failure PickleReader::read() {
  Step last = Step::more;
  while (last == Step::more) {
    if (source_.end() - source_.cursor() < static_cast<ptrdiff_t>(kLongestFixed)) source_.ensure(kLongestFixed);
    if (source_.cursor() >= source_.end()) {
      last = Step::cut;
      break;
    }
    const OpClass op_class = kOpClasses.of[*source_.cursor()];
    if (op_class == OpClass::structure) {
      last = run_structure();
    } else if (op_class != OpClass::scalar || !run_scalars()) {
      last = step();
    }
  }
  return finish(last);
}

Failure PickleReader::finish(Step last) {
  if (source_.cancelled())
    return {"query/cancelled", "The load was cancelled.", static_cast<int64_t>(source_.offset())};
  // An operand that reached into the padding was cut off, whatever went wrong with the zeros that stood in for it.
  if (last == Step::cut || source_.cursor() > source_.end()) {
    truncated_ = true;
    assembler_.salvage();
    return {};
  }
  if (last == Step::stop) {
    op_offset_ = source_.offset();
    if (assembler_.finish()) return {};
  }
  if (error_.failed()) return error_;
  Failure error = assembler_.error();
  error.offset = static_cast<int64_t>(op_offset_);
  return error;
}

// Pushes scalars for as long as they come and lie completely in the window: most opcodes are of these few kinds. False
// = the first one needs the long way.
bool PickleReader::run_scalars() {
  const uint8_t* at = source_.cursor();
  const uint8_t* const safe = source_.end() - kLongestFixed;
  Value* top = assembler_.free_values();
  Value* const first = top;
  Value* const limit = top + assembler_.free_count();
  const MemoCell* const cells = assembler_.memo().cells();
  const uint64_t cell_count = assembler_.memo().dense_size();
  const auto recall = [&](uint64_t index, unsigned length) {
    if (index >= cell_count || !cells[index].is(MemoCell::kSimple)) return false;
    write_scalar(top++, cells[index].bits(), cells[index].kind());
    at += length;
    return true;
  };
  const auto integer = [&](int64_t number, unsigned length) {
    write_scalar(top++, static_cast<uint64_t>(number), Kind::integer);
    at += length;
    return true;
  };
  bool more = true;
  while (more && at <= safe && top < limit) {
    // Not a switch: one well-predicted branch for each of the two frequent opcodes beats a jump through a table.
    if (*at == op_LONG_BINGET) {
      more = recall(load32(at + 1), 5);
    } else if (*at == op_BINGET) {
      more = recall(at[1], 2);
    } else if (*at == op_LONG1) {
      more = at[1] - 1u < 8u && integer(load_short(at + 2, at[1]), 2u + at[1]);
    } else if (*at == op_BININT1) {
      more = integer(at[1], 2);
    } else if (*at == op_BININT) {
      more = integer(static_cast<int32_t>(load32(at + 1)), 5);
    } else if (*at == op_BININT2) {
      more = integer(load16(at + 1), 3);
    } else {
      more = false;
    }
  }
  assembler_.advance(static_cast<size_t>(top - first));
  source_.set_cursor(at);
  return top != first;
}

// The opcodes that surround every dict and list. They come in rows, which are followed here without a look at the
// window.
PickleReader::Step PickleReader::run_structure() {
  const uint8_t* at = source_.cursor();
  const uint8_t* const end = source_.end();
  bool done = true;
  bool more = true;
  while (more && at < end) {
    switch (*at) {
      case op_EMPTY_DICT: done = assembler_.begin_dict(); break;
      case op_EMPTY_LIST: done = assembler_.begin_list(); break;
      case op_MEMOIZE: done = assembler_.memoize(); break;
      case op_MARK: done = assembler_.mark(); break;
      default: more = false; continue;
    }
    if (!done) break;
    source_.set_cursor(++at);
  }
  if (done) return Step::more;
  op_offset_ = source_.offset();
  return Step::failed;
}

PickleReader::Step PickleReader::step() {
  op_offset_ = source_.offset();
  const uint8_t* at = source_.cursor();
  const uint8_t op = *at;
  source_.set_cursor(at + 1);
  switch (op) {
    case op_SETITEMS: return check(assembler_.set_marked());
    case op_APPENDS: return check(assembler_.append_marked());
    case op_SHORT_BINUNICODE: source_.set_cursor(at + 2); return sized_text(at[1], false);
    case op_BINUNICODE: source_.set_cursor(at + 5); return sized_text(load32(at + 1), false);
    case op_FRAME:
      source_.set_cursor(at + 9);  // only a hint for readers that load frame by frame
      return Step::more;
    case op_STOP: return Step::stop;
    default: return container_op(op);
  }
}

PickleReader::Step PickleReader::container_op(uint8_t op) {
  switch (op) {
    case op_APPEND: return check(assembler_.append_one());
    case op_SETITEM: return check(assembler_.set_one());
    case op_LIST: return check(assembler_.list_of_marked());
    case op_DICT: return check(assembler_.dict_of_marked());
    case op_EMPTY_TUPLE: return check(assembler_.tuple(0));
    case op_TUPLE1: return check(assembler_.tuple(1));
    case op_TUPLE2: return check(assembler_.tuple(2));
    case op_TUPLE3: return check(assembler_.tuple(3));
    case op_TUPLE:
    case op_FROZENSET: return check(assembler_.tuple_of_marked());
    case op_EMPTY_SET: return check(assembler_.begin_list());
    case op_ADDITEMS: return check(assembler_.append_marked());
    case op_POP: return check(assembler_.pop());
    case op_POP_MARK: return check(assembler_.pop_to_mark());
    case op_DUP: return check(assembler_.duplicate());
    default: return scalar_op(op);
  }
}

PickleReader::Step PickleReader::scalar_op(uint8_t op) {
  const uint8_t* at = source_.cursor();
  const auto skip = [&](size_t count) { source_.set_cursor(at + count); };
  switch (op) {
    case op_NONE: return check(assembler_.push_kind(Kind::none));
    case op_NEWTRUE: return check(assembler_.push_kind(Kind::yes));
    case op_NEWFALSE: return check(assembler_.push_kind(Kind::no));
    case op_BININT: skip(4); return check(assembler_.push_integer(static_cast<int32_t>(load32(at))));
    case op_BININT1: skip(1); return check(assembler_.push_integer(at[0]));
    case op_BININT2: skip(2); return check(assembler_.push_integer(load16(at)));
    case op_LONG1: skip(1); return long_integer(at[0]);
    case op_LONG4: {
      skip(4);
      const auto length = static_cast<int32_t>(load32(at));
      return length < 0 ? fail("snapshot/malformed", "An integer has a negative length.")
                        : long_integer(static_cast<uint64_t>(length));
    }
    case op_BINFLOAT: {
      uint64_t bits = 0;
      for (size_t i = 0; i < 8; ++i) bits = bits << 8 | at[i];  // the only big-endian operand
      double number;
      std::memcpy(&number, &bits, sizeof number);
      skip(8);
      return check(assembler_.push_real(number));
    }
    case op_BINUNICODE8: skip(8); return sized_text(load64(at), false);
    case op_SHORT_BINBYTES:
    case op_SHORT_BINSTRING: skip(1); return sized_text(at[0], op == op_SHORT_BINBYTES);
    case op_BINBYTES:
    case op_BINSTRING: skip(4); return sized_text(load32(at), op == op_BINBYTES);
    case op_BINBYTES8: skip(8); return sized_text(load64(at), true);
    default: return memo_op(op);
  }
}

PickleReader::Step PickleReader::memo_op(uint8_t op) {
  const uint8_t* at = source_.cursor();
  const auto skip = [&](size_t count) { source_.set_cursor(at + count); };
  switch (op) {
    case op_BINPUT: skip(1); return check(assembler_.put(at[0]));
    case op_LONG_BINPUT: skip(4); return check(assembler_.put(load32(at)));
    case op_BINGET: skip(1); return check(assembler_.get(at[0]));
    case op_LONG_BINGET: skip(4); return check(assembler_.get(load32(at)));
    case op_PROTO:
      skip(1);
      if (at[0] > 5)
        return fail("snapshot/malformed",
                    "The pickle has protocol " + std::to_string(at[0]) + "; protocols up to 5 are known.");
      protocol_ = at[0] > protocol_ ? at[0] : protocol_;
      return Step::more;
    default: return text_op(op);
  }
}

// A text or bytes object of a declared length. Lengths are believed only as far as bytes really come.
PickleReader::Step PickleReader::sized_text(uint64_t length, bool is_bytes) {
  if (source_.cursor() > source_.end()) return Step::cut;
  if (source_.available() >= length || (length <= 65536 && source_.ensure(static_cast<size_t>(length)))) {
    const std::string_view bytes(reinterpret_cast<const char*>(source_.cursor()), static_cast<size_t>(length));
    source_.set_cursor(source_.cursor() + length);
    return check(is_bytes ? assembler_.push_kind(Kind::bytes) : assembler_.push(assembler_.builder().text(bytes)));
  }
  if (!source_.read_long(length, is_bytes ? 0 : kTextLimit, long_text_)) return Step::cut;
  if (is_bytes) return check(assembler_.push_kind(Kind::bytes));
  if (length > kTextLimit) assembler_.builder().damaged("A text longer than 1 MiB was cut.");
  return check(assembler_.push(assembler_.builder().text(long_text_)));
}

PickleReader::Step PickleReader::long_integer(uint64_t length) {
  constexpr uint64_t kLongest = 4096;
  if (source_.cursor() > source_.end()) return Step::cut;
  if (length > kLongest) return fail("snapshot/integer_too_large", "An integer has more than 64 bits.");
  if (!source_.ensure(static_cast<size_t>(length))) return Step::cut;
  const uint8_t* digits = source_.cursor();
  source_.set_cursor(digits + length);
  return push_long(digits, static_cast<size_t>(length));
}

PickleReader::Step PickleReader::push_long(const uint8_t* digits, size_t length) {
  // Leading bytes that only repeat the sign say nothing.
  while (length > 1 && ((digits[length - 1] == 0x00 && digits[length - 2] < 0x80) ||
                        (digits[length - 1] == 0xFF && digits[length - 2] >= 0x80))) {
    --length;
  }
  if (length == 0) return check(assembler_.push_integer(0));
  if (length <= 8) return check(assembler_.push_integer(load_signed(digits, length)));
  if (length == 9 && digits[8] == 0) return check(assembler_.push_unsigned(load64(digits)));
  return fail("snapshot/integer_too_large", "An integer has more than 64 bits.");
}

}  // namespace tidemark::readers
