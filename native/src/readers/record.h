// One dict of the file while its fields come in.
#pragma once

#include <cstddef>
#include <cstdint>

#include "readers/value.h"
#include "readers/words.h"

namespace tidemark::readers {

// What a dict turned out to be, by the fields it has.
enum class RecordClass : uint8_t { generic, entry, segment, block, history, annotation, frame };

struct Record {
  static constexpr size_t kMaxUnknown = 8;
  static constexpr uint32_t kNoText = 0xFFFFFFFFu;

  uint64_t fields = 0;  // bit per Word below kKeyCount
  size_t position = 0;  // of its handle on the value stack
  uint32_t memo = kNoMemo;
  uint32_t text = kNoText;        // JsonText slot while the dict may be one that is only kept as text
  uint32_t unknown[kMaxUnknown];  // strings ids of keys that are no Word
  uint32_t unknown_count = 0;
  bool in_use = false;
  bool one_by_one = false;  // filled field by field: nothing says which field is the last
  Value values[kKeyCount];  // only those of `fields` are valid

  bool has(Word key) const { return (fields & bit(key)) != 0; }
  const Value& operator[](Word key) const { return values[key]; }
  void reset(size_t at, uint32_t memo_index) {
    fields = 0;
    position = at;
    memo = memo_index;
    text = kNoText;
    unknown_count = 0;
    in_use = true;
    one_by_one = false;
  }
};

inline RecordClass classify(uint64_t fields) {
  const auto any = [fields](uint64_t mask) { return (fields & mask) != 0; };
  const auto all = [fields](uint64_t mask) { return (fields & mask) == mask; };
  if (any(bit(w_action)) || all(bit(w_addr) | bit(w_size))) return RecordClass::entry;
  if (all(bit(w_filename) | bit(w_name)) || all(bit(w_filename) | bit(w_line)) || all(bit(w_name) | bit(w_line))) {
    return RecordClass::frame;
  }
  if (any(bit(w_total_size) | bit(w_blocks))) return RecordClass::segment;
  if (any(bit(w_state)) || all(bit(w_address) | bit(w_size))) return RecordClass::block;
  if (any(bit(w_real_size))) return RecordClass::history;
  if (any(bit(w_stage)) || all(bit(w_name) | bit(w_time_us))) return RecordClass::annotation;
  return RecordClass::generic;
}

}  // namespace tidemark::readers
