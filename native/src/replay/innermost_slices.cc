#include "replay/innermost_slices.h"

#include <algorithm>

#include "model/stoppable_sort.h"

namespace tidemark {

InnermostSlices::InnermostSlices(const NestedTrace& nested, const Track& track, const Progress& progress) : nested_(nested) {
  for (uint32_t i = track.first_lane; i < track.first_lane + track.lane_count; ++i) {
    const Lane& lane = nested.lanes[i];
    if (!lane.is_spill) {
      lanes_.push_back({lane.first_slice, lane.first_slice + lane.slice_count, kNotYet});
      continue;
    }
    for (uint64_t id = lane.first_slice; id < lane.first_slice + lane.slice_count; ++id) spilled_.push_back(id);
  }
  const auto earlier = [&](uint64_t a, uint64_t b) {
    const NestedSlice& left = slice(a);
    const NestedSlice& right = slice(b);
    if (left.start_ns != right.start_ns) return left.start_ns < right.start_ns;
    return left.dur_ns != right.dur_ns ? left.dur_ns > right.dur_ns : a < b;
  };
  sort_until_cancelled(spilled_, earlier, progress);
}

int64_t InnermostSlices::end_of(uint64_t id) const {
  const NestedSlice& s = slice(id);
  return s.dur_ns > INT64_MAX - std::max<int64_t>(s.start_ns, 0) ? INT64_MAX : s.start_ns + s.dur_ns;
}

// Steps that double: most moments lie close to the one before, some far.
void InnermostSlices::advance(LaneCursor& lane, int64_t time_ns) const {
  const auto started = [&](uint64_t id) { return id < lane.end && slice(id).start_ns <= time_ns; };
  uint64_t next = lane.at == kNotYet ? lane.first : lane.at + 1;
  if (!started(next)) return;
  uint64_t step = 1;
  while (started(next + step)) {
    next += step;
    step *= 2;
  }
  for (; step > 0; step /= 2) {
    if (started(next + step)) next += step;
  }
  lane.at = next;
}

int64_t InnermostSlices::innermost_nested(int64_t time_ns) {
  // Where a slice ends at this moment another may start: that lane is looked at again.
  while (open_ > 0 && end_of(lanes_[open_ - 1].at) <= time_ns) --open_;
  for (; open_ < lanes_.size(); ++open_) {
    LaneCursor& lane = lanes_[open_];
    advance(lane, time_ns);
    if (lane.at == kNotYet || end_of(lane.at) < time_ns) break;
    if (open_ > 0 && slice(lane.at).start_ns < slice(lanes_[open_ - 1].at).start_ns) break;  // a child of the one that just ended
  }
  return open_ > 0 ? static_cast<int64_t>(lanes_[open_ - 1].at) : kNoSlice;
}

int64_t InnermostSlices::innermost_spilled(int64_t time_ns) {
  for (; next_spilled_ < spilled_.size() && slice(spilled_[next_spilled_]).start_ns <= time_ns; ++next_spilled_) {
    started_.push_back(spilled_[next_spilled_]);
  }
  while (!started_.empty() && end_of(started_.back()) < time_ns) started_.pop_back();
  return started_.empty() ? kNoSlice : static_cast<int64_t>(started_.back());
}

int64_t InnermostSlices::at(int64_t time_ns) {
  const int64_t nested = innermost_nested(time_ns);
  const int64_t spilled = spilled_.empty() ? kNoSlice : innermost_spilled(time_ns);
  if (nested == kNoSlice || spilled == kNoSlice) return std::max(nested, spilled);
  const NestedSlice& inner = slice(static_cast<uint64_t>(nested));
  const NestedSlice& other = slice(static_cast<uint64_t>(spilled));
  const bool later = other.start_ns != inner.start_ns ? other.start_ns > inner.start_ns : other.dur_ns <= inner.dur_ns;
  return later ? spilled : nested;
}

}  // namespace tidemark
