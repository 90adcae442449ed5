#include "query/lifetime_list.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/json_number.h"

namespace tidemark {
namespace {

// The order of a list: largest first, ties by allocation.
struct RowOrder {
  const DeviceColumns& device;
  LifetimeSort sort;

  double key(const LifetimeList::Row& row) const {
    switch (sort) {
      case LifetimeSort::area: return row.area;
      case LifetimeSort::size: return static_cast<double>(device.size[row.allocation]);
      default: return row.life;
    }
  }
  bool operator()(const LifetimeList::Row& a, const LifetimeList::Row& b) const {
    const double key_a = key(a);
    const double key_b = key(b);
    return key_a != key_b ? key_a > key_b : a.allocation < b.allocation;
  }
};

// The rows of one page out of many that are offered: of these no more than twice the rows up to its end are held at a time.
class Page {
 public:
  Page(const DeviceColumns& device, LifetimeSort sort, size_t limit, size_t offset)
      : before_{device, sort}, offset_(std::min(offset, device.size.size())), end_(offset_ + limit) {}

  void offer(const LifetimeList::Row& row) {
    if (is_full_ && !before_(row, last_)) return;
    rows_.push_back(row);
    if (rows_.size() >= 2 * end_) drop_later();
  }

  std::vector<LifetimeList::Row> finish() {
    const size_t first = std::min(offset_, rows_.size());
    const size_t end = std::min(end_, rows_.size());
    // The pages before this one need no order of their own.
    std::nth_element(rows_.begin(), at(first), rows_.end(), before_);
    std::partial_sort(at(first), at(end), rows_.end(), before_);
    return {at(first), at(end)};
  }

 private:
  std::vector<LifetimeList::Row>::iterator at(size_t place) { return rows_.begin() + static_cast<std::ptrdiff_t>(place); }

  // What lies behind the end of the page, and with it whatever comes after the last row up to there.
  void drop_later() {
    std::nth_element(rows_.begin(), at(end_ - 1), rows_.end(), before_);
    rows_.resize(end_);
    last_ = rows_.back();
    is_full_ = true;
  }

  const RowOrder before_;
  const size_t offset_;
  const size_t end_;
  std::vector<LifetimeList::Row> rows_;
  LifetimeList::Row last_;
  bool is_full_ = false;
};

}  // namespace

Failure lifetime_bars(const LifetimeSpace& space, const LifetimeView& view, size_t limit, const StopSignal& stop, LifetimeBars& out) {
  out = {};
  const LifetimeScan scan(space, view.axes);
  const Failure error = scan.visit(view, stop, [&](const LifetimeBar& bar) {
    if (++out.count <= limit) out.bars.push_back(bar);
  });
  if (out.count > limit) out.bars.clear();
  return error;
}

Failure lifetime_list(const LifetimeSpace& space, const LifetimeView& view, LifetimeSort sort, size_t limit, size_t offset,
                      const StopSignal& stop, LifetimeList& out) {
  out = {};
  const DeviceColumns& device = space.device();
  const LifetimeScan scan(space, view.axes);
  Page page(device, sort, limit, offset);
  double area = 0;
  const Failure error = scan.visit(view, stop, [&](const LifetimeBar& bar) {
    const uint64_t bytes = device.size[bar.allocation];
    const double life = std::max(std::min(bar.free_requested, view.x1) - std::max(bar.start, view.x0), 0.0);
    const LifetimeList::Row row{bar.allocation, static_cast<double>(bytes) * life, life};
    page.offer(row);
    ++out.count;
    area += row.area;
    out.bytes += bytes;
    const int64_t freed = device.free_requested[bar.allocation];
    out.never_freed += freed == kNever ? 1 : 0;
    out.temporary += AllocationFilter::is_temporary(device.alloc_event[bar.allocation], freed, kTemporaryEvents) ? 1 : 0;
  });
  if (error.failed()) return error;
  out.mean_bytes = area / (view.x1 - view.x0);
  out.rows = page.finish();
  return {};
}

Failure lifetime_pick(const LifetimeSpace& space, const LifetimeAxes& axes, double x, double y, const AllocationFilter& filter,
                      const StopSignal& stop, int64_t& allocation) {
  allocation = -1;
  const auto next = [](double value) { return std::nextafter(value, std::numeric_limits<double>::max()); };
  const LifetimeView view{axes, x, next(x), y, next(y), filter};
  const DeviceColumns& device = space.device();
  const LifetimeScan scan(space, view.axes);
  return scan.visit(view, stop, [&](const LifetimeBar& bar) {
    if (!(bar.start <= x && x < bar.free_completed && bar.y0 <= y && y < bar.y1)) return;
    if (allocation >= 0 && device.size[bar.allocation] <= device.size[static_cast<size_t>(allocation)]) return;
    allocation = static_cast<int64_t>(bar.allocation);
  });
}

std::string to_json(const DeviceColumns& device, const LifetimeList& list) {
  std::string text = "{\"count\":" + std::to_string(list.count) + ",\"bytes\":" + std::to_string(list.bytes) +
                     ",\"mean_bytes\":" + json_number(list.mean_bytes) + ",\"temporary\":" + std::to_string(list.temporary) +
                     ",\"never_freed\":" + std::to_string(list.never_freed) + ",\"rows\":[";
  for (const LifetimeList::Row& row : list.rows) {
    if (text.back() == '}') text += ",";
    text += "{\"allocation_id\":" + std::to_string(device.first_allocation_id + static_cast<int64_t>(row.allocation)) +
            ",\"area\":" + json_number(row.area) + ",\"life\":" + json_number(row.life) + "}";
  }
  return text + "]}";
}

std::string to_json(const LifetimeBar& bar) {
  return "{\"start\":" + json_number(bar.start) + ",\"free_requested\":" + json_number(bar.free_requested) +
         ",\"free_completed\":" + json_number(bar.free_completed) + ",\"y0\":" + json_number(bar.y0) +
         ",\"y1\":" + json_number(bar.y1) + "}";
}

}  // namespace tidemark
