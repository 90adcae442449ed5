// Single slices of a trace: at a time, the next one of a name, and what a slice is linked to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "query/trace_index.h"
#include "query/trace_sight.h"

namespace tidemark {

inline constexpr int64_t kNoSliceFound = -1;

// The slice of a lane at a time, else the nearest whose start or end is at most `tolerance` away (of two equally near the earlier), else
// kNoSliceFound.
int64_t pick_slice(TraceReader& reader, const TraceLane& lane, double time, double tolerance);

// The innermost slice of a track at a time, both ends included; with `kind`, of those of the category of this name.
int64_t innermost_slice_at(TraceReader& reader, const TraceIndex& index, const TraceTrack& track, double time, const std::string& kind,
                           const StopSignal& stop);

}  // namespace tidemark
