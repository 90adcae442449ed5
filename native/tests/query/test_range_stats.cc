// Statistics of a range against plain loops, and the balance they must keep.
#include <algorithm>
#include <cmath>

#include "check.h"
#include "query/range_stats.h"
#include "reference.h"
#include "tests.h"

namespace tidemark_test {
namespace {

using namespace tidemark;

double expected_mean(const ReferenceDevice& reference, int curve, size_t from, size_t to) {
  const auto& times = reference.parts.times;
  double sum = 0;
  double total = 0;
  for (size_t event = from; event < to; ++event) {
    double weight = 1;
    if (!times.empty()) weight = event + 1 < times.size() ? static_cast<double>(times[event + 1] - times[event]) : 0;
    sum += weight * static_cast<double>(reference.curve[curve][event]);
    total += weight;
  }
  if (total > 0) return sum / total;
  for (size_t event = from; event < to; ++event) sum += static_cast<double>(reference.curve[curve][event]);
  return sum / static_cast<double>(to - from);
}

void compare_curve(const ReferenceDevice& reference, const RangeStats& stats, int curve, size_t from, size_t to) {
  const auto begin = reference.curve[curve].begin();
  const auto low = std::min_element(begin + static_cast<long>(from), begin + static_cast<long>(to));
  const auto high = std::max_element(begin + static_cast<long>(from), begin + static_cast<long>(to));
  const CurveStats& found = stats.curve[curve];
  CHECK_EQUAL(found.min, *low);
  CHECK_EQUAL(found.min_event, low - begin);
  CHECK_EQUAL(found.max, *high);
  CHECK_EQUAL(found.max_event, high - begin);
  const double mean = expected_mean(reference, curve, from, to);
  CHECK(std::fabs(found.mean - mean) <= 1e-9 * std::max(1.0, std::fabs(mean)));
}

void compare(const Lifetimes& lifetimes, const ReferenceDevice& reference, size_t from, size_t to) {
  CurveIntegrals integrals;
  CHECK_EQUAL(integrate_curves(*lifetimes.columns, {}, integrals).code, "");
  RangeStats stats;
  CHECK_EQUAL(range_stats(lifetimes, integrals, static_cast<int64_t>(from), static_cast<int64_t>(to), {}, stats).code, "");
  for (int curve = 0; curve < kProgramCurveCount; ++curve) compare_curve(reference, stats, curve, from, to);
  uint64_t allocated = 0, allocated_count = 0, freed = 0, freed_count = 0, before = 0;
  for (size_t i = 0; i < reference.parts.lifetimes.size(); ++i) {
    const Lifetime& lifetime = reference.parts.lifetimes[i];
    if (lifetime.alloc_event >= static_cast<int64_t>(from) && lifetime.alloc_event < static_cast<int64_t>(to)) {
      allocated += lifetime.size;
      ++allocated_count;
    }
    if (lifetime.free_requested >= from && lifetime.free_requested < to) {
      freed += lifetime.size;
      ++freed_count;
    }
    if (reference.alive(i, static_cast<int64_t>(from) - 1)) before += lifetime.size;
  }
  CHECK_EQUAL(stats.allocated_count, allocated_count);
  CHECK_EQUAL(stats.allocated_bytes, allocated);
  CHECK_EQUAL(stats.freed_count, freed_count);
  CHECK_EQUAL(stats.freed_bytes, freed);
  CHECK_EQUAL(static_cast<int64_t>(before + allocated - freed), reference.curve[kAllocated][to - 1]);
  uint64_t in_stacks = 0;
  for (const StackTotal& total : stats.top_stacks) in_stacks += total.bytes;
  CHECK(stats.top_stacks.size() <= kRangeStacks);
  CHECK(stats.top_stacks.size() == kRangeStacks ? in_stacks <= allocated : in_stacks == allocated);
}

void check_json() {
  DeviceParts parts;
  parts.event_count = 3;
  parts.times = {100, 300, 700};
  parts.stack_slots = {7};
  parts.lifetimes = {{-1, 1, 512, -1, 0, 0}, {0, 0xFFFFFFFFu, 1024, 0, 0, 0}};
  DeviceColumns columns;
  build_device(parts, columns);
  Lifetimes lifetimes;
  CHECK_EQUAL(derive_lifetimes(columns, lifetimes).code, "");
  CurveIntegrals integrals;
  CHECK_EQUAL(integrate_curves(columns, {}, integrals).code, "");
  RangeStats stats;
  CHECK_EQUAL(range_stats(lifetimes, integrals, 0, 2, {}, stats).code, "");
  const std::string text = to_json(columns, stats);
  const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
  CHECK(has("{\"from_event\":0,\"to_event\":2,\"from_time_ns\":100,\"to_time_ns\":700,\"curves\":{\"allocated\":{"));
  // 1536 bytes stand for 200 ns, then 1024 bytes for 400 ns.
  CHECK(has("\"allocated\":{\"min\":1024,\"min_event\":1,\"mean\":1194.6666666666667,\"max\":1536,\"max_event\":0}"));
  CHECK(has("\"allocated_count\":1,\"allocated_bytes\":1024,\"freed_count\":1,\"freed_bytes\":512,\"net_bytes\":512,"));
  CHECK(has("\"net_bytes\":512,\"top_stacks\":[{\"stack_id\":0,\"slot\":7,\"count\":1,\"bytes\":1024}]}"));
  columns.has_times = false;
  CHECK(to_json(columns, stats).find("\"from_time_ns\":null,\"to_time_ns\":null") != std::string::npos);
}

}  // namespace

void test_range_stats() {
  std::mt19937 random(4242);
  for (int round = 0; round < 40; ++round) {
    const size_t events = 1 + (round % 6 == 0 ? random() % 2 : round % 5 == 0 ? 14000 : random() % 600);
    const DeviceParts parts = random_parts(random, events, random() % 300, round % 2 == 0);
    DeviceColumns columns;
    build_device(parts, columns);
    Lifetimes lifetimes;
    CHECK_EQUAL(derive_lifetimes(columns, lifetimes).code, "");
    const ReferenceDevice reference(parts, columns);
    compare(lifetimes, reference, 0, events);
    for (int range = 0; range < 10; ++range) {
      const size_t from = random() % events;
      compare(lifetimes, reference, from, from + 1 + random() % (events - from));
    }
  }
  check_json();
}

}  // namespace tidemark_test
