// Slow, obvious answers to the viewport questions, straight from native/README.md: the tests compare with these cell for cell.
#pragma once

#include <string>
#include <vector>

#include "query/timeline_raster.h"
#include "synthetic_device.h"

namespace tidemark_test {

// Plain arrays of what a device answers, without pyramid, groups or packing.
struct ReferenceDevice {
  DeviceParts parts;
  int64_t first_allocation_id = 0;
  std::vector<int64_t> curve[tidemark::kCurveCount];
  int64_t start[tidemark::kCurveCount] = {};

  ReferenceDevice(const DeviceParts& parts, const tidemark::DeviceColumns& columns);
  bool alive(size_t index, int64_t event) const;
  // Events [first, second) that column `i` covers, by looking at every event.
  std::pair<int64_t, int64_t> events_of_column(const tidemark::AxisRange& range, int64_t i) const;
  int64_t rep_event(const tidemark::AxisRange& range, int64_t i) const;
  // Color slot of an allocation in a column that shows `event`.
  int slot(tidemark::ColorBy color_by, size_t index, int64_t event) const;
};

struct ReferenceRaster {
  std::vector<uint8_t> cells;
  uint64_t shown = 0;
  uint64_t folded = 0;
  uint64_t folded_bytes = 0;
  std::vector<std::string> labels;  // every stretch, as label_text(), sorted
};

ReferenceRaster reference_raster(const ReferenceDevice& device, const tidemark::RasterRequest& request);

std::string label_text(const tidemark::Label& label);

}  // namespace tidemark_test
