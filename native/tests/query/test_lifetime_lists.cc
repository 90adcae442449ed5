// Boxes, lists, points and places of lifetimes against scans of all allocations; the y axes; what contradicts itself.
#include <algorithm>
#include <cmath>

#include "lifetime_device.h"
#include "query/lifetime_list.h"
#include "query/lifetime_raster.h"
#include "query/timeline_outline.h"
#include "query/timeline_raster.h"
#include "tests.h"

namespace tidemark_test {
namespace {

using namespace tidemark;

double between(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

DeviceParts random_places(std::mt19937& random, bool with_times) {
  DeviceParts parts = random_parts(random, 1 + random() % 300, random() % 200, with_times);
  add_places(random, parts);
  return parts;
}

// The allocations that a view has in sight, by looking at each.
std::vector<size_t> in_sight(LifetimeDevice& device, const LifetimeView& view) {
  std::vector<size_t> found;
  const LifetimeScan scan(*device.space, view.axes);
  for (size_t i = 0; i < device.lifetimes.count(); ++i) {
    const LifetimeBar bar = scan.bar(i);
    const bool shown = bar.start < view.x1 && bar.free_completed >= view.x0 && bar.y0 < view.y1 && bar.y1 > view.y0;
    if (shown && view.filter.passes(device.columns, i)) found.push_back(i);
  }
  return found;
}

void check_bar(const LifetimeDevice& device, const LifetimeBar& bar, Axis axis) {
  const Lifetime& lifetime = device.parts.lifetimes[bar.allocation];
  const auto x = [&](int64_t event) {
    const bool is_known = event >= 0 && event < static_cast<int64_t>(device.parts.event_count);
    if (axis == Axis::time && is_known) return static_cast<double>(device.parts.times[static_cast<size_t>(event)]);
    return axis == Axis::time || event == 0xFFFFFFFFll ? INFINITY : static_cast<double>(event);
  };
  CHECK_EQUAL(bar.start, lifetime.alloc_event < 0 ? -INFINITY : x(lifetime.alloc_event));
  CHECK_EQUAL(bar.free_requested, lifetime.is_pending_before ? -INFINITY : x(lifetime.free_requested));
  CHECK_EQUAL(bar.free_completed, std::max(bar.free_requested, x(lifetime.free_completed)));
}

// Pages from the first to beyond the last, against the whole list.
void check_pages(LifetimeDevice& device, const LifetimeView& view, LifetimeSort sort, const LifetimeList& whole) {
  const size_t rows = whole.rows.size();
  for (const auto& [limit, offset] : {std::pair<size_t, size_t>{1, 0}, {7, 3}, {2, 20}, {50, rows / 2}, {5, rows}, {3, SIZE_MAX / 2}}) {
    LifetimeList page;
    CHECK_EQUAL(lifetime_list(*device.space, view, sort, limit, offset, {}, page).code, "");
    CHECK_EQUAL(page.count, whole.count);
    CHECK_EQUAL(page.bytes, whole.bytes);
    CHECK_EQUAL(page.rows.size(), std::min(limit, rows - std::min(rows, offset)));
    for (size_t i = 0; i < page.rows.size(); ++i) CHECK_EQUAL(page.rows[i].allocation, whole.rows[offset + i].allocation);
  }
}

void check_lists() {
  std::mt19937 random(5);
  size_t listed = 0;
  for (int round = 0; round < 200; ++round) {
    LifetimeDevice device(random_places(random, round % 2 == 0));
    LifetimeView view;
    view.axes.axis = round % 4 == 0 ? Axis::time : Axis::event;
    view.axes.order = kOrders[random() % 5];
    const double end = device.end(view.axes.axis);
    const double top = device.space->places(view.axes.order).end;
    view.x0 = between(random, -2, end);
    view.x1 = view.x0 + between(random, 0.1, end);
    view.y0 = between(random, -1, top);
    view.y1 = view.y0 + between(random, 0.1, top + 1);
    if (round % 3 == 0) view.filter.min_bytes = 1024;
    const std::vector<size_t> expected = in_sight(device, view);

    LifetimeBars bars;
    CHECK_EQUAL(lifetime_bars(*device.space, view, 40, {}, bars).code, "");
    CHECK_EQUAL(bars.count, expected.size());
    CHECK_EQUAL(bars.bars.size(), expected.size() <= 40 ? expected.size() : 0);
    for (size_t i = 0; i < bars.bars.size(); ++i) {
      CHECK_EQUAL(bars.bars[i].allocation, expected[i]);
      check_bar(device, bars.bars[i], view.axes.axis);
    }

    const LifetimeSort sort = round % 3 == 0 ? LifetimeSort::area : round % 3 == 1 ? LifetimeSort::size : LifetimeSort::life;
    LifetimeList list;
    CHECK_EQUAL(lifetime_list(*device.space, view, sort, 1000, 0, {}, list).code, "");
    CHECK_EQUAL(list.count, expected.size());
    CHECK_EQUAL(list.rows.size(), expected.size());
    double area = 0;
    uint64_t bytes = 0;
    uint64_t never_freed = 0;
    for (size_t i = 0; i < list.rows.size(); ++i) {
      const LifetimeList::Row& row = list.rows[i];
      const LifetimeBar bar = LifetimeScan(*device.space, view.axes).bar(row.allocation);
      const double size = static_cast<double>(device.columns.size[row.allocation]);
      CHECK_EQUAL(row.life, std::max(0.0, std::min(bar.free_requested, view.x1) - std::max(bar.start, view.x0)));
      CHECK_EQUAL(row.area, size * row.life);
      area += row.area;
      bytes += device.columns.size[row.allocation];
      never_freed += device.parts.lifetimes[row.allocation].free_requested == 0xFFFFFFFFu ? 1 : 0;
      if (i == 0) continue;
      const LifetimeList::Row& before = list.rows[i - 1];
      const double key = sort == LifetimeSort::area ? row.area : sort == LifetimeSort::size ? size : row.life;
      const double key_before = sort == LifetimeSort::area   ? before.area
                                : sort == LifetimeSort::size ? static_cast<double>(device.columns.size[before.allocation])
                                                             : before.life;
      CHECK(key_before > key || (key_before == key && before.allocation < row.allocation));
    }
    CHECK_EQUAL(list.bytes, bytes);
    CHECK_EQUAL(list.never_freed, never_freed);
    CHECK(std::abs(list.mean_bytes - area / (view.x1 - view.x0)) <= 1e-9 * list.mean_bytes);
    check_pages(device, view, sort, list);
    listed += expected.size();
  }
  CHECK(listed > 2000);
}

void check_picks() {
  std::mt19937 random(6);
  size_t found = 0;
  for (int round = 0; round < 600; ++round) {
    LifetimeDevice device(random_places(random, false));
    LifetimeView view;
    view.axes.order = kOrders[random() % 5];
    double x = between(random, -1, device.end(Axis::event));
    if (round % 2 == 0) x = std::floor(x);
    const double y = between(random, 0, device.space->places(view.axes.order).end);
    int64_t picked = 0;
    CHECK_EQUAL(lifetime_pick(*device.space, view.axes, x, y, {}, {}, picked).code, "");
    int64_t expected = -1;
    for (size_t i = 0; i < device.lifetimes.count(); ++i) {
      const LifetimeBar bar = LifetimeScan(*device.space, view.axes).bar(i);
      if (!(bar.start <= x && x < bar.free_completed && bar.y0 <= y && y < bar.y1)) continue;
      const auto larger = expected < 0 || device.columns.size[i] > device.columns.size[static_cast<size_t>(expected)];
      if (larger) expected = static_cast<int64_t>(i);
    }
    CHECK_EQUAL(picked, expected);
    found += expected >= 0 ? 1 : 0;
  }
  CHECK(found > 100);
}

Reservation piece(uint64_t address, uint64_t size, bool is_expandable, int64_t map_event = -1) {
  Reservation out;
  out.address = address;
  out.size = size;
  out.map_event = map_event;
  out.unmap_event = 0xFFFFFFFFu;
  out.is_expandable = is_expandable;
  return out;
}

AddressSpace space_of(const DeviceColumns& device) {
  AddressSpace space;
  CHECK_EQUAL(space.derive(device, {}).code, "");
  return space;
}

void check_address_space() {
  DeviceColumns device;
  // Two segments that touch, an expandable one in three pieces, one again at an address that others used, one far away.
  device.reservations = {piece(0x1000, 0x100, false), piece(0x1100, 0x400, false), piece(0x1200, 0x10, false, 5),
                         piece(0x8000, 0x10, true),   piece(0x8010, 0x10, true),   piece(0x8020, 0x10, true),
                         piece(0xF000, 0x900, false)};
  device.address = {0x1280, 0xA000};  // the second lies outside all of them
  device.size = {0x40, 0x24};
  const AddressSpace space = space_of(device);
  const std::pair<uint64_t, uint64_t> rows[] = {{0x1000, 0x100}, {0x1100, 0x100}, {0x1200, 0x300},
                                                {0x8000, 0x30},  {0xA000, 0x24},  {0xF000, 0x900}};
  CHECK_EQUAL(space.rows().size(), std::size(rows));
  double root = 0;
  uint64_t offset = 0;
  AddressSpace::Cursor cursor;
  for (size_t i = 0; i < std::min(space.rows().size(), std::size(rows)); ++i) {
    CHECK_EQUAL(space.rows()[i].address, rows[i].first);
    CHECK_EQUAL(space.rows()[i].bytes, rows[i].second);
    CHECK_EQUAL(space.y(rows[i].first, AddressScale::bytes, cursor), static_cast<double>(offset));
    CHECK(std::abs(space.y(rows[i].first + rows[i].second / 2, AddressScale::root, cursor) -
                   (root + std::sqrt(static_cast<double>(rows[i].second)) / 2)) < 1e-9);
    CHECK(std::abs(space.bytes_below(root, AddressScale::root) - static_cast<double>(offset)) < 1e-6);
    offset += rows[i].second;
    root += std::sqrt(static_cast<double>(rows[i].second));
  }
  CHECK_EQUAL(space.end(AddressScale::bytes), static_cast<double>(offset));
  CHECK(std::abs(space.end(AddressScale::root) - root) < 1e-9);

  // More rows than the limit: cuts where pieces touch go first, then neighbors are joined.
  for (const uint64_t step : {uint64_t{16}, uint64_t{32}}) {
    DeviceColumns many;
    for (uint64_t i = 0; i < 50000; ++i) many.reservations.push_back(piece(0x1000 + i * step, 16, false));
    const AddressSpace joined = space_of(many);
    CHECK(joined.rows().size() <= AddressSpace::kMostRows);
    uint64_t bytes = 0;
    for (const AddressRow& row : joined.rows()) bytes += row.bytes;
    CHECK_EQUAL(bytes, uint64_t{50000 * 16});
  }
  // A file may claim anything.
  DeviceColumns wild;
  wild.reservations = {piece(UINT64_MAX - 5, UINT64_MAX, false), piece(0, UINT64_MAX, true), piece(7, 0, false)};
  wild.address = {UINT64_MAX, 0};
  wild.size = {UINT64_MAX, UINT64_MAX};
  CHECK(space_of(wild).end(AddressScale::root) > 0);
  CHECK_EQUAL(space_of(DeviceColumns{}).end(AddressScale::bytes), 0.0);
}

void check_units() {
  DeviceParts parts;
  parts.event_count = 1000;
  for (int64_t stack = 0; stack < 70; ++stack) {
    parts.stack_slots.push_back(1);
    // Larger stack_id, longer life: rank 0 is stack 69.
    parts.lifetimes.push_back({0, static_cast<uint32_t>(1 + stack), 512, stack, 0, 0, static_cast<uint32_t>(1 + stack), 0});
  }
  parts.lifetimes[0].size = 0;
  parts.lifetimes[1].size = 1024;
  parts.lifetimes[2].size = 1024 + 512;
  LifetimeDevice device(parts);
  const LifetimePlaces& stacks = device.space->places(LifetimeOrder::stack);
  CHECK_EQUAL(stacks.end, 64.0);
  CHECK_EQUAL(stacks.rows.size(), size_t{64});
  CHECK_EQUAL(int{stacks.unit[69]}, 0);
  CHECK_EQUAL(stacks.rows[0].stack_id, int64_t{69});
  CHECK_EQUAL(int{stacks.unit[0]}, 63);
  CHECK(stacks.rows[63].is_rest);
  CHECK_EQUAL(stacks.rows[63].count, uint64_t{7});
  const LifetimePlaces& sizes = device.space->places(LifetimeOrder::size);
  CHECK_EQUAL(int{sizes.unit[0]}, 0);
  CHECK_EQUAL(int{sizes.unit[3]}, 0);
  CHECK_EQUAL(int{sizes.unit[1]}, 4);
  CHECK_EQUAL(int{sizes.unit[2]}, 6);  // 4·log2(1536) − 36 = 6.34
  CHECK_EQUAL(sizes.rows.size(), size_t{7});
  CHECK_EQUAL(sizes.rows[4].bytes, uint64_t{1024});
  CHECK_EQUAL(device.space->places(LifetimeOrder::allocation).end, 70.0);
  const std::string start = "{\"y1\":7,\"rows\":[{\"y0\":0,\"y1\":1,\"from_bytes\":512,\"count\":68},{\"y";
  CHECK_EQUAL(to_json(LifetimeOrder::size, sizes).substr(0, start.size()), start);
}

// Columns of a damaged index: whatever they say, nothing outside them is read. Run under the sanitizers this says more.
void check_contradictions() {
  std::mt19937 random(8);
  for (int round = 0; round < 60; ++round) {
    DeviceParts parts = random_places(random, true);
    for (Lifetime& lifetime : parts.lifetimes) {
      if (random() % 3 == 0) lifetime.free_completed = static_cast<uint32_t>(random());
      if (random() % 3 == 0) lifetime.address = (uint64_t{random()} << 32) | random();
    }
    for (Reservation& reservation : parts.reservations) {
      if (random() % 3 == 0) reservation.unmap_event = static_cast<uint32_t>(random());
      if (random() % 3 == 0) reservation.size = (uint64_t{random()} << 32) | random();
    }
    LifetimeDevice device(parts);
    for (size_t i = 0; i < device.columns.size.size(); i += 3) device.columns.size[i] = (uint64_t{random()} << 32) | random();
    device.derive();
    LifetimeScratch scratch;
    for (const LifetimeOrder order : kOrders) {
      for (const Axis axis : {Axis::event, Axis::time}) {
        LifetimeRasterRequest request;
        const double top = std::max(1.0, device.space->places(order).end);
        request.view = {{axis, order}, -1, device.end(axis) + 1, 0, top, {}};
        request.columns = 20;
        request.rows = 10;
        std::vector<uint8_t> cells(request.cells());
        LifetimeRasterSummary summary;
        CHECK_EQUAL(paint_lifetimes(*device.space, request, {}, scratch, cells.data(), summary).code, "");
      }
    }
  }
  LifetimeDevice device(random_places(random, false));
  DeviceColumns& columns = device.columns;
  columns.reservations.push_back(piece(1, 1, false, 1000000));
  CHECK_EQUAL(LifetimeSpace::check(columns).code, "index/not_an_index");
  columns.reservations.clear();
  columns.address.push_back(0);
  CHECK_EQUAL(LifetimeSpace::check(columns).code, "index/not_an_index");
}

// Says stop at the `looks`-th look.
struct StopAt {
  int looks = 0;
  StopSignal signal() {
    return {[](void* at) { return --static_cast<StopAt*>(at)->looks < 0; }, this};
  }
};

// Wherever a derivation is stopped, it says so, and the next one ends as if it had never been.
void check_interrupted_derivation() {
  std::mt19937 random(10);
  DeviceParts parts = random_parts(random, 300, 200000, true);
  add_places(random, parts);
  for (uint64_t i = 0; i < 150000; ++i) parts.reservations.push_back(piece(0x7f1000000000 + i * 7919 % 150000 * 4096, 4096, i % 2 == 0));
  LifetimeDevice whole(parts);
  for (const LifetimeOrder order : kOrders) {
    LifetimeSpace space(whole.lifetimes);
    int stops = 0;
    for (Failure error = query_cancelled(); error.failed(); ++stops) {
      StopAt stop{stops};
      error = space.prepare({Axis::time, order}, stop.signal());
      if (error.failed()) CHECK_EQUAL(error.code, "query/cancelled");
    }
    CHECK(stops > (is_address_order(order) ? 20 : 4));
    CHECK(space.times().free_completed == whole.space->times().free_completed);
    CHECK(space.places(order).y0 == whole.space->places(order).y0);
    CHECK(space.places(order).y1 == whole.space->places(order).y1);
    CHECK(space.places(order).unit == whole.space->places(order).unit);
    CHECK_EQUAL(to_json(order, space.places(order)), to_json(order, whole.space->places(order)));
    if (is_address_order(order)) CHECK(space.reservations_by_start() == whole.space->reservations_by_start());
  }
  const auto& by_start = whole.space->reservations_by_start();
  CHECK(std::is_sorted(by_start.begin(), by_start.end(), [&](uint32_t a, uint32_t b) {
    const auto key = [&](uint32_t i) { return std::pair<int64_t, uint32_t>(parts.reservations[i].map_event, i); };
    return key(a) < key(b);
  }));
}

// What a filter leaves out of the timeline keeps its place and has a slot of its own.
void check_timeline_filter() {
  std::mt19937 random(9);
  const DeviceParts parts = random_parts(random, 200, 150, false);
  LifetimeDevice device(parts);
  for (const ColorBy color_by : {ColorBy::size, ColorBy::age}) {
    RasterRequest request{{Axis::event, 0, 200, 50}, 80, 0, 2e6, color_by, {}};
    RasterScratch scratch;
    RasterSummary summary;
    std::vector<uint8_t> all(request.cells());
    CHECK_EQUAL(paint_raster(device.lifetimes, request, {}, scratch, all.data(), summary).code, "");
    request.filter.min_bytes = 4096;
    std::vector<uint8_t> some(request.cells());
    CHECK_EQUAL(paint_raster(device.lifetimes, request, {}, scratch, some.data(), summary).code, "");
    size_t left_out = 0;
    for (int64_t column = 0; column < 50; ++column) {
      const int64_t event = resolve_columns(device.columns, request.range).rep_event[static_cast<size_t>(column)];
      for (int64_t row = 0; row < 80; ++row) {
        const size_t cell = static_cast<size_t>(column * 80 + row);
        const int64_t index = timeline_pick(device.lifetimes, event, std::floor((static_cast<double>(row) + 0.5) * 25000));
        const bool passes = index < 0 || parts.lifetimes[static_cast<size_t>(index)].size >= 4096;
        CHECK_EQUAL(int{some[cell]}, passes ? int{all[cell]} : (all[cell] & 0xC0) | 63);
        left_out += passes ? 0 : 1;
      }
    }
    CHECK(left_out > 0);
  }
}

}  // namespace

void test_lifetime_lists() {
  check_lists();
  check_picks();
  check_address_space();
  check_units();
  check_contradictions();
  check_interrupted_derivation();
  check_timeline_filter();
}

}  // namespace tidemark_test
