// Outline, pick and the stacks alive at an event against plain loops over every allocation.
#include <cmath>

#include "check.h"
#include "query/stack_totals.h"
#include "query/timeline_outline.h"
#include "reference.h"
#include "tests.h"

namespace tidemark_test {
namespace {

using namespace tidemark;

void compare_outline(const Lifetimes& lifetimes, const ReferenceDevice& reference, size_t index, const AxisRange& range) {
  const TimelineOutline outline = timeline_outline(lifetimes, range, index);
  for (int64_t i = 0; i < range.columns; ++i) {
    const int64_t event = reference.rep_event(range, i);
    const size_t column = static_cast<size_t>(i);
    CHECK_EQUAL(outline.rep_event[column], event);
    CHECK_EQUAL(std::isnan(outline.y0[column]), !reference.alive(index, event));
    if (!reference.alive(index, event)) continue;
    uint64_t below = 0;
    for (size_t lower = 0; lower < index; ++lower) {
      if (reference.alive(lower, event)) below += reference.parts.lifetimes[lower].size;
    }
    CHECK_EQUAL(outline.y0[column], static_cast<double>(below));
  }
}

void compare_pick(const Lifetimes& lifetimes, const ReferenceDevice& reference, int64_t event) {
  uint64_t bottom = 0;
  for (size_t i = 0; i < reference.parts.lifetimes.size(); ++i) {
    if (!reference.alive(i, event)) continue;
    const uint64_t size = reference.parts.lifetimes[i].size;
    const int64_t index = static_cast<int64_t>(i);
    if (size > 0) {
      CHECK_EQUAL(timeline_pick(lifetimes, event, static_cast<double>(bottom)), index);
      CHECK_EQUAL(timeline_pick(lifetimes, event, static_cast<double>(bottom + size) - 0.5), index);
    }
    bottom += size;
  }
  // Conservation: the stack ends where the allocated curve says.
  const int64_t allocated = event < 0 ? reference.start[kAllocated] : reference.curve[kAllocated][static_cast<size_t>(event)];
  CHECK_EQUAL(static_cast<int64_t>(bottom), allocated);
  CHECK_EQUAL(timeline_pick(lifetimes, event, static_cast<double>(bottom)), -1);
  CHECK_EQUAL(timeline_pick(lifetimes, event, -1), -1);
  CHECK_EQUAL(timeline_pick(lifetimes, event, 1e300), -1);
}

void compare_stacks(const Lifetimes& lifetimes, const ReferenceDevice& reference, int64_t event) {
  std::vector<uint64_t> bytes(reference.parts.stack_slots.size() + 1, 0);
  std::vector<uint64_t> count(bytes.size(), 0);
  size_t distinct = 0;
  for (size_t i = 0; i < reference.parts.lifetimes.size(); ++i) {
    if (!reference.alive(i, event)) continue;
    const size_t item = static_cast<size_t>(reference.parts.lifetimes[i].stack + 1);
    bytes[item] += reference.parts.lifetimes[i].size;
    distinct += count[item]++ == 0 ? 1 : 0;
  }
  const std::vector<StackTotal> all = top_stacks(lifetimes, event, 10000);
  CHECK_EQUAL(all.size(), distinct);
  for (size_t i = 0; i < all.size(); ++i) {
    const size_t item = static_cast<size_t>(all[i].stack_id + 1);
    CHECK_EQUAL(all[i].bytes, bytes[item]);
    CHECK_EQUAL(all[i].count, count[item]);
    CHECK_EQUAL(int{all[i].slot}, item == 0 ? 25 : int{reference.parts.stack_slots[item - 1]});
    CHECK(i == 0 || all[i - 1].bytes >= all[i].bytes);
  }
  const std::vector<StackTotal> few = top_stacks(lifetimes, event, 3);
  CHECK_EQUAL(few.size(), std::min<size_t>(3, distinct));
  for (size_t i = 0; i < few.size(); ++i) CHECK_EQUAL(few[i].stack_id, all[i].stack_id);
}

void check_damaged_columns() {
  std::mt19937 random(1);
  const DeviceParts parts = random_parts(random, 500, 100, true);
  const auto refused = [&](auto&& damage) {
    DeviceColumns columns;
    build_device(parts, columns);
    damage(columns);
    Lifetimes lifetimes;
    CHECK_EQUAL(derive_lifetimes(columns, lifetimes).code, "index/not_an_index");
  };
  refused([](DeviceColumns& c) { c.free_requested.pop_back(); });
  refused([](DeviceColumns& c) { c.size.pop_back(); });
  refused([](DeviceColumns& c) { c.stack = pack({1, 2}); });
  refused([](DeviceColumns& c) { c.curve[kReserved] = pack({}); });
  refused([](DeviceColumns& c) { c.time_ns = pack({0}); });
  refused([](DeviceColumns& c) { c.alloc_event.back() = 500; });
  refused([](DeviceColumns& c) { c.alloc_event.front() = -2; });
  refused([](DeviceColumns& c) { c.alloc_event[50] = -1; });
  refused([](DeviceColumns& c) { c.levels[0].rep[0] = 500; });
  refused([](DeviceColumns& c) { c.levels[0].max[kActive].resize(3); });
  refused([](DeviceColumns& c) { c.peak_event = 500; });
}

}  // namespace

void test_allocations() {
  std::mt19937 random(42);
  for (int round = 0; round < 40; ++round) {
    const size_t events = round % 8 == 0 ? random() % 2 : random() % 500;
    const DeviceParts parts = random_parts(random, events, 1 + random() % 300, round % 2 == 0);
    DeviceColumns columns;
    build_device(parts, columns);
    Lifetimes lifetimes;
    CHECK_EQUAL(derive_lifetimes(columns, lifetimes).code, "");
    const ReferenceDevice reference(parts, columns);
    for (int view = 0; view < 8; ++view) {
      const double x0 = static_cast<double>(random() % (events + 1)) - 3;
      const size_t index = random() % parts.lifetimes.size();
      compare_outline(lifetimes, reference, index, {Axis::event, x0, x0 + 1 + static_cast<double>(random() % (events + 9)), 31});
      const int64_t event = static_cast<int64_t>(random() % (events + 1)) - 1;
      compare_pick(lifetimes, reference, event);
      compare_stacks(lifetimes, reference, event);
    }
  }
  check_damaged_columns();
}

}  // namespace tidemark_test
