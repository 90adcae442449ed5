// Slices of async events: b, e, n and S, T, p, F.
#pragma once

#include <cstdint>
#include <vector>

#include "nesting/slice_rows.h"

namespace tidemark {

struct AsyncSlice {
  int64_t start = 0;         // since the capture's start
  int64_t dur = 0;
  uint32_t point = 0;        // index into Trace::async_points, of where it begins
  uint32_t parent = kNone;   // the async slice of the same key that was open when it began
  bool is_unfinished = false;
};

// The slices of each key, nested by time: an end closes the nearest open begin of its name and what is open inside that; n, T and p last no time.
// A begin without an end lasts to the last event of its key, an end without a begin starts at the first; both are counted.
std::vector<AsyncSlice> async_slices(const Trace& trace, const CaptureSpan& span, FoundCount& unmatched, const Progress& progress);

}  // namespace tidemark
