// Segments as lines of cells: what lies where in memory after an event, and the blocks themselves where few are in sight.
#pragma once

#include <optional>

#include "query/allocation_filter.h"
#include "query/block_layout.h"
#include "query/color_slot.h"

namespace tidemark {

inline constexpr uint8_t kFreeCell = 1;        // memory, wholly free
inline constexpr uint8_t kMostBlockSlot = 30;  // largest color slot, bits 0–4 of a cell
inline constexpr uint8_t kLeftOutBlock = 31;   // in place of the slot of what a filter leaves out
inline constexpr int kFillShift = 5;           // bits 5–7: how full the cell is, 1 to 7
inline constexpr size_t kMostBoxes = 5000;

struct BlockRasterRequest {
  SegmentOrder order = SegmentOrder::address;
  int64_t line_bytes = 0;  // 0 = one line a segment
  double x0 = 0;           // bytes from the line's start
  double x1 = 0;
  int64_t columns = 0;
  int64_t line0 = 0;
  int64_t lines = 0;
  std::optional<ColorBy> color_by;  // none = by state
  const uint8_t* categories = nullptr;  // by allocation, for color_by category
  AllocationFilter filter;

  size_t cells() const { return static_cast<size_t>(columns * lines); }
};

// `query/bad_argument` unless 1 ≤ columns, lines ≤ 16384, columns × lines ≤ kMostCells, x1 > x0, (x1 − x0) ÷ columns a
// normal number, line0 and line_bytes ≥ 0.
Failure check_block_raster(const BlockRasterRequest& request);

// A part of a segment on a line of its own.
struct BlockLine {
  uint32_t segment = 0;  // place in the order
  uint64_t offset = 0;   // bytes from the segment's start
  uint64_t bytes = 0;
};

struct BlockBox {
  uint32_t line = 0;   // 0 = line0
  double offset = 0;   // bytes from the line's start; may begin before it
  uint64_t bytes = 0;  // of the whole block
  uint64_t requested = 0;
  uint8_t state = 0;  // 0 free, 1 allocated, 2 pending
  uint8_t slot = 0;   // 0 free
  int64_t allocation = -1;  // index in DeviceColumns
};

struct BlockRasterSummary {
  std::vector<BlockLine> lines;  // those asked for that there are
  std::vector<BlockBox> boxes;   // empty when more than kMostBoxes are in sight
  uint64_t all_lines = 0;
  uint64_t blocks = 0;   // in sight; one that goes on on the next line counts there too
  uint64_t longest = 0;  // bytes of the longest line of all
};

// Fills `cells` (request.cells() bytes, line after line) for a checked request. Coloring by age needs kTimesPart.
// `query/cancelled` when stopped.
Failure paint_blocks(const BlockLayout& layout, const BlockRasterRequest& request, const StopSignal& stop, uint8_t* cells,
                     BlockRasterSummary& summary);

}  // namespace tidemark
