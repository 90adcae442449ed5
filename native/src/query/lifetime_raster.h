// The heat map of lifetimes: what the allocations in a rectangle of x and y hold, as levels of cells (native/README.md,
// Lifetimes).
#pragma once

#include "query/lifetime_levels.h"
#include "query/lifetime_scan.h"
#include "query/lifetime_sweep.h"

namespace tidemark {

enum class LifetimeMeasure { bytes, allocated, freed, area, age };

// Cells below the levels, and the bit of those with more pending than alive.
inline constexpr uint8_t kReservedCell = 1;
inline constexpr uint8_t kPendingBit = 0x40;

struct LifetimeRasterRequest {
  LifetimeView view;
  int64_t columns = 0;
  int64_t rows = 0;
  LifetimeMeasure measure = LifetimeMeasure::bytes;
  LevelScale scale = LevelScale::linear;

  size_t cells() const { return static_cast<size_t>(columns * rows); }
};

// `query/bad_argument` unless check_range(), check_cells() and check_heights() pass.
Failure check_lifetime_raster(const DeviceColumns& device, const LifetimeRasterRequest& request);

struct LifetimeRasterSummary {
  std::vector<double> column_total;  // sum over the rows in sight; of ages: their mean over the bytes alive in sight
  double max = 0;                    // value of the highest level
  uint64_t shown = 0;                // allocations in sight
  uint64_t folded = 0;               // of these less than a row high and less than a column wide
  uint64_t folded_bytes = 0;
  double mean_columns = 0;           // mean width of those shown, inside the view
};

// `{"max", "shown", "folded", "folded_bytes", "mean_columns"}`
std::string to_json(const LifetimeRasterSummary& summary);

// Working memory, kept from one call to the next as that of paint_raster is.
struct LifetimeScratch {
  std::vector<float> values;  // of the cells; negative (also −0): more pending than alive
  SweepScratch sweep[2];
};

// From how many allocations made in sight on the columns are painted as two strips at a time.
inline constexpr size_t kWorthAThread = 100000;

// Fills `cells` (request.cells() bytes, column after column, row 0 = largest y first) for a checked request; `space` is prepared
// for its axes. `query/cancelled` when stopped.
Failure paint_lifetimes(const LifetimeSpace& space, const LifetimeRasterRequest& request, const StopSignal& stop,
                        LifetimeScratch& scratch, uint8_t* cells, LifetimeRasterSummary& summary,
                        size_t worth_a_thread = kWorthAThread);

}  // namespace tidemark
