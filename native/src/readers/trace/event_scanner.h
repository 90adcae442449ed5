// Reads one event object. Nothing is kept between events, so that an event may be read again with more text behind it.
#pragma once

#include <cstdint>

#include "readers/trace/glue.h"
#include "readers/trace/raw_event.h"

namespace tidemark::readers::trace {

enum class Scan : uint8_t { done, more, damaged };

class EventScanner {
 public:
  // `at` is the '{' at `offset` in the inflated text; at least kPadding zeros follow `end`; `is_last` = no more text will come. done:
  // event() holds what was read and next() is behind the '}'. more: the text ends before the object does. damaged: it is no object,
  // even with repairs.
  Scan scan(const uint8_t* at, const uint8_t* end, uint64_t offset, bool is_last);
  RawEvent& event() { return event_; }
  const uint8_t* next() const { return next_; }
  // After a scan that found no event: the text up to here was looked at for it.
  const uint8_t* reach() const { return reach_; }

 private:
  const uint8_t* member(const uint8_t* from, bool is_first, bool in_args, Glue& glue, Step& step);
  const uint8_t* field(uint8_t what, const uint8_t* p);
  const uint8_t* args(const uint8_t* p);
  const uint8_t* token(Field field, const uint8_t* p);
  const uint8_t* token(Arg arg, const uint8_t* p);
  const uint8_t* value(const uint8_t* p, Token& token);
  const uint8_t* container(const uint8_t* p);
  const uint8_t* word(const uint8_t* p, Token& token);
  const uint8_t* phase(const uint8_t* p);
  const uint8_t* moment(Field field, const uint8_t* p, Moment& moment, bool& known);
  const uint8_t* mend(const uint8_t* stuck, Token& token, bool in_args);
  Scan stop(const uint8_t* p);
  const uint8_t* fail(const uint8_t* p);
  uint64_t offset_of(const uint8_t* p) const { return offset_ + static_cast<uint64_t>(p - begin_); }

  RawEvent event_;
  Glues field_glue_[Step::kSlots];
  Glues arg_glue_[Step::kSlots];
  Token skipped_;            // the value of a key that nobody asked for
  Token* last_ = nullptr;    // the value read last
  const uint8_t* begin_ = nullptr;
  const uint8_t* end_ = nullptr;
  const uint8_t* next_ = nullptr;
  const uint8_t* reach_ = nullptr;
  uint64_t offset_ = 0;
  int mends_ = 0;
  bool is_last_ = false;
  Scan failure_ = Scan::damaged;
};

// Where the next event may begin from `p`: a '{' followed by a key that events have; a ']' that may end the events where `or_end`.
// nullptr = nowhere before `end`. `begin` is the first byte that may be looked at.
const uint8_t* find_event(const uint8_t* begin, const uint8_t* p, const uint8_t* end, bool or_end);
// Where the next key of an object may begin.
const uint8_t* find_key(const uint8_t* begin, const uint8_t* p, const uint8_t* end);
// Whether the object at `p` has "ph" among its own keys: done = it has, damaged = it has not, more = the text up to `end` does not tell.
Scan is_event(const uint8_t* p, const uint8_t* end);
// Whether the first key of the object at `p` is one that events have.
bool begins_with_event_key(const uint8_t* p);
// Counts what is unusual in the strings of an event's text.
void inspect_strings(const uint8_t* begin, const uint8_t* end, uint64_t offset, FindingCounts& findings);
// Counts the numbers that are not finite in the text of a container.
void inspect_words(const uint8_t* begin, const uint8_t* end, uint64_t offset, FindingCounts& findings);
// The length of the escape that begins with the backslash at `p`; 0 = JSON has no such escape.
size_t escape_length(const uint8_t* p, const uint8_t* end);
// The end of the value at `p` read with care: grammar and depth are checked. more/damaged as above; where damaged, `next` is the place.
Scan check_value(const uint8_t* p, const uint8_t* end, const uint8_t*& next);

}  // namespace tidemark::readers::trace
