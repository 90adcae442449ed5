// The stacked area of live allocations as cells of a raster, one color code a cell.
#pragma once

#include "query/allocation_filter.h"
#include "query/axis_columns.h"
#include "query/color_slot.h"
#include "query/label_tracker.h"
#include "query/lifetimes.h"
#include "query/live_stack.h"
#include "query/visible_allocations.h"

namespace tidemark {

// Bits of a cell beside the color slot (bits 0–5).
inline constexpr uint8_t kLighterShade = 0x40;
inline constexpr uint8_t kSeparator = 0x80;
inline constexpr uint32_t kSeparatorRows = 5;  // least height of a band that gets a separator line

struct RasterRequest {
  AxisRange range;
  int64_t rows = 0;
  double y0 = 0;  // bytes at the bottom of row 0
  double y1 = 0;  // bytes at the top of the last row
  ColorBy color_by = ColorBy::stack;
  const uint8_t* categories = nullptr;  // by allocation, for color_by category
  AllocationFilter filter = {};  // what does not pass has kLeftOutSlot

  size_t cells() const { return static_cast<size_t>(range.columns * rows); }
};

// `query/bad_argument` unless check_range(), check_cells() and check_heights() pass.
Failure check_raster(const DeviceColumns& device, const RasterRequest& request);

struct RasterSummary {
  std::vector<Label> labels;  // largest first
  uint64_t shown = 0;         // allocations alive in some column
  uint64_t folded = 0;        // of these smaller than one row
  uint64_t folded_bytes = 0;
};

// Working memory of paint_raster, at most about 45 bytes for each allocation of the device. Kept from one call to the next,
// since getting fresh pages from the system would take longer than the painting.
struct RasterScratch {
  VisibleAllocations visible;
  LiveStack stack;
  std::vector<uint8_t> shade;  // by member: slot and parity of a cell, 0 = not looked up yet
};

// Fills `cells` (request.cells() bytes, column after column, row 0 first) for a checked request. A cell shows the allocation
// that covers the center of its row; the separator is the top row of a band that ends inside the window.
Failure paint_raster(const Lifetimes& lifetimes, const RasterRequest& request, const StopSignal& stop, RasterScratch& scratch,
                        uint8_t* cells, RasterSummary& summary);

}  // namespace tidemark
