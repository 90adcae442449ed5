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
  bool lost_by_cut = false;  // because the text ends there
  uint64_t lost_at = 0;
};

class DocumentScanner {
 public:
  DocumentScanner(Window& window, PartBuilder& builder, const Place& start);

  // Goes on until the next value begins at or behind `limit`, or the text ends, or the window was cancelled.
  void run(uint64_t limit);
  const Place& place() const { return place_; }

 private:
  void document();
  void object();
  void events(uint64_t limit);
  void event();
  void resync();
  bool blanks();
  bool refill();
  void look_ahead(size_t count);
  uint64_t offset_of(const uint8_t* p) const { return window_.offset() + static_cast<uint64_t>(p - window_.begin()); }
  bool key(std::string& text);
  void member(const std::string& key);
  void keep(const std::string& key);
  void skip_long();
  void lose_member();
  void begin_document(Mode mode, Shape shape);
  void cut(uint64_t at);
  void end();

  Window& window_;
  PartBuilder& builder_;
  EventScanner scanner_;
  Place place_;
  const uint8_t* at_;
};

}  // namespace tidemark::readers::trace
