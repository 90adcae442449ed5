#include "readers/trace/text_source.h"

#include <algorithm>
#include <cstring>

#include "model/text.h"

#ifndef _WIN32
#include <unistd.h>
#endif

namespace tidemark::readers::trace {

FileSource::FileSource(const std::string& path, Progress* progress) : file_(open_file(path)), progress_(progress) {}

FileSource::~FileSource() {
  if (file_ != nullptr) std::fclose(file_);
}

size_t FileSource::read(uint64_t offset, uint8_t* to, size_t capacity) {
#ifdef _WIN32
  const std::lock_guard<std::mutex> lock(mutex_);
  size_t got = 0;
  if (_fseeki64(file_, static_cast<int64_t>(offset), SEEK_SET) == 0) got = std::fread(to, 1, capacity, file_);
  if (got == 0 && std::ferror(file_)) failed_ = true;
#else
  const ssize_t read = pread(fileno(file_), to, capacity, static_cast<off_t>(offset));
  if (read < 0) failed_ = true;
  const size_t got = read < 0 ? 0 : static_cast<size_t>(read);
#endif
  if (progress_ != nullptr) progress_->done.fetch_add(got, std::memory_order_relaxed);
  return got;
}

size_t StreamSource::read(uint64_t, uint8_t* to, size_t capacity) {
  const size_t got = input_->read(to, capacity);
  if (progress_ != nullptr) progress_->done.store(input_->disk_bytes(), std::memory_order_relaxed);
  return got;
}

bool is_utf16(const std::string& bytes) {
  return bytes.compare(0, 2, "\xff\xfe") == 0 || bytes.compare(0, 2, "\xfe\xff") == 0;
}

size_t Utf16Source::read(uint64_t, uint8_t* to, size_t capacity) {
  while (taken_ == text_.size() && !ended_) {
    if (!fill()) ended_ = true;
  }
  const size_t count = std::min(capacity, text_.size() - taken_);
  std::memcpy(to, text_.data() + taken_, count);
  taken_ += count;
  return count;
}

// Transcodes the next stretch; a pair of surrogates that it cuts waits for the next.
bool Utf16Source::fill() {
  constexpr size_t kStretch = 64 * 1024;
  text_.clear();
  taken_ = 0;
  const size_t kept = units_.size();
  units_.resize(kept + kStretch);
  const size_t got = inner_.read(inner_offset_, units_.data() + kept, kStretch);
  units_.resize(kept + got);
  size_t at = 0;
  if (inner_offset_ == 0 && units_.size() >= 2) {
    big_endian_ = units_[0] == 0xfe;
    at = 2;
  }
  inner_offset_ += got;
  const auto unit = [&](size_t i) -> uint32_t {
    return big_endian_ ? static_cast<uint32_t>(units_[i] << 8 | units_[i + 1]) : static_cast<uint32_t>(units_[i + 1] << 8 | units_[i]);
  };
  while (at + 2 <= units_.size()) {
    const uint32_t first = unit(at);
    const bool is_high = first >= 0xD800 && first < 0xDC00;
    if (is_high && at + 4 > units_.size() && got > 0) break;
    const uint32_t second = is_high && at + 4 <= units_.size() ? unit(at + 2) : 0;
    if (second >= 0xDC00 && second < 0xE000) {
      append_utf8(text_, 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00));
      at += 4;
      continue;
    }
    if (first >= 0xD800 && first < 0xE000) {
      text_ += kReplacement;
    } else {
      append_utf8(text_, first);
    }
    at += 2;
  }
  units_.erase(units_.begin(), units_.begin() + static_cast<ptrdiff_t>(at));
  return got > 0;
}

}  // namespace tidemark::readers::trace
