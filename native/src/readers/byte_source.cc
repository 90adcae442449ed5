#include "readers/byte_source.h"

#include <algorithm>
#include <cstring>

namespace tidemark::readers {

ByteSource::ByteSource(std::unique_ptr<Input> input, Progress& progress)
    : input_(std::move(input)), progress_(progress), window_(kWindow + kPadding) {
  cursor_ = end_ = window_.data();
}

bool ByteSource::ensure(size_t count) {
  while (available() < count && !ended_) {
    const size_t kept = available();
    begin_offset_ = offset();
    std::memmove(window_.data(), cursor_, kept);
    const size_t got = input_->read(window_.data() + kept, kWindow - kept);
    cursor_ = window_.data();
    end_ = cursor_ + kept + got;
    std::memset(window_.data() + kept + got, 0, kPadding);
    progress_.done.store(input_->disk_bytes(), std::memory_order_relaxed);
    cancelled_ = progress_.cancel.load(std::memory_order_relaxed);
    ended_ = got == 0 || cancelled_;
  }
  return available() >= count;
}

bool ByteSource::read_long(uint64_t length, size_t limit, std::string& text) {
  text.clear();
  while (length > 0) {
    if (!ensure(1)) return false;
    const auto take = static_cast<size_t>(std::min<uint64_t>(length, available()));
    const size_t room = limit - text.size();
    text.append(reinterpret_cast<const char*>(cursor_), std::min(take, room));
    cursor_ += take;
    length -= take;
  }
  return true;
}

bool ByteSource::read_line(size_t limit, std::string& line) {
  line.clear();
  while (ensure(1)) {
    const auto* newline = static_cast<const uint8_t*>(std::memchr(cursor_, '\n', available()));
    const uint8_t* stop = newline ? newline : end_;
    if (line.size() + static_cast<size_t>(stop - cursor_) > limit) return false;
    line.append(reinterpret_cast<const char*>(cursor_), static_cast<size_t>(stop - cursor_));
    cursor_ = stop;
    if (newline) {
      ++cursor_;
      return true;
    }
  }
  return false;
}

}  // namespace tidemark::readers
