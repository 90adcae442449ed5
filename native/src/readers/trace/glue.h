// What stands between two values of an object, remembered: a writer puts the same keys and blanks behind the same keys, so that most of an
// event's text needs not be read, only compared.
#pragma once

#include <cstddef>

#include "readers/trace/text_scan.h"

namespace tidemark::readers::trace {

// Where a scan of an object stands: the key read last.
struct Step {
  static constexpr size_t kSlots = 65;
  uint8_t what = 0;            // what it names
  uint8_t slot = kSlots - 1;   // which keys share one does not matter but for speed
};

class Glue {
 public:
  // Whether the text at `p` is the glue.
  TIDEMARK_HOT bool fits(const uint8_t* p) const {
    if (length_ == 0) return false;
#ifdef TIDEMARK_SSE2
    const auto same = [&](int at) {
      return static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p + at)),
                                                                    _mm_loadu_si128(reinterpret_cast<const __m128i*>(text_ + at)))));
    };
    return ((same(0) | same(16) << 16) & mask_) == mask_;
#else
    return std::memcmp(p, text_, length_) == 0;
#endif
  }
  bool is_empty() const { return length_ == 0; }
  // The value behind the glue at `p`.
  TIDEMARK_HOT const uint8_t* follow(const uint8_t* p, Step& step) const {
    step = step_;
    return skip_blanks(p + length_);
  }
  // Text of a key that is as JSON has it, from behind a value (or an opening bracket) to the next value. What follows it is copied too, since
  // copies of one length are cheap; the padding of the text makes that safe.
  void learn(const uint8_t* from, const uint8_t* to, Step step) {
    if (to - from > kLongest) return;
    length_ = static_cast<uint8_t>(to - from);
    mask_ = length_ == kLongest ? ~uint32_t{0} : (uint32_t{1} << length_) - 1;
    std::memcpy(text_, from, kLongest);
    step_ = step;
  }

 private:
  static constexpr std::ptrdiff_t kLongest = 32;
  uint8_t text_[kLongest] = {};
  uint32_t mask_ = 0;
  uint8_t length_ = 0;
  Step step_;
};

// What follows one key is mostly one of two things.
struct Glues {
  Glue often;
  Glue other;

  const Glue* fitting(const uint8_t* p) const { return often.fits(p) ? &often : other.fits(p) ? &other : nullptr; }
  Glue& unused() { return often.is_empty() ? often : other; }
};

}  // namespace tidemark::readers::trace
