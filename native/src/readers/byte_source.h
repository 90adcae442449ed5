// A window over an Input that parsers walk by pointer. Reports progress and looks at the cancel flag at every refill.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "readers/input.h"
#include "readers/read_snapshot.h"

namespace tidemark::readers {

class ByteSource {
 public:
  // After the last byte there are always this many zero bytes, so a fixed-size operand may be read before the end is
  // checked.
  static constexpr size_t kPadding = 64;

  ByteSource(std::unique_ptr<Input> input, Progress& progress);

  const uint8_t* cursor() const { return cursor_; }
  const uint8_t* end() const { return end_; }
  size_t available() const { return cursor_ < end_ ? static_cast<size_t>(end_ - cursor_) : 0; }
  // Moves on; `cursor` may lie in the padding when an operand is cut off.
  void set_cursor(const uint8_t* cursor) { cursor_ = cursor; }

  // Tries to make `count` bytes available (count ≤ kWindow). Moves the window: pointers into it change. False = fewer
  // are left.
  bool ensure(size_t count);
  // Offset of the cursor in the inflated file.
  uint64_t offset() const { return begin_offset_ + static_cast<uint64_t>(cursor_ - window_.data()); }
  bool cancelled() const { return cancelled_; }
  // The input ended because of damage or an error of the medium.
  bool failed() const { return input_->failed(); }
  uint64_t disk_bytes() const { return input_->disk_bytes(); }

  // Reads `length` bytes that may be longer than the window. Keeps at most `limit` of them in `text`; false = the file
  // ends before.
  bool read_long(uint64_t length, size_t limit, std::string& text);
  // Reads up to and without the next '\n'; false = the end of the file or more than `limit` bytes.
  bool read_line(size_t limit, std::string& line);

 private:
  static constexpr size_t kWindow = 256 * 1024;  // fits the second-level cache of any machine of the last ten years

  std::unique_ptr<Input> input_;
  Progress& progress_;
  std::vector<uint8_t> window_;
  const uint8_t* cursor_;
  const uint8_t* end_;
  uint64_t begin_offset_ = 0;  // of window_[0]
  bool ended_ = false;
  bool cancelled_ = false;
};

}  // namespace tidemark::readers
