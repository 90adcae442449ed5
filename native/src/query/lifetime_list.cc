#include "query/lifetime_list.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tidemark {
namespace {

std::string number(double value) {
  if (!std::isfinite(value)) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

double key_of(const DeviceColumns& device, LifetimeSort sort, const LifetimeList::Row& row) {
  switch (sort) {
    case LifetimeSort::area: return row.area;
    case LifetimeSort::size: return static_cast<double>(device.size[row.allocation]);
    default: return row.life;
  }
}

// Orders the first `offset + limit` rows and keeps those from `offset` on.
void keep_page(const DeviceColumns& device, LifetimeSort sort, size_t limit, size_t offset, std::vector<LifetimeList::Row>& rows) {
  const auto before = [&](const LifetimeList::Row& a, const LifetimeList::Row& b) {
    const double key_a = key_of(device, sort, a);
    const double key_b = key_of(device, sort, b);
    return key_a != key_b ? key_a > key_b : a.allocation < b.allocation;
  };
  offset = std::min(offset, rows.size());
  const size_t end = offset + std::min(limit, rows.size() - offset);
  const auto at = [&](size_t place) { return rows.begin() + static_cast<std::ptrdiff_t>(place); };
  // The pages before this one need no order of their own.
  std::nth_element(rows.begin(), at(offset), rows.end(), before);
  std::partial_sort(at(offset), at(end), rows.end(), before);
  rows.erase(at(end), rows.end());
  rows.erase(rows.begin(), at(offset));
}

}  // namespace

Failure lifetime_bars(LifetimeSpace& space, const LifetimeView& view, size_t limit, const StopSignal& stop, LifetimeBars& out) {
  out = {};
  const LifetimeScan scan(space, view);
  const Failure error = scan.visit(view.x0, view.x1, stop, [&](const LifetimeBar& bar) {
    if (++out.count <= limit) out.bars.push_back(bar);
  });
  if (out.count > limit) out.bars.clear();
  return error;
}

Failure lifetime_list(LifetimeSpace& space, const LifetimeView& view, LifetimeSort sort, size_t limit, size_t offset,
                      const StopSignal& stop, LifetimeList& out) {
  out = {};
  const DeviceColumns& device = space.device();
  const LifetimeScan scan(space, view);
  double area = 0;
  const Failure error = scan.visit(view.x0, view.x1, stop, [&](const LifetimeBar& bar) {
    const uint64_t bytes = device.size[bar.allocation];
    const double life = std::max(std::min(bar.freed, view.x1) - std::max(bar.start, view.x0), 0.0);
    out.rows.push_back({bar.allocation, static_cast<double>(bytes) * life, life});
    area += out.rows.back().area;
    out.bytes += bytes;
    const int64_t freed = device.free_requested[bar.allocation];
    out.never_freed += freed == kNever ? 1 : 0;
    out.temporary += AllocationFilter::is_temporary(device.alloc_event[bar.allocation], freed, kTemporaryEvents) ? 1 : 0;
  });
  if (error.failed()) return error;
  out.count = out.rows.size();
  out.mean_bytes = area / (view.x1 - view.x0);
  keep_page(device, sort, limit, offset, out.rows);
  return {};
}

Failure lifetime_pick(LifetimeSpace& space, LifetimeView view, double x, double y, const StopSignal& stop, int64_t& allocation) {
  allocation = -1;
  // The smallest rectangle from the point on.
  view.x0 = x;
  view.x1 = std::nextafter(x, std::numeric_limits<double>::max());
  view.y0 = y;
  view.y1 = std::nextafter(y, std::numeric_limits<double>::max());
  const DeviceColumns& device = space.device();
  const LifetimeScan scan(space, view);
  return scan.visit(view.x0, view.x1, stop, [&](const LifetimeBar& bar) {
    if (!(bar.start <= x && x < bar.completed && bar.y0 <= y && y < bar.y1)) return;
    if (allocation >= 0 && device.size[bar.allocation] <= device.size[static_cast<size_t>(allocation)]) return;
    allocation = static_cast<int64_t>(bar.allocation);
  });
}

std::string to_json(const DeviceColumns& device, const LifetimeList& list) {
  std::string text = "{\"count\":" + std::to_string(list.count) + ",\"bytes\":" + std::to_string(list.bytes) +
                     ",\"mean_bytes\":" + number(list.mean_bytes) + ",\"temporary\":" + std::to_string(list.temporary) +
                     ",\"never_freed\":" + std::to_string(list.never_freed) + ",\"rows\":[";
  for (const LifetimeList::Row& row : list.rows) {
    if (text.back() == '}') text += ",";
    text += "{\"allocation_id\":" + std::to_string(device.first_allocation_id + static_cast<int64_t>(row.allocation)) +
            ",\"area\":" + number(row.area) + ",\"life\":" + number(row.life) + "}";
  }
  return text + "]}";
}

std::string to_json(const LifetimeBar& bar) {
  return "{\"start\":" + number(bar.start) + ",\"free_requested\":" + number(bar.freed) +
         ",\"free_completed\":" + number(bar.completed) + ",\"y0\":" + number(bar.y0) + ",\"y1\":" + number(bar.y1) + "}";
}

}  // namespace tidemark
