// The handles that stand for a file's values while it is read. No object is ever built: a container is a kind and an
// id.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tidemark::readers {

inline constexpr uint32_t kNoMemo = 0xFFFFFFFFu;

// What a value is. From `stack` on the kinds are containers, whose memo cells need care (see Assembler::get).
enum class Kind : uint8_t {
  none,
  no,
  yes,
  integer,      // bits: int64_t
  big_integer,  // bits: uint64_t of 2^63 and more
  real,         // bits: a double's
  text,         // bits: Snapshot::strings id
  bytes,        // content is not kept
  pair,         // bits: index of a pair of integers
  frame,        // bits: Snapshot::frames id
  stack,        // a list of frames; bits: Snapshot::stacks id
  new_list,     // nothing was put in yet
  new_dict,
  open_dict,     // bits: slot of its record; more fields may come
  entry_list,    // one device's trace; bits: index of the staged trace
  block_list,    // bits: slot
  segment_list,  // bits: slot
  history_list,  // bits: slot
  trace_lists,   // a list of entry lists; bits: slot
  done_list,     // a list of what is stored already
  done,          // stored already, nothing more to do
  generic,       // bits: slot of its bounded JSON text
  opaque,        // content is not kept
};

enum ValueFlag : uint8_t {
  kFetched = 1,  // a copy out of the memo: must not be filled
  kFresh = 2,    // a stack whose interning created its id
};

struct Value {
  uint64_t bits = 0;
  uint32_t memo = kNoMemo;  // the memo cell to keep up to date
  Kind kind = Kind::none;
  uint8_t flags = 0;
  uint16_t unused = 0;

  bool is_text(uint32_t word) const { return kind == Kind::text && bits == word; }
  bool is_integer() const { return kind == Kind::integer || kind == Kind::big_integer; }
};

// Writes a scalar with two stores; the compiler makes six of an initializer list whose kind is not constant.
inline void write_scalar(Value* to, uint64_t bits, Kind kind) {
  static_assert(sizeof(Value) == 16 && offsetof(Value, memo) == 8 && offsetof(Value, kind) == 12, "layout of a handle");
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  *to = Value{bits, kNoMemo, kind, 0};
#else
  const uint64_t words[2] = {bits, kNoMemo | static_cast<uint64_t>(kind) << 32};
  std::memcpy(static_cast<void*>(to), words, sizeof words);
#endif
}

inline bool is_list(Kind kind) {
  switch (kind) {
    case Kind::stack:
    case Kind::new_list:
    case Kind::entry_list:
    case Kind::block_list:
    case Kind::segment_list:
    case Kind::history_list:
    case Kind::trace_lists:
    case Kind::done_list: return true;
    default: return false;
  }
}

}  // namespace tidemark::readers
