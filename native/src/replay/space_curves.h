// The curves of free memory on their way to the sink: values after every event, in blocks.
#pragma once

#include <algorithm>

#include "replay/curves.h"

namespace tidemark {

// What the free blocks of a moment amount to; the definitions are in native/README.md, Space.
struct FreeSpace {
  int64_t inactive_split = 0;  // bytes in segments of more than one block that are not expandable
  int64_t largest = 0;         // bytes of the largest free block
  int64_t returnable = 0;      // bytes that emptying the cache gives back
  int64_t blocks = 0;          // free blocks
};

class SpaceCurves {
 public:
  SpaceCurves(size_t event_count, const CurveSink& sink, CurveSummary& summary)
      : event_count_(event_count), sink_(sink), summary_(summary) {
    for (auto& values : values_) values.resize(std::min(event_count, kCurveBlock));
  }

  // The state before the first event.
  void start(const FreeSpace& space) {
    put(space, summary_.start + kProgramCurveCount);
    put(space, summary_.end + kProgramCurveCount);
  }

  // The state after `event`; to be called for every event in order.
  void add(size_t event, const FreeSpace& space) {
    const size_t at = event % kCurveBlock;
    int64_t now[kCount];
    put(space, now);
    for (int c = 0; c < kCount; ++c) values_[c][at] = now[c];
    if (at + 1 < kCurveBlock && event + 1 < event_count_) return;
    CurveBlock block;
    block.first_event = event - at;
    block.count = at + 1;
    for (int c = 0; c < kCount; ++c) block.value[kProgramCurveCount + c] = values_[c].data();
    sink_(block);
    put(space, summary_.end + kProgramCurveCount);
  }

 private:
  static constexpr int kCount = kCurveCount - kProgramCurveCount;

  static void put(const FreeSpace& space, int64_t* out) {
    out[kInactiveSplit - kProgramCurveCount] = space.inactive_split;
    out[kLargestFree - kProgramCurveCount] = space.largest;
    out[kReturnable - kProgramCurveCount] = space.returnable;
    out[kFreeBlocks - kProgramCurveCount] = space.blocks;
  }

  size_t event_count_;
  const CurveSink& sink_;
  CurveSummary& summary_;
  std::vector<int64_t> values_[kCount];
};

}  // namespace tidemark
