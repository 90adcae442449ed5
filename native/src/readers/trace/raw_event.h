// One event as the text gives it: where its values stand, before anything is made of them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "readers/trace/decimal.h"
#include "readers/trace/finding_code.h"

namespace tidemark::readers::trace {

enum class Kind : uint8_t { none, text, number, word, container };

// A value in the text: of a string what is between its quotes.
struct Token {
  const uint8_t* at = nullptr;
  uint32_t length = 0;
  Kind kind = Kind::none;
  bool escaped = false;  // a string with backslashes

  std::string_view raw() const { return {reinterpret_cast<const char*>(at), length}; }
};

enum class Field : uint8_t { name, cat, pid, tid, id, id2, scope, s, bp, bind_id, flow_in, flow_out, sf, args, ts, dur, count };
enum class Arg : uint8_t {
  external_id,
  correlation,
  event_index,
  device_type,
  device_id,
  address,
  bytes,
  total_allocated,
  total_reserved,
  name,
  labels,
  sort_index,
  count
};

struct RawEvent {
  std::array<Token, static_cast<size_t>(Field::count)> fields;
  std::array<Token, static_cast<size_t>(Arg::count)> args;
  uint32_t fields_seen = 0;  // tokens are not cleared from event to event
  uint32_t args_seen = 0;
  char phase = '\0';         // '\0' = the object has none
  bool is_empty = false;     // {}
  bool is_odd = false;       // a string holds something worth a closer look
  bool start_known = false;  // `start` was read on the way
  bool length_known = false;
  Moment start;
  Moment length;
  FindingCounts findings;

  void clear() {
    fields_seen = args_seen = 0;
    phase = '\0';
    is_empty = is_odd = start_known = length_known = false;
    findings.clear();
  }
  bool has(Field field) const { return (fields_seen >> static_cast<int>(field) & 1) != 0; }
  const Token& of(Field field) const { return has(field) ? fields[static_cast<size_t>(field)] : kNothing; }
  bool has(Arg arg) const { return (args_seen >> static_cast<int>(arg) & 1) != 0; }
  const Token& of(Arg arg) const { return has(arg) ? args[static_cast<size_t>(arg)] : kNothing; }

 private:
  static constexpr Token kNothing{};
};

// The text that a string token stands for, in `scratch` where it has escapes. Escapes that JSON does not have keep their
// backslash, lone surrogates become U+FFFD.
std::string_view decoded(const Token& token, std::string& scratch);

}  // namespace tidemark::readers::trace
