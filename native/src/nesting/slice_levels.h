// The levels of a trace's lanes (a pyramid of joined slices): what a viewport reads instead of every slice.
#pragma once

#include <vector>

#include "model/array.h"
#include "nesting/nested_trace.h"

namespace tidemark {

// Slices of one lane that a level shows as one.
struct LevelItem {
  int64_t start = 0;    // of the first
  int64_t extent = 0;   // to the end of the last
  int64_t busy = 0;     // sum of their durations
  uint32_t count = 0;
  uint32_t slice = 0;   // slice_id of the longest
  uint32_t name = kNone;  // of the longest
};

// One level of one lane: rows [first_row, first_row + row_count) of the items.
struct LevelRows {
  uint32_t lane = 0;
  uint32_t level = 0;   // k: slices shorter than 2^k ns that begin in the same 2^k ns are joined; longer ones pass
  uint64_t first_row = 0;
  uint64_t row_count = 0;
};

struct SliceLevels {
  std::vector<LevelRows> levels;  // coarsest first, then by lane
  Array<LevelItem> items;         // level after level, ascending by start
};

// A level is kept when it has at most half the items of the one kept before (at first: the slices), or an eighth fewer where that one would
// put more than two items of its lane on a pixel; down to kSmallestLevel items.
inline constexpr uint64_t kSmallestLevel = 256;

SliceLevels build_levels(const NestedTrace& nested, const Progress& progress);

}  // namespace tidemark
