// The memory curves of one device: bytes after every event.
#pragma once

#include <functional>
#include <vector>

#include "model/progress.h"
#include "replay/allocations.h"

namespace tidemark {

// allocated drops when a free is requested, active and requested when it completes; reserved follows the segments. The others
// tell of free blocks (native/README.md, Space): kFreeBlocks is their number, all else is bytes.
enum Curve {
  kAllocated,
  kActive,
  kReserved,
  kRequested,
  kInactiveSplit,
  kLargestFree,
  kReturnable,
  kFreeBlocks,
  kCurveCount
};
inline constexpr int kProgramCurveCount = 4;  // the curves before kInactiveSplit: they need no layout of the blocks
inline constexpr const char* kCurveNames[kCurveCount] = {"allocated",      "active",       "reserved",   "requested",
                                                         "inactive_split", "largest_free", "returnable", "free_blocks"};

// Values after each of `count` events from `first_event` on, of the program's curves or of the others; nullptr for the rest.
// All blocks but the last hold kCurveBlock events. One that begins at event 0 makes those of its curves before it void.
struct CurveBlock {
  size_t first_event = 0;
  size_t count = 0;
  const int64_t* value[kCurveCount] = {};
};
inline constexpr size_t kCurveBlock = size_t{1} << 16;
using CurveSink = std::function<void(const CurveBlock&)>;

struct CurveSummary {
  int64_t start[kCurveCount] = {};  // before the first event
  int64_t end[kCurveCount] = {};    // after the last event
  int64_t peak_event = -1;          // first event of the largest allocated; −1 = before the first event
  int64_t peak_allocated = 0;
  int64_t peak_reserved = 0;
};

// Reserved bytes before the first event and after each; where `after` is empty, the segment events tell them.
struct ReservedCurve {
  int64_t start = 0;
  std::vector<int64_t> after;
};

// Runs over `trace` with the sizes of `paired`, hands each full block of the program's curves to `sink` and fills their part of
// `summary`. Of what was asked for, no more counts than the block has. Stops early once `progress.cancel` is set.
void run_curves(const DeviceTrace& trace, const PairedTrace& paired, const ReservedCurve& reserved, const CurveSink& sink,
                const Progress& progress, CurveSummary& summary);

}  // namespace tidemark
