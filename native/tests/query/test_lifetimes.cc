// lifetime_raster against the slow reference, value for value, and its conservation laws.
#include <algorithm>
#include <cmath>
#include <limits>

#include "check.h"
#include "lifetime_device.h"
#include "query/lifetime_raster.h"
#include "tests.h"

namespace tidemark_test {
namespace {

using namespace tidemark;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr LevelScale kScales[] = {LevelScale::linear, LevelScale::sqrt, LevelScale::log};

double between(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

// x of an event by the definition.
double x_of(const DeviceParts& parts, Axis axis, int64_t event) {
  if (event < 0) return -kInfinity;
  if (event == 0xFFFFFFFFll) return kInfinity;
  if (axis == Axis::event) return static_cast<double>(event);
  return event < static_cast<int64_t>(parts.times.size()) ? static_cast<double>(parts.times[static_cast<size_t>(event)]) : kInfinity;
}

double overlap(double from, double to, double low, double high) {
  return std::max(0.0, std::min(to, high) - std::max(from, low));
}

struct ReferenceCell {
  double alive = 0;    // bytes × x
  double pending = 0;
  double age = 0;      // bytes × x × x
  double points = 0;   // bytes made or freed
  double reserved = 0; // share of the cell
  double value = 0;
};

// Every cell by looking at every allocation, straight from native/README.md. Takes y from a scan, which has its own tests.
class ReferenceLifetimes {
 public:
  ReferenceLifetimes(LifetimeDevice& device, const LifetimeRasterRequest& request)
      : device_(device), request_(request), scan_(*device.space, request.view.axes) {
    const LifetimeView& view = request.view;
    width_ = (view.x1 - view.x0) / static_cast<double>(request.columns);
    height_ = (view.y1 - view.y0) / static_cast<double>(request.rows);
    for (int64_t column = 0; column < request.columns; ++column) {
      for (int64_t row = 0; row < request.rows; ++row) cells.push_back(cell(column, row));
    }
  }

  std::vector<ReferenceCell> cells;

 private:
  ReferenceCell cell(int64_t column, int64_t row) const {
    const LifetimeView& view = request_.view;
    const double left = view.x0 + static_cast<double>(column) * width_;
    const double low = view.y1 - static_cast<double>(row + 1) * height_;
    ReferenceCell cell;
    for (size_t i = 0; i < device_.parts.lifetimes.size(); ++i) {
      const Lifetime& lifetime = device_.parts.lifetimes[i];
      if (!view.filter.passes(device_.columns, i)) continue;
      const LifetimeBar bar = scan_.bar(i);
      const double y0 = bar.y0;
      const double y1 = bar.y1;
      if (!(y1 > y0)) continue;
      const double bytes = static_cast<double>(lifetime.size) * overlap(y0, y1, low, low + height_) / (y1 - y0);
      if (bytes > 0) add(lifetime, bytes, column, left, cell);
    }
    for (const Reservation& piece : device_.parts.reservations) {
      if (!is_address_order(view.axes.order)) break;
      AddressSpace::Cursor cursor;
      const auto scale = view.axes.order == LifetimeOrder::address ? AddressScale::bytes : AddressScale::root;
      const double y0 = device_.space->addresses().y(piece.address, scale, cursor);
      const double y1 = device_.space->addresses().y(piece.address + piece.size, scale, cursor);
      const double x = overlap(x_of(device_.parts, view.axes.axis, piece.map_event), x_of(device_.parts, view.axes.axis, piece.unmap_event),
                               left, left + width_);
      cell.reserved += x / width_ * overlap(y0, y1, low, low + height_) / height_;
    }
    cell.value = value(cell, low);
    return cell;
  }

  void add(const Lifetime& lifetime, double bytes, int64_t column, double left, ReferenceCell& cell) const {
    const Axis axis = request_.view.axes.axis;
    const double start = x_of(device_.parts, axis, lifetime.alloc_event);
    const double freed = lifetime.is_pending_before ? start : std::max(start, x_of(device_.parts, axis, lifetime.free_requested));
    const double completed = std::max(freed, x_of(device_.parts, axis, lifetime.free_completed));
    const double from = std::max(start, left);
    const double to = std::min(freed, left + width_);
    const double born = std::isfinite(start) ? start : x_of(device_.parts, axis, 0);
    if (to > from) {
      cell.alive += bytes * (to - from);
      cell.age += bytes * (to - from) * ((from + to) / 2 - born);
    }
    cell.pending += bytes * overlap(freed, completed, left, left + width_);
    const double point = request_.measure == LifetimeMeasure::allocated ? start : freed;
    if (std::floor((point - request_.view.x0) / width_) == static_cast<double>(column)) cell.points += bytes;
  }

  double value(const ReferenceCell& cell, double low) const {
    const auto order = request_.view.axes.order;
    switch (request_.measure) {
      case LifetimeMeasure::allocated:
      case LifetimeMeasure::freed: return cell.points;
      case LifetimeMeasure::area: return cell.alive;
      case LifetimeMeasure::age: return cell.alive > 0 ? std::max(0.0, cell.age / cell.alive) : 0;
      case LifetimeMeasure::bytes: break;
    }
    if (!is_address_order(order)) return cell.alive / width_;
    const auto scale = order == LifetimeOrder::address ? AddressScale::bytes : AddressScale::root;
    const AddressSpace& space = device_.space->addresses();
    const double capacity = space.bytes_below(low + height_, scale) - space.bytes_below(low, scale);
    return capacity > 0 ? cell.alive / width_ / capacity : 0;
  }

  const LifetimeDevice& device_;
  const LifetimeRasterRequest& request_;
  const LifetimeScan scan_;
  double width_ = 0;
  double height_ = 0;
};

int level_of(LevelScale scale, double share) {
  double height = share;
  if (scale == LevelScale::sqrt) height = std::sqrt(share);
  if (scale == LevelScale::log) height = 1 + std::log10(share) / 6;
  return 2 + static_cast<int>(std::floor(61.999 * std::clamp(height, 0.0, 1.0)));
}

// Whether a cell shows what the reference says. Values that the two may round to different sides pass either way.
bool shows(const LifetimeRasterRequest& request, const ReferenceCell& cell, double max, double least, uint8_t shown) {
  const bool has_states = request.measure != LifetimeMeasure::allocated && request.measure != LifetimeMeasure::freed;
  const bool has_pending = (shown & kPendingBit) != 0;
  const double weight = has_states ? cell.alive + cell.pending : cell.points;
  if (weight > 0 && weight < least) return true;  // a sliver that rounding may lose or find
  if (has_states && cell.alive > 0 && cell.alive < least) return has_pending;
  if (!has_states && has_pending) return false;
  if (has_states && std::abs(cell.pending - cell.alive) > weight * 1e-9 && has_pending != (cell.pending > cell.alive)) return false;
  const int level = shown & ~kPendingBit;
  if (cell.value > 0) {
    const double share = cell.value / max;
    return level >= level_of(request.scale, share * (1 - 3e-6)) && level <= level_of(request.scale, share * (1 + 3e-6));
  }
  if (weight > 0) return has_pending ? level == kReservedCell : level <= kLeastLevel;
  const bool is_clear = std::abs(cell.reserved - 0.5) > 1e-6;
  return level == (cell.reserved > 0.5 ? 1 : 0) || (!is_clear && level <= 1);
}

LifetimeScratch& scratch() {
  static LifetimeScratch shared;
  return shared;
}

LifetimeRasterSummary paint(LifetimeDevice& device, const LifetimeRasterRequest& request, std::vector<uint8_t>& cells,
                            size_t worth_a_thread = kWorthAThread) {
  CHECK_EQUAL(check_lifetime_raster(device.columns, request).code, "");
  cells.assign(request.cells(), 0xEE);  // stale memory must be overwritten
  LifetimeRasterSummary summary;
  CHECK_EQUAL(paint_lifetimes(*device.space, request, {}, scratch(), cells.data(), summary, worth_a_thread).code, "");
  return summary;
}

// Compares one raster; answers how many cells showed something alive.
size_t compare(LifetimeDevice& device, const LifetimeRasterRequest& request, size_t worth_a_thread) {
  std::vector<uint8_t> cells;
  const LifetimeRasterSummary summary = paint(device, request, cells, worth_a_thread);
  const ReferenceLifetimes reference(device, request);
  double largest = 0;
  double heaviest = 0;
  for (const ReferenceCell& cell : reference.cells) {
    largest = std::max(largest, cell.value);
    heaviest = std::max({heaviest, cell.alive + cell.pending, cell.points});
  }
  const bool is_share = request.measure == LifetimeMeasure::bytes && is_address_order(request.view.axes.order);
  if (!is_share) CHECK(std::abs(summary.max - largest) <= largest * 1e-5);
  size_t wrong = 0;
  size_t alive = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    wrong += shows(request, reference.cells[i], is_share ? 1 : largest, heaviest * 1e-9, cells[i]) ? 0 : 1;
    alive += (cells[i] & 63) >= kLeastLevel ? 1 : 0;
  }
  CHECK_EQUAL(wrong, size_t{0});

  const double width = (request.view.x1 - request.view.x0) / static_cast<double>(request.columns);
  for (int64_t column = 0; column < request.columns; ++column) {
    ReferenceCell total;
    for (int64_t row = 0; row < request.rows; ++row) {
      const ReferenceCell& cell = reference.cells[static_cast<size_t>(column * request.rows + row)];
      total.alive += cell.alive;
      total.points += cell.points;
      total.age += cell.age;
    }
    const double shown = summary.column_total[static_cast<size_t>(column)];
    double expected = total.points;
    if (request.measure == LifetimeMeasure::bytes) expected = total.alive / width;
    if (request.measure == LifetimeMeasure::area) expected = total.alive;
    if (request.measure == LifetimeMeasure::age) continue;  // checked cell by cell
    CHECK(std::abs(shown - expected) <= std::max(1e-6 * expected, 1e-9 * heaviest / width));
  }
  return alive;
}

LifetimeRasterRequest random_request(std::mt19937& random, LifetimeDevice& device) {
  LifetimeRasterRequest request;
  LifetimeView& view = request.view;
  view.axes.axis = !device.parts.times.empty() && random() % 2 ? Axis::time : Axis::event;
  const double end = std::max(1.0, device.end(view.axes.axis));
  switch (random() % 4) {
    case 0: view.x0 = 0; view.x1 = end; break;
    case 1: view.x0 = -end / 3 - 2; view.x1 = end * 1.4 + 2; break;
    case 2: view.x0 = between(random, 0, end); view.x1 = view.x0 + between(random, 0.01, 3); break;
    default: view.x0 = between(random, -1, end); view.x1 = view.x0 + between(random, 0.5, end + 1);
  }
  view.axes.order = kOrders[random() % 5];
  const double top = std::max(1.0, device.space->places(view.axes.order).end);
  switch (random() % 4) {
    case 0: view.y0 = 0; view.y1 = top; break;
    case 1: view.y0 = -top / 5; view.y1 = top * 1.3; break;
    case 2: view.y0 = between(random, 0, top); view.y1 = view.y0 + top / 1000; break;
    default: view.y0 = between(random, 0, top); view.y1 = view.y0 + between(random, 0.01, 1) * top;
  }
  if (random() % 3 == 0) view.filter.min_bytes = 2048;
  if (random() % 6 == 0) view.filter.most_events = 6;
  if (random() % 9 == 0) view.filter.never_freed = true;
  if (random() % 6 == 0) {
    view.filter.by_stack = true;
    view.filter.stacks = {1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1};
  }
  request.columns = random() % 6 == 0 ? 1 : static_cast<int64_t>(1 + random() % 40);
  request.rows = random() % 6 == 0 ? 1 : static_cast<int64_t>(1 + random() % 30);
  request.measure = kMeasures[random() % 5];
  request.scale = kScales[random() % 3];
  return request;
}

void check_random_devices() {
  std::mt19937 random(20240608);
  size_t alive = 0;
  for (int round = 0; round < 150; ++round) {
    const size_t events = round % 10 == 0 ? random() % 3 : random() % 400;
    DeviceParts parts = random_parts(random, events, random() % 3 == 0 ? random() % 6 : random() % 150, random() % 2 == 0);
    add_places(random, parts);
    LifetimeDevice device(parts);
    for (size_t view = 0; view < 8; ++view) alive += compare(device, random_request(random, device), view % 2 ? kWorthAThread : 0);
  }
  CHECK(alive > 20000);  // else the comparison says little
}

// Enough allocations for two strips at a time, most in one cell, some through everything; on every order and both axes the total
// of a column is the mean of the allocated curve.
void check_conservation() {
  std::mt19937 random(12);
  DeviceParts parts = training_parts(random, 500000, 400);
  add_places(random, parts);
  for (Lifetime& lifetime : parts.lifetimes) {
    lifetime.address = 0x7f0000000000 + random() % 4000 * (1 << 20);
    if (lifetime.free_requested != 0xFFFFFFFFu) lifetime.free_completed = lifetime.free_requested + 1;
  }
  LifetimeDevice device(parts);
  const auto mean = [&](Axis axis, double from, double to) {
    double area = 0;
    for (size_t event = 0; event < parts.event_count; ++event) {
      const double x = x_of(parts, axis, static_cast<int64_t>(event));
      const double next = event + 1 < parts.event_count ? x_of(parts, axis, static_cast<int64_t>(event + 1)) : kInfinity;
      area += static_cast<double>(device.columns.curve[kAllocated].at(event)) * overlap(x, next, from, to);
    }
    return area / (to - from);
  };
  for (const LifetimeOrder order : kOrders) {
    for (const Axis axis : {Axis::event, Axis::time}) {
      LifetimeRasterRequest request;
      request.view = {{axis, order}, 0, device.end(axis), 0, device.space->places(order).end, {}};
      request.columns = 37;
      request.rows = 50;
      std::vector<uint8_t> cells;
      const LifetimeRasterSummary summary = paint(device, request, cells);
      CHECK_EQUAL(summary.shown, device.lifetimes.count());
      const double width = device.end(axis) / 37;
      for (const int column : {0, 1, 17, 18, 19, 36}) {
        const double expected = mean(axis, column * width, (column + 1) * width);
        CHECK(std::abs(summary.column_total[static_cast<size_t>(column)] - expected) <= expected * 1e-6);
      }
    }
  }
}

void check_counts_and_bounds() {
  DeviceParts parts;
  parts.event_count = 100;
  parts.stack_slots = {1};
  parts.lifetimes = {{0, 50, 1024, 0, 0, 0, 60, 0x1000}, {10, 11, 512, 0, 0, 0, 12, 0x2000}, {20, 90, 512, 0, 0, 0, 95, 0x3000}};
  LifetimeDevice device(parts);
  LifetimeRasterRequest good;
  good.view = {{Axis::event, LifetimeOrder::allocation}, 0, 100, 0, 8, {}};
  good.columns = 10;
  good.rows = 4;
  std::vector<uint8_t> cells;
  const LifetimeRasterSummary summary = paint(device, good, cells);
  CHECK_EQUAL(summary.shown, uint64_t{3});
  CHECK_EQUAL(summary.folded, uint64_t{1});  // half a row high; 0.2 columns wide
  CHECK_EQUAL(summary.folded_bytes, uint64_t{512});
  CHECK(std::abs(summary.mean_columns - (6 + 0.2 + 7.5) / 3) < 1e-9);
  const auto refused = [&](auto&& change) {
    LifetimeRasterRequest request = good;
    change(request);
    CHECK_EQUAL(check_lifetime_raster(device.columns, request).code, "query/bad_argument");
  };
  refused([](LifetimeRasterRequest& r) { r.columns = 0; });
  refused([](LifetimeRasterRequest& r) { r.columns = INT64_MAX; });
  refused([](LifetimeRasterRequest& r) { r.rows = 16385; });
  refused([](LifetimeRasterRequest& r) { r.columns = r.rows = 2049; });
  refused([](LifetimeRasterRequest& r) { r.view.x1 = r.view.x0; });
  refused([](LifetimeRasterRequest& r) { r.view.x0 = NAN; });
  refused([](LifetimeRasterRequest& r) { r.view.y1 = INFINITY; });
  refused([](LifetimeRasterRequest& r) { r.view.y0 = 8; });
  refused([](LifetimeRasterRequest& r) { r.view.axes.axis = Axis::time; });  // the device has no times
  // A cell whose length is 0 or subnormal, whatever is measured.
  for (const LifetimeMeasure measure : kMeasures) {
    for (const double end : {5e-324, std::numeric_limits<double>::min()}) {
      refused([&](LifetimeRasterRequest& r) { r.view.x1 = end; r.columns = 2; r.measure = measure; });
      refused([&](LifetimeRasterRequest& r) { r.view.y1 = end; r.rows = 2; r.measure = measure; });
    }
  }

  // Extreme but allowed: nothing that overflows, for every order and measure.
  for (const LifetimeOrder order : kOrders) {
    for (const LifetimeMeasure measure : kMeasures) {
      for (const double size : {1e300, 10 * std::numeric_limits<double>::min(), 1.0}) {
        LifetimeRasterRequest request = good;
        request.measure = measure;
        request.view = {{Axis::event, order}, -size, size, -size, size, {}};
        paint(device, request, cells);
      }
    }
  }
  const StopSignal stopped{[](void*) { return true; }, nullptr};
  LifetimeRasterSummary unused;
  CHECK_EQUAL(paint_lifetimes(*device.space, good, stopped, scratch(), cells.data(), unused).code, "query/cancelled");
}

// The level of every share is that of the formula; the table may only differ where float rounds the share over the edge.
void check_levels() {
  for (const LevelScale scale : kScales) {
    const LevelTable table(scale);
    size_t wrong = 0;
    for (double share = 1e-8; share < 1.2; share *= 1.0003) {
      const int level = table.level(static_cast<float>(share));
      wrong += level < level_of(scale, share * (1 - 1e-6)) || level > level_of(scale, share * (1 + 1e-6)) ? 1 : 0;
    }
    CHECK_EQUAL(wrong, size_t{0});
    CHECK_EQUAL(int{table.level(1)}, 63);
  }
}

}  // namespace

void test_lifetimes() {
  check_random_devices();
  check_conservation();
  check_counts_and_bounds();
  check_levels();
}

}  // namespace tidemark_test
