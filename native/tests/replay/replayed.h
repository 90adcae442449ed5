// A replay with everything that it hands out, histories made by hand, and the comparison with the toy allocator.
#pragma once

#include <functional>

#include "replay/replay.h"
#include "toy_allocator.h"

namespace tidemark {

struct Replayed {
  DeviceReplay replay;
  std::vector<int64_t> curve[kCurveCount];
};

inline Replayed replay(const Snapshot& snapshot, const AllocatorRules& rules) {
  Replayed out;
  Progress progress;
  out.replay = replay_device(snapshot, 0, rules, [&](const CurveBlock& block) {
    for (int c = 0; c < kCurveCount; ++c) {
      if (!block.value[c]) continue;
      if (block.first_event == 0) out.curve[c].clear();
      out.curve[c].insert(out.curve[c].end(), block.value[c], block.value[c] + block.count);
    }
  }, progress);
  return out;
}

inline bool has_finding(const DeviceReplay& replay, const std::string& code) {
  for (const Finding& finding : replay.paired.findings) {
    if (finding.code == code) return true;
  }
  return false;
}

inline bool same_totals(const ToyTotals& w, bool rounded_too, const std::function<int64_t(Curve)>& at) {
  return at(kReserved) == w.reserved && at(kRequested) == w.requested &&
         (!rounded_too || (at(kAllocated) == w.allocated && at(kActive) == w.active && at(kInactiveSplit) == w.inactive_split &&
                           at(kLargestFree) == w.largest_free && at(kReturnable) == w.returnable &&
                           at(kFreeBlocks) == w.free_blocks));
}

// Events after which some curve differs from the allocator's own totals; the state before the first and the end count as well.
inline int differing_events(const Replayed& got, const std::vector<ToyTotals>& wanted, size_t dropped, bool rounded_too) {
  int differing = 0;
  for (size_t i = dropped; i < wanted.size(); ++i) {
    differing += !same_totals(wanted[i], rounded_too, [&](Curve c) { return got.curve[c].at(i - dropped); });
  }
  const CurveSummary& summary = got.replay.curves;
  const ToyTotals before = dropped > 0 ? wanted[dropped - 1] : ToyTotals{};
  differing += !same_totals(before, rounded_too, [&](Curve c) { return summary.start[c]; });
  differing += !same_totals(wanted.back(), rounded_too, [&](Curve c) { return summary.end[c]; });
  return differing;
}

inline DeviceTrace& append(Snapshot& snapshot, Action action, uint64_t address, uint64_t size) {
  DeviceTrace& trace = snapshot.traces[0];
  trace.action.push_back(static_cast<uint8_t>(action));
  trace.address.push_back(address);
  trace.size.push_back(size);
  trace.stream.push_back(0);
  trace.pool.push_back(0xFFFF);
  trace.time.push_back(kNoTime);
  trace.stack.push_back(kNone);
  trace.user_metadata.push_back(kNone);
  trace.compile_context.push_back(kNone);
  return trace;
}

inline Snapshot empty_snapshot() {
  Snapshot out;
  out.streams.push_back(0);
  out.pools.push_back({});
  out.traces.resize(1);
  return out;
}

}  // namespace tidemark
