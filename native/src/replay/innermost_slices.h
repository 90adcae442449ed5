// Walks the slices of one track in time: which is the innermost at each of many moments.
#pragma once

#include <vector>

#include "nesting/nested_trace.h"

namespace tidemark {

class InnermostSlices {
 public:
  // Once `progress.cancel` is set it is made soon, and finds slices that mean nothing.
  InnermostSlices(const NestedTrace& nested, const Track& track, const Progress& progress);

  // The slice that contains `time_ns` (both ends included) and starts last, of several the deepest; kNoSlice without one. Times must
  // not fall from call to call. All calls together cost O(slices of the track · log) at most, neighboring moments next to nothing.
  int64_t at(int64_t time_ns);

 private:
  static constexpr uint64_t kNotYet = UINT64_MAX;  // no slice of the lane has started

  struct LaneCursor {
    uint64_t first = 0;
    uint64_t end = 0;
    uint64_t at = kNotYet;  // the last slice that has started
  };

  const NestedSlice& slice(uint64_t id) const { return nested_.slices[id]; }
  int64_t end_of(uint64_t id) const;
  void advance(LaneCursor& lane, int64_t time_ns) const;
  int64_t innermost_nested(int64_t time_ns);
  int64_t innermost_spilled(int64_t time_ns);

  const NestedTrace& nested_;
  std::vector<LaneCursor> lanes_;     // that nest: what lies in one is inside a slice of the one before
  size_t open_ = 0;                   // the first lanes_, whose slice at the cursor contains the last moment
  std::vector<uint64_t> spilled_;     // slices of the other lanes by start, longer ones first
  size_t next_spilled_ = 0;
  std::vector<uint64_t> started_;     // spilled slices that have started and may go on, in that order
};

}  // namespace tidemark
