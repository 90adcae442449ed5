// The four memory curves of one device: bytes after every event.
#pragma once

#include <functional>
#include <vector>

#include "model/progress.h"
#include "replay/allocations.h"

namespace tidemark {

// allocated drops when a free is requested, active and requested when it completes; reserved follows the segments.
enum Curve { kAllocated, kActive, kReserved, kRequested, kCurveCount };
inline constexpr const char* kCurveNames[kCurveCount] = {"allocated", "active", "reserved", "requested"};

// Bytes after each of `count` events from `first_event` on. All blocks but the last hold kCurveBlock events.
struct CurveBlock {
  size_t first_event = 0;
  size_t count = 0;
  const int64_t* value[kCurveCount] = {};
};
inline constexpr size_t kCurveBlock = size_t{1} << 16;
using CurveSink = std::function<void(const CurveBlock&)>;

struct CurveSummary {
  int64_t start[kCurveCount] = {};  // bytes before the first event
  int64_t end[kCurveCount] = {};    // bytes after the last event
  int64_t peak_event = -1;          // first event of the largest allocated; −1 = before the first event
  int64_t peak_allocated = 0;
  int64_t peak_reserved = 0;
};

// Runs over `trace` with the sizes of `paired` and hands each full block to `sink`. `reserved_start`: reserved bytes before
// the first event. Stops early once `progress.cancel` is set.
CurveSummary run_curves(const DeviceTrace& trace, const PairedTrace& paired, int64_t reserved_start,
                        const CurveSink& sink, const Progress& progress);

}  // namespace tidemark
