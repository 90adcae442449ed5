// When a trace begins and ends, and its times since then.
#pragma once

#include <algorithm>
#include <cstdint>

#include "model/bits.h"
#include "model/trace.h"
#include "model/progress.h"

namespace tidemark {

// Further from the rest than this, an event does not belong to the capture's span.
inline constexpr int64_t kOutlierNs = int64_t{24} * 3600 * 1000000000;
// Times since the start and durations are limited to ±73 years, so that sums of a few of them cannot overflow.
inline constexpr int64_t kFurthestNs = int64_t{1} << 61;

struct CaptureSpan {
  int64_t start_ns = 0;   // the file's time
  int64_t last_ns = 0;    // the latest start or time of an event, since start_ns
  bool has_outliers = false;
  uint64_t outliers = 0;

  int64_t since_start(int64_t time_ns) const {
    int64_t out;
    if (subtract_overflows(time_ns, start_ns, out)) return time_ns < start_ns ? -kFurthestNs : kFurthestNs;
    return std::clamp(out, -kFurthestNs, kFurthestNs);
  }
  // Whether a time since the start lies outside the span.
  bool is_outlier(int64_t since) const { return has_outliers && (since < 0 || since > last_ns); }
  // Whether a slice lasts so long that its end says nothing of the capture.
  bool is_long(int64_t since, int64_t dur) const { return dur > kOutlierNs && since + dur > last_ns + kOutlierNs; }
};

// When slices end, and the longest of them against all the others.
class SliceEnds {
 public:
  struct Slice {
    int64_t dur_ns = -1;  // −1: there is none
    int64_t end_ns = 0;
    uint64_t source_offset = 0;
  };
  void add(const Slice& slice) {
    if (slice.dur_ns <= longest_.dur_ns) {
      others_end_ = std::max(others_end_, slice.end_ns);
      return;
    }
    others_end_ = std::max(others_end_, longest_.end_ns);
    longest_ = slice;
  }
  void add(const SliceEnds& more) {
    add(more.longest_);
    others_end_ = std::max(others_end_, more.others_end_);
  }
  int64_t last() const { return std::max(others_end_, longest_.end_ns); }
  const Slice& longest() const { return longest_; }
  // Whether the longest looks like the work of a clock that wrapped: seconds long, and everything else fits into it a hundred times. One that
  // encloses the others, as that of a whole program, is about as long as all of them.
  bool is_longest_odd(const CaptureSpan& span) const {
    constexpr int64_t kTimes = 100;
    const int64_t rest = std::max(span.last_ns, others_end_);
    return longest_.dur_ns >= kLeastOddNs && rest > 0 && longest_.dur_ns / kTimes > rest;
  }

 private:
  static constexpr int64_t kLeastOddNs = 1000000000;
  Slice longest_;
  int64_t others_end_ = 0;
};

inline int64_t limited_dur(int64_t dur_ns) { return std::min(dur_ns, kFurthestNs); }

// From the earliest to the latest event that is no span row (CategoryKind::span) and does not lie apart from most of the others; of the span rows
// where there is nothing else.
CaptureSpan capture_span(const Trace& trace, Progress& progress);

}  // namespace tidemark
