#include "reference.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace tidemark_test {

using tidemark::AxisRange;
using tidemark::ColorBy;
using tidemark::RasterRequest;

ReferenceDevice::ReferenceDevice(const DeviceParts& given, const tidemark::DeviceColumns& columns)
    : parts(given), first_allocation_id(columns.first_allocation_id) {
  for (int c = 0; c < tidemark::kCurveCount; ++c) {
    start[c] = columns.start[c];
    for (size_t event = 0; event < parts.event_count; ++event) curve[c].push_back(columns.curve[c].at(event));
  }
}

bool ReferenceDevice::alive(size_t index, int64_t event) const {
  const Lifetime& lifetime = parts.lifetimes[index];
  return lifetime.alloc_event <= event && event < static_cast<int64_t>(lifetime.free_requested);
}

std::pair<int64_t, int64_t> ReferenceDevice::events_of_column(const AxisRange& range, int64_t i) const {
  const double width = (range.x1 - range.x0) / static_cast<double>(range.columns);
  const double from = range.x0 + static_cast<double>(i) * width;
  const double to = range.x0 + static_cast<double>(i + 1) * width;
  int64_t before_from = 0;
  int64_t before_to = 0;
  for (size_t event = 0; event < parts.event_count; ++event) {
    const double x = static_cast<double>(range.axis == tidemark::Axis::event ? static_cast<int64_t>(event) : parts.times[event]);
    before_from += x < from ? 1 : 0;
    before_to += x < to ? 1 : 0;
  }
  return {before_from, before_to};
}

int64_t ReferenceDevice::rep_event(const AxisRange& range, int64_t i) const {
  const auto [from, to] = events_of_column(range, i);
  int64_t rep = from - 1;
  for (int64_t event = from; event < to; ++event) {
    const auto& allocated = curve[tidemark::kAllocated];
    if (event == from || allocated[static_cast<size_t>(event)] > allocated[static_cast<size_t>(rep)]) rep = event;
  }
  return rep;
}

int ReferenceDevice::slot(ColorBy color_by, size_t index, int64_t event) const {
  const Lifetime& lifetime = parts.lifetimes[index];
  switch (color_by) {
    case ColorBy::stack: return lifetime.stack < 0 ? 25 : parts.stack_slots[static_cast<size_t>(lifetime.stack)];
    case ColorBy::size: {
      if (lifetime.size == 0) return 1;
      const int power = static_cast<int>(std::floor(std::log2(static_cast<double>(lifetime.size))));
      return std::min(32, std::max(1, power - 8));
    }
    case ColorBy::stream: return static_cast<int>(1 + lifetime.stream % 24);
    case ColorBy::pool: return static_cast<int>(1 + lifetime.pool % 24);
    case ColorBy::category: return 0;  // tests/native/categories.test.ts asks for these
    case ColorBy::age: break;
  }
  if (lifetime.alloc_event < 0) return 32;
  int64_t age = event - lifetime.alloc_event;
  if (!parts.times.empty()) {
    age = (parts.times[static_cast<size_t>(event)] - parts.times[static_cast<size_t>(lifetime.alloc_event)]) / 1000;
  }
  int power = 0;
  while (power < 31 && (int64_t{2} << power) <= 1 + age) ++power;
  return 1 + power;
}

namespace {

// The allocation (or −1) of each row of one column, and the bytes below each allocation.
struct ReferenceColumn {
  std::vector<int64_t> owner;
  std::map<int64_t, uint64_t> bottom;
};

ReferenceColumn stack_column(const ReferenceDevice& device, const RasterRequest& request, int64_t event) {
  ReferenceColumn column;
  column.owner.assign(static_cast<size_t>(request.rows), -1);
  const double height = (request.y1 - request.y0) / static_cast<double>(request.rows);
  uint64_t bottom = 0;
  for (size_t i = 0; i < device.parts.lifetimes.size(); ++i) {
    if (!device.alive(i, event)) continue;
    const uint64_t top = bottom + device.parts.lifetimes[i].size;
    for (int64_t row = 0; row < request.rows; ++row) {
      const double center = request.y0 + (static_cast<double>(row) + 0.5) * height;
      if (static_cast<double>(bottom) <= center && center < static_cast<double>(top)) {
        column.owner[static_cast<size_t>(row)] = static_cast<int64_t>(i);
      }
    }
    column.bottom[static_cast<int64_t>(i)] = bottom;
    bottom = top;
  }
  return column;
}

// Calls band(row0, row1, allocation) for each run of rows with one owner.
template <class Visit>
void visit_bands(const std::vector<int64_t>& owner, Visit&& band) {
  for (size_t row = 0; row < owner.size();) {
    size_t end = row;
    while (end < owner.size() && owner[end] == owner[row]) ++end;
    if (owner[row] >= 0) band(row, end, owner[row]);
    row = end;
  }
}

void paint_column(const ReferenceDevice& device, const RasterRequest& request, int64_t event,
                  const ReferenceColumn& column, uint8_t* cells) {
  visit_bands(column.owner, [&](size_t row0, size_t row1, int64_t allocation) {
    const int slot = device.slot(request.color_by, static_cast<size_t>(allocation), event);
    for (size_t row = row0; row < row1; ++row) {
      cells[row] = static_cast<uint8_t>(slot | ((device.first_allocation_id + allocation) % 2 == 1 ? 64 : 0));
      if (row1 - row0 >= 5 && row + 1 == row1 && row1 < column.owner.size()) cells[row] |= 128;
    }
  });
}

// Stretches of columns with the same tall band, by comparing each column with its left neighbor.
std::vector<std::string> find_labels(const std::vector<ReferenceColumn>& columns) {
  using Key = std::tuple<size_t, size_t, int64_t>;
  std::vector<std::string> found;
  std::map<Key, tidemark::Label> open;
  for (size_t c = 0; c <= columns.size(); ++c) {
    std::map<Key, tidemark::Label> next;
    if (c < columns.size()) {
      visit_bands(columns[c].owner, [&](size_t row0, size_t row1, int64_t allocation) {
        if (row1 - row0 < 14) return;
        const Key key{row0, row1, allocation};
        const auto before = open.find(key);
        next[key] = before != open.end()
                        ? before->second
                        : tidemark::Label{static_cast<uint32_t>(c), 0, static_cast<uint32_t>(row0), static_cast<uint32_t>(row1),
                                          static_cast<uint32_t>(allocation), columns[c].bottom.at(allocation)};
      });
    }
    for (auto& [key, label] : open) {
      if (next.count(key)) continue;
      label.column1 = static_cast<uint32_t>(c);
      if (label.column1 - label.column0 >= 48) found.push_back(label_text(label));
    }
    open = std::move(next);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::string label_text(const tidemark::Label& label) {
  return std::to_string(label.allocation) + " columns " + std::to_string(label.column0) + "-" + std::to_string(label.column1) +
         " rows " + std::to_string(label.row0) + "-" + std::to_string(label.row1) + " from " + std::to_string(label.bottom);
}

ReferenceRaster reference_raster(const ReferenceDevice& device, const RasterRequest& request) {
  ReferenceRaster result;
  result.cells.assign(request.cells(), 0);
  std::vector<ReferenceColumn> columns;
  std::vector<bool> shown(device.parts.lifetimes.size(), false);
  for (int64_t i = 0; i < request.range.columns; ++i) {
    const int64_t event = device.rep_event(request.range, i);
    columns.push_back(stack_column(device, request, event));
    paint_column(device, request, event, columns.back(), result.cells.data() + i * request.rows);
    for (const auto& [allocation, bottom] : columns.back().bottom) shown[static_cast<size_t>(allocation)] = true;
  }
  const double height = (request.y1 - request.y0) / static_cast<double>(request.rows);
  for (size_t i = 0; i < shown.size(); ++i) {
    if (!shown[i]) continue;
    const uint64_t size = device.parts.lifetimes[i].size;
    ++result.shown;
    if (static_cast<double>(size) >= height) continue;
    ++result.folded;
    result.folded_bytes += size;
  }
  result.labels = find_labels(columns);
  return result;
}

}  // namespace tidemark_test
