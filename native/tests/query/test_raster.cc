// timeline_raster against the slow reference, cell for cell, and its conservation law.
#include <cmath>

#include "check.h"
#include "query/timeline_curves.h"
#include "reference.h"
#include "tests.h"

namespace tidemark_test {
namespace {

using namespace tidemark;

constexpr ColorBy kColorings[] = {ColorBy::stack, ColorBy::size, ColorBy::age, ColorBy::stream, ColorBy::pool};

// One for all views, as a connection has it: nothing of an earlier view may show.
RasterScratch& scratch() {
  static RasterScratch shared;
  return shared;
}

double between(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

double peak_of(const DeviceColumns& columns) {
  return static_cast<double>(columns.curve[kAllocated].at(static_cast<size_t>(columns.peak_event)));
}

AxisRange random_range(std::mt19937& random, const DeviceParts& parts) {
  AxisRange range;
  range.axis = !parts.times.empty() && random() % 2 ? Axis::time : Axis::event;
  const double end = range.axis == Axis::event ? static_cast<double>(parts.event_count)
                                               : parts.times.empty() ? 1 : static_cast<double>(parts.times.back());
  range.columns = random() % 6 == 0 ? 1 : static_cast<int64_t>(1 + random() % 150);
  switch (random() % 4) {
    case 0: range.x0 = 0; range.x1 = std::max(1.0, end); break;
    case 1: range.x0 = -end / 3 - 2; range.x1 = end * 1.4 + 2; break;
    case 2: range.x0 = between(random, 0, end); range.x1 = range.x0 + between(random, 0.01, 3); break;
    default: range.x0 = between(random, -1, end); range.x1 = range.x0 + between(random, 0.5, end + 1);
  }
  return range;
}

RasterRequest random_request(std::mt19937& random, const DeviceParts& parts, double highest) {
  RasterRequest request;
  request.range = random_range(random, parts);
  request.rows = random() % 6 == 0 ? 1 : static_cast<int64_t>(1 + random() % 120);
  highest = std::max(1.0, highest);
  switch (random() % 4) {
    case 0: request.y0 = 0; request.y1 = highest; break;
    case 1: request.y0 = between(random, 0, highest); request.y1 = request.y0 + between(random, 1, highest); break;
    case 2: request.y0 = -highest / 5; request.y1 = highest * 1.5; break;
    default: request.y0 = 0; request.y1 = std::floor(highest / 512 + 1) * 512;  // centers on band edges
  }
  request.color_by = kColorings[random() % 5];
  return request;
}

size_t differing_cells(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) {
  size_t count = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) count += a[i] != b[i] ? 1 : 0;
  return count;
}

void compare(const Lifetimes& lifetimes, const ReferenceDevice& reference, const RasterRequest& request) {
  CHECK_EQUAL(check_raster(*lifetimes.columns, request).code, "");
  std::vector<uint8_t> cells(request.cells(), 0xEE);  // stale memory must be overwritten
  RasterSummary summary;
  CHECK_EQUAL(paint_raster(lifetimes, request, {}, scratch(), cells.data(), summary).code, "");
  const ReferenceRaster expected = reference_raster(reference, request);
  CHECK_EQUAL(differing_cells(cells, expected.cells), size_t{0});
  CHECK_EQUAL(summary.shown, expected.shown);
  CHECK_EQUAL(summary.folded, expected.folded);
  CHECK_EQUAL(summary.folded_bytes, expected.folded_bytes);
  CHECK_EQUAL(summary.labels.size(), std::min(expected.labels.size(), kMostLabels));
  for (size_t i = 0; i < summary.labels.size(); ++i) {
    CHECK(std::binary_search(expected.labels.begin(), expected.labels.end(), label_text(summary.labels[i])));
    CHECK(i == 0 || summary.labels[i - 1].cells() >= summary.labels[i].cells());
  }
}

void check_random_devices() {
  std::mt19937 random(20240607);
  size_t labels = 0;
  for (int round = 0; round < 300; ++round) {
    const size_t events = round % 10 == 0 ? random() % 3 : round % 7 == 0 ? 4000 + random() % 3000 : random() % 400;
    const size_t allocations = random() % 3 == 0 ? random() % 6 : random() % 250;
    const DeviceParts parts = random_parts(random, events, allocations, random() % 2 == 0);
    DeviceColumns columns;
    build_device(parts, columns);
    columns.first_allocation_id = static_cast<int64_t>(random() % 2);
    Lifetimes lifetimes;
    CHECK_EQUAL(derive_lifetimes(columns, lifetimes).code, "");
    const ReferenceDevice reference(parts, columns);
    double highest = static_cast<double>(columns.start[kAllocated]);
    if (events > 0) highest = std::max(highest, peak_of(columns));
    for (int view = 0; view < 6; ++view) {
      const RasterRequest request = random_request(random, parts, highest);
      compare(lifetimes, reference, request);
      labels += reference_raster(reference, request).labels.size();
    }
  }
  CHECK(labels > 100);  // else the comparison of labels says nothing
}

// Deep stacks with changes everywhere: the sum tree's upper levels, its compaction and the copied rows.
void check_deep_stack() {
  std::mt19937 random(7);
  DeviceParts parts = many_live_parts(random, 3000, 9000);
  DeviceColumns columns;
  build_device(parts, columns);
  Lifetimes lifetimes;
  CHECK_EQUAL(derive_lifetimes(columns, lifetimes).code, "");
  const ReferenceDevice reference(parts, columns);
  for (const ColorBy color_by : kColorings) {
    compare(lifetimes, reference, {{Axis::event, -3, 3000, 40}, 97, 0, 9000 * 512.0, color_by});
    compare(lifetimes, reference, {{Axis::event, 1000, 1040, 60}, 33, 8000 * 512.0, 8100 * 512.0, color_by});
  }
  // More than one root of the tree.
  parts = many_live_parts(random, 600, 70000);
  DeviceColumns wide;
  build_device(parts, wide);
  CHECK_EQUAL(derive_lifetimes(wide, lifetimes).code, "");
  compare(lifetimes, ReferenceDevice(parts, wide), {{Axis::event, 0, 600, 4}, 23, 0, 70000 * 512.0, ColorBy::stack});

  parts = training_parts(random, 60000, 200);
  DeviceColumns training;
  build_device(parts, training);
  CHECK_EQUAL(derive_lifetimes(training, lifetimes).code, "");
  const ReferenceDevice training_reference(parts, training);
  const double peak = peak_of(training);
  for (const ColorBy color_by : kColorings) {
    compare(lifetimes, training_reference, {{Axis::event, 0, 60000, 80}, 60, 0, peak, color_by});
  }
}

// The filled height of every column is the allocated curve at its rep event.
void check_conservation() {
  std::mt19937 random(11);
  DeviceColumns columns;
  build_device(training_parts(random, 200000, 300), columns);
  Lifetimes lifetimes;
  CHECK_EQUAL(derive_lifetimes(columns, lifetimes).code, "");
  const double peak = peak_of(columns);
  for (const double x1 : {200000.0, 5000.0, 90.0}) {
    const RasterRequest request{{Axis::event, -20, x1, 700}, 400, 0, peak * 1.1, ColorBy::age};
    std::vector<uint8_t> cells(request.cells());
    RasterSummary summary;
    CHECK_EQUAL(paint_raster(lifetimes, request, {}, scratch(), cells.data(), summary).code, "");
    TimelineCurves curves;
    CHECK_EQUAL(timeline_curves(columns, request.range, {}, curves).code, "");
    for (size_t column = 0; column < 700; ++column) {
      size_t filled = 0;
      size_t expected = 0;
      for (size_t row = 0; row < 400; ++row) {
        filled += cells[column * 400 + row] != 0 ? 1 : 0;
        expected += (static_cast<double>(row) + 0.5) * (request.y1 / 400) < curves.rep[kAllocated][column] ? 1 : 0;
      }
      CHECK_EQUAL(filled, expected);
    }
  }
}

void check_bounds() {
  DeviceColumns columns;
  std::mt19937 random(3);
  build_device(random_parts(random, 50, 20, false), columns);
  const RasterRequest good{{Axis::event, 0, 50, 10}, 10, 0, 100, ColorBy::stack};
  CHECK_EQUAL(check_raster(columns, good).code, "");
  const auto refused = [&](auto&& change) {
    RasterRequest request = good;
    change(request);
    CHECK_EQUAL(check_raster(columns, request).code, "query/bad_argument");
  };
  refused([](RasterRequest& r) { r.range.columns = 0; });
  refused([](RasterRequest& r) { r.range.columns = 16385; });
  refused([](RasterRequest& r) { r.range.columns = INT64_MAX; });
  refused([](RasterRequest& r) { r.rows = 0; });
  refused([](RasterRequest& r) { r.rows = 16385; });
  refused([](RasterRequest& r) { r.rows = INT64_MIN; });
  refused([](RasterRequest& r) { r.range.columns = r.rows = 2049; });
  refused([](RasterRequest& r) { r.range.x1 = r.range.x0; });
  refused([](RasterRequest& r) { r.range.x1 = NAN; });
  refused([](RasterRequest& r) { r.range.x0 = -INFINITY; });
  refused([](RasterRequest& r) { r.range.x0 = -1.7e308; r.range.x1 = 1.7e308; });
  refused([](RasterRequest& r) { r.y1 = r.y0; });
  refused([](RasterRequest& r) { r.y1 = INFINITY; });
  refused([](RasterRequest& r) { r.range.x1 = 5e-324; });  // a column of no width
  refused([](RasterRequest& r) { r.y1 = 5e-324; });
  refused([](RasterRequest& r) { r.range.axis = Axis::time; });  // the device has no times

  // Extreme but allowed: nothing to show, and nothing that overflows.
  Lifetimes lifetimes;
  CHECK_EQUAL(derive_lifetimes(columns, lifetimes).code, "");
  for (const RasterRequest& request : {RasterRequest{{Axis::event, -1e300, 1e300, 7}, 9, -1e300, 1e300, ColorBy::age},
                                       RasterRequest{{Axis::event, 0, 5e-324, 7}, 9, 0, 5e-324, ColorBy::size},
                                       RasterRequest{{Axis::event, 1e300, 2e300, 7}, 9, 1e300, 2e300, ColorBy::pool}}) {
    std::vector<uint8_t> cells(request.cells());
    RasterSummary summary;
    CHECK_EQUAL(paint_raster(lifetimes, request, {}, scratch(), cells.data(), summary).code, "");
  }
  const StopSignal stopped{[](void*) { return true; }, nullptr};
  std::vector<uint8_t> cells(good.cells());
  RasterSummary summary;
  CHECK_EQUAL(paint_raster(lifetimes, good, stopped, scratch(), cells.data(), summary).code, "query/cancelled");
}

}  // namespace

void test_raster() {
  check_random_devices();
  check_deep_stack();
  check_conservation();
  check_bounds();
}

}  // namespace tidemark_test
