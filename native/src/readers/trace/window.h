// A stretch of the text in memory that moves on: what parsers need as a whole lies there as a whole.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "model/progress.h"

namespace tidemark::readers::trace {

// Where the text comes from.
class TextSource {
 public:
  virtual ~TextSource() = default;
  // Puts up to `capacity` bytes from `offset` into `to`; 0 = the end. A source that only goes forward is asked for its next bytes only.
  virtual size_t read(uint64_t offset, uint8_t* to, size_t capacity) = 0;
  // The medium reported an error, or the compressed stream is damaged or cut.
  virtual bool failed() const = 0;
};

class Window {
 public:
  // Reads `step` bytes at a time from `offset` on.
  Window(TextSource& source, const Progress& progress, uint64_t offset, size_t step);

  const uint8_t* begin() const { return data_.get() + begin_; }
  const uint8_t* end() const { return data_.get() + end_; }
  size_t size() const { return end_ - begin_; }
  uint64_t offset() const { return offset_; }  // of begin()
  bool ended() const { return ended_; }        // no more text follows end()
  bool cancelled() const { return cancelled_; }
  // Gives up the text before `p`.
  void drop_before(const uint8_t* p) {
    offset_ += static_cast<uint64_t>(p - begin());
    begin_ = static_cast<size_t>(p - data_.get());
  }
  // Appends text, or finds out that there is no more; pointers change, begin() stays at the same offset. False = the end was known, or
  // cancelled.
  bool more();
  // Makes at least `count` bytes from begin() available if the text has them.
  void ensure(size_t count) {
    while (size() < count && more()) {
    }
  }

 private:
  struct Free {
    void operator()(uint8_t* p) const { std::free(p); }
  };

  TextSource& source_;
  const Progress& progress_;
  std::unique_ptr<uint8_t, Free> data_;
  size_t capacity_ = 0;
  size_t begin_ = 0;
  size_t end_ = 0;
  uint64_t offset_;
  size_t step_;
  bool ended_ = false;
  bool cancelled_ = false;
};

}  // namespace tidemark::readers::trace
