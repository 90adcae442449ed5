// Where the memory of a device goes after an event: totals, groups, sizes of free blocks and requests, and the segments that a
// few blocks keep from being given back.
#pragma once

#include "query/block_layout.h"

namespace tidemark {

// Segments of one pool, stream and class.
struct SpaceGroup {
  int32_t pool = -1;    // index into the capture's pools, −1 unknown
  int32_t stream = -1;  // index into the capture's streams, −1 unknown
  bool is_small = false;
  uint64_t segments = 0;
  uint64_t expandable_segments = 0;  // of these, those that grow page by page
  SpaceTotals totals;
};

// Sizes from 2^(k/4) to below 2^((k + 1)/4) bytes, for a whole number k.
struct SizeBin {
  uint64_t from_bytes = 0;
  uint64_t to_bytes = 0;
  uint64_t count = 0;
  uint64_t bytes = 0;
};

// A segment of which at least half is free, but that cannot be given back as a whole.
struct PinnedSegment {
  uint32_t segment = 0;  // in the layout
  std::vector<uint32_t> holders;  // the largest of its active blocks, in the layout
};

struct SpaceReport {
  std::vector<SpaceGroup> groups;      // by pool, stream, class
  std::vector<SizeBin> free_sizes;     // of free blocks; empty bins are left out
  std::vector<SizeBin> request_sizes;  // rounded sizes of the allocations made from the first event up to this one
  std::vector<PinnedSegment> pins;     // most free bytes first
};

inline constexpr size_t kMostPins = 50;
inline constexpr size_t kMostHolders = 5;

// `query/cancelled` when stopped.
Failure space_report(const BlockLayout& layout, const StopSignal& stop, SpaceReport& out);

}  // namespace tidemark
