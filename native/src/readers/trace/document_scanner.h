// Walks a file of trace events whatever its containers: objects with "traceEvents", bare arrays, JSON lines, several of them in a row.
#pragma once

#include <cstdint>
#include <string>

#include "readers/trace/event_scanner.h"
#include "readers/trace/part_builder.h"
#include "readers/trace/window.h"

namespace tidemark::readers::trace {

enum class Mode : uint8_t { document, object, events, ended };
enum class Shape : uint8_t { object, array, lines };

// What a text that begins with a document is, by its first bytes; at least kPadding zeros follow `end`.
Shape shape_of(const uint8_t* begin, const uint8_t* end);

// Where a scan stands between two values, and all that it needs to know to go on there.
struct Place {
  uint64_t offset = 0;
  Mode mode = Mode::document;
  Shape shape = Shape::object;
  bool seen_document = false;
  bool seen_events = false;  // of this document
  bool recovering = false;   // events were lost at `lost_at` and none was read since
  Code lost_as = Code::syntax;
  uint64_t lost_at = 0;
  // An event without end was looked for up to here. Events that begin before are not read on and on: only `allowance` bytes more are
  // looked at in vain, so that the time follows the length of the text.
  uint64_t dark_until = 0;
  uint64_t allowance = 0;
};

class DocumentScanner {
 public:
  DocumentScanner(Window& window, PartBuilder& builder, const Place& start);

  // Goes on until the next value begins at or behind `limit`, or the text ends, or the window was cancelled.
  void run(uint64_t limit);
  // A scan that only guesses where it begins gives up at an event of more bytes, and place() means nothing then.
  void set_patience(size_t bytes) { patience_ = bytes; }
  bool gave_up() const { return gave_up_; }
  const Place& place() const { return place_; }

 private:
  void document();
  void object();
  void events(uint64_t limit);
  void event();
  void add(uint64_t offset);
  void lose_event(Code reason, uint64_t offset, uint64_t cost);
  size_t longest_event(uint64_t offset) const;
  void resync();
  bool begins_event();
  bool blanks();
  bool padding();
  bool refill();
  void look_ahead(size_t count);
  uint64_t offset_of(const uint8_t* p) const { return window_.offset() + static_cast<uint64_t>(p - window_.begin()); }
  bool key(std::string& text);
  void member(const std::string& key);
  void keep(const std::string& key);
  void skip_long();
  void add_frames(const uint8_t* end);
  void lose_member(const uint8_t* failed);
  void begin_document(Mode mode, Shape shape);
  void cut(uint64_t at);
  void end();

  Window& window_;
  PartBuilder& builder_;
  EventScanner scanner_;
  Place place_;
  const uint8_t* at_;
  size_t patience_ = SIZE_MAX;
  bool gave_up_ = false;
};

}  // namespace tidemark::readers::trace
