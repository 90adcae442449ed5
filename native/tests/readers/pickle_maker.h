// Writes pickles opcode by opcode, in the manner of Python's writer (protocol 4), the C++ writer (2) or the text writer
// (0).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace maker {

enum class Style { python4, cpp2, text0 };

class Pickle {
 public:
  explicit Pickle(Style style) : style_(style) {
    if (style == Style::python4) raw("\x80\x04");
    if (style == Style::cpp2) raw("\x80\x02");
  }

  Pickle& raw(std::string_view bytes) {
    bytes_ += bytes;
    return *this;
  }
  Pickle& op(unsigned char byte) {
    bytes_ += static_cast<char>(byte);
    return *this;
  }
  Pickle& text(std::string_view text);
  Pickle& integer(int64_t number);
  // The n bytes of an integer as LONG1.
  Pickle& long_bytes(std::string_view digits);
  Pickle& boolean(bool value);
  Pickle& pair(int64_t first, int64_t second);

  Pickle& begin_dict();
  Pickle& end_dict();
  Pickle& begin_list();
  Pickle& end_list();
  // Between a key's value and the next key; the text style writes SETITEM here.
  Pickle& set() { return style_ == Style::text0 ? raw("s") : *this; }
  // After an item of a list; the text style writes APPEND here.
  Pickle& item() { return style_ == Style::text0 ? raw("a") : *this; }
  std::string stop() { return bytes_ + "."; }
  const std::string& bytes() const { return bytes_; }

  // Whole pieces of a snapshot.
  Pickle& frame(std::string_view name, std::string_view file, int64_t line);
  Pickle& frames(int depth);
  Pickle& entry(std::string_view action, int64_t address, int64_t size, int64_t time_us, int depth);
  Pickle& segment(int64_t address, int blocks);

 private:
  Pickle& memoize();

  Style style_;
  std::string bytes_;
  int memo_ = 0;
};

// A snapshot with two segments of two blocks and one device of `events` alternating alloc and free_completed entries.
std::string snapshot(Style style, int events);

}  // namespace maker
