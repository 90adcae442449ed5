// Columns, curves and the pyramid walk against plain loops over every event.
#include <algorithm>
#include <cmath>

#include "check.h"
#include "query/event_range.h"
#include "query/timeline_curves.h"
#include "reference.h"
#include "tests.h"

namespace tidemark_test {
namespace {

using namespace tidemark;

void compare_columns(const DeviceColumns& columns, const ReferenceDevice& reference, const AxisRange& range) {
  TimelineCurves curves;
  CHECK_EQUAL(check_range(columns, range).code, "");
  CHECK_EQUAL(timeline_curves(columns, range, {}, curves).code, "");
  const AxisColumns axis = resolve_columns(columns, range);
  for (int64_t i = 0; i < range.columns; ++i) {
    const size_t column = static_cast<size_t>(i);
    const auto [from, to] = reference.events_of_column(range, i);
    const int64_t rep = reference.rep_event(range, i);
    CHECK_EQUAL(axis.rep_event[column], rep);
    CHECK_EQUAL(curves.axis.rep_event[column], rep);
    CHECK_EQUAL(curves.axis.edge[column], from);
    CHECK_EQUAL(curves.axis.edge[column + 1], to);
    const bool has_time = rep >= 0 && !reference.parts.times.empty();
    CHECK_EQUAL(std::isnan(curves.rep_time_ns[column]), !has_time);
    if (has_time) CHECK_EQUAL(curves.rep_time_ns[column], static_cast<double>(reference.parts.times[static_cast<size_t>(rep)]));
    for (int curve = 0; curve < kProgramCurveCount; ++curve) {
      const auto value = [&](int64_t event) {
        return event < 0 ? reference.start[curve] : reference.curve[curve][static_cast<size_t>(event)];
      };
      int64_t low = value(from - 1);
      int64_t high = low;
      for (int64_t event = from; event < to; ++event) {
        low = std::min(low, value(event));
        high = std::max(high, value(event));
      }
      CHECK_EQUAL(curves.min[curve][column], static_cast<double>(low));
      CHECK_EQUAL(curves.max[curve][column], static_cast<double>(high));
      CHECK_EQUAL(curves.rep[curve][column], static_cast<double>(value(rep)));
    }
  }
}

void check_columns() {
  std::mt19937 random(99);
  for (int round = 0; round < 60; ++round) {
    const size_t events = round % 12 == 0 ? random() % 2 : round % 5 == 0 ? 4096 * 2 + random() % 500 : random() % 700;
    const DeviceParts parts = random_parts(random, events, 80, true);
    DeviceColumns columns;
    build_device(parts, columns);
    columns.has_times = true;
    const ReferenceDevice reference(parts, columns);
    const double end = static_cast<double>(events);
    const double last = parts.times.empty() ? 1.0 : static_cast<double>(parts.times.back());
    compare_columns(columns, reference, {Axis::event, 0, end + 1, 1});
    compare_columns(columns, reference, {Axis::event, -5, end + 7, 23});
    compare_columns(columns, reference, {Axis::event, end / 3, end / 3 + 2.5, 17});
    compare_columns(columns, reference, {Axis::time, -10, last + 10, 29});
    compare_columns(columns, reference, {Axis::time, last / 2, last / 2 + 300, 13});
  }
}

void check_event_ranges() {
  std::mt19937 random(5);
  const DeviceParts parts = random_parts(random, 9000, 500, false);
  DeviceColumns columns;
  build_device(parts, columns);
  const ReferenceDevice reference(parts, columns);
  for (int round = 0; round < 400; ++round) {
    const size_t from = random() % 9000;
    const size_t to = from + 1 + random() % (9000 - from);
    const int index = static_cast<int>(random() % kCurveCount);
    const auto begin = reference.curve[index].begin();
    const auto low = std::min_element(begin + static_cast<long>(from), begin + static_cast<long>(to));
    const auto high = std::max_element(begin + static_cast<long>(from), begin + static_cast<long>(to));
    const Curve curve = static_cast<Curve>(index);
    const CurveExtremes extremes = curve_extremes(columns, curve, from, to);
    CHECK_EQUAL(extremes.min, *low);
    CHECK_EQUAL(extremes.max, *high);
    CHECK_EQUAL(first_event_at_minimum(columns, curve, *low, from, to), low - begin);
    CHECK_EQUAL(first_event_at_maximum(columns, curve, *high, from, to), high - begin);
  }
  CHECK_EQUAL(largest_allocated_event(columns, 17, 17), kBefore);
}

void check_event_at_time() {
  DeviceColumns columns;
  columns.event_count = 5;
  columns.has_times = true;
  columns.time_ns = pack({10, 20, 20, 20, 35});
  CHECK_EQUAL(event_at_time(columns, 9), -1);
  CHECK_EQUAL(event_at_time(columns, 10), 0);
  CHECK_EQUAL(event_at_time(columns, 19), 0);
  CHECK_EQUAL(event_at_time(columns, 20), 3);
  CHECK_EQUAL(event_at_time(columns, INT64_MAX), 4);
  CHECK_EQUAL(event_at_time(DeviceColumns{}, 0), -1);
}

}  // namespace

void test_curves() {
  check_columns();
  check_event_ranges();
  check_event_at_time();
}

}  // namespace tidemark_test
