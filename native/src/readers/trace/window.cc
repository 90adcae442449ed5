#include "readers/trace/window.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "readers/trace/text_scan.h"

namespace tidemark::readers::trace {

Window::Window(TextSource& source, const Progress& progress, uint64_t offset, size_t step)
    : source_(source), progress_(progress), offset_(offset), step_(step) {
  more();
}

bool Window::more() {
  if (ended_ || cancelled_) return false;
  const size_t kept = size();
  // What is kept is read again by whoever asked: reading at least as much again keeps that from costing more than the text.
  const size_t wanted = std::max(step_, kept);
  if (capacity_ - begin_ < kept + wanted + kPadding || data_ == nullptr) {
    if (kept > 0) std::memmove(data_.get(), begin(), kept);
    if (capacity_ < kept + wanted + kPadding) {
      // Large pieces of memory grow where they are: an event of many megabytes never lies in memory twice.
      const size_t capacity = kept + wanted + std::max(std::min(wanted, step_), size_t{256}) + kPadding;
      auto* const grown = static_cast<uint8_t*>(std::realloc(data_.get(), capacity));
      if (grown == nullptr) throw std::bad_alloc();
      (void)data_.release();
      data_.reset(grown);
      capacity_ = capacity;
    }
    begin_ = 0;
    end_ = kept;
  }
  size_t got = 0;
  while (got < wanted && !ended_) {
    const size_t part = source_.read(offset_ + kept + got, data_.get() + end_ + got, std::min(wanted - got, size_t{1} << 20));
    got += part;
    ended_ = part == 0;
    cancelled_ = progress_.cancel.load(std::memory_order_relaxed);
    if (cancelled_) break;
  }
  end_ += got;
  std::memset(data_.get() + end_, 0, kPadding);
  return !cancelled_;
}

}  // namespace tidemark::readers::trace
