// What the two ways of reading `args` share.
#pragma once

#include "readers/trace/raw_event.h"
#include "readers/trace/text_scan.h"

namespace tidemark::readers::trace {

// A container that is longer is read again with care: it may be that a quote is missing in it.
inline constexpr ptrdiff_t kLongContainer = 16 * 1024;

TIDEMARK_HOT bool is_number_byte(uint8_t c) { return is_digit(c) || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E'; }

template <size_t N>
TIDEMARK_HOT bool same(const uint8_t* key, size_t length, const char (&text)[N]) {
  return length == N - 1 && std::memcmp(key, text, N - 1) == 0;
}

// The argument that a key names, also by the names of older files; count = none that matters.
TIDEMARK_HOT Arg arg_of(const uint8_t* key, size_t length) {
  switch (word_at(key, length)) {
    case word_of("External"):
    case word_of("external"): return same(key + 1, length - 1, "xternal id") ? Arg::external_id : Arg::count;
    case word_of("correlation"): return same(key, length, "correlation") ? Arg::correlation : Arg::count;
    case word_of("Ev Idx"): return Arg::event_index;
    case word_of("Profiler"): return same(key, length, "Profiler Event Index") ? Arg::event_index : Arg::count;
    case word_of("Device Type"): return same(key, length, "Device Type") ? Arg::device_type : Arg::count;
    case word_of("Device Id"): return same(key, length, "Device Id") ? Arg::device_id : Arg::count;
    case word_of("Addr"): return Arg::address;
    case word_of("Bytes"): return Arg::bytes;
    case word_of("Total Allocated"): return same(key, length, "Total Allocated") ? Arg::total_allocated : Arg::count;
    case word_of("Total Reserved"): return same(key, length, "Total Reserved") ? Arg::total_reserved : Arg::count;
    case word_of("name"): return Arg::name;
    case word_of("labels"): return Arg::labels;
    case word_of("sort_index"): return same(key, length, "sort_index") ? Arg::sort_index : Arg::count;
    default: return Arg::count;
  }
}

}  // namespace tidemark::readers::trace
