#include "query/allocation_join.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "query/address_matcher.h"
#include "query/clock_offset.h"
#include "query/median.h"
#include "query/stoppable.h"

namespace tidemark {
namespace {

bool is_earlier_in_run(const JoinItem& a, const JoinItem& b) {
  if (a.address != b.address) return a.address < b.address;
  return a.time != b.time ? a.time < b.time : a.id < b.id;
}

// The offset on which half of the pairs lie on either side, and how far the middle one of them is from it.
void measure_clocks(const JoinPlaces& pairs, AllocationJoin& out) {
  out.spread = std::numeric_limits<double>::quiet_NaN();
  if (pairs.empty()) return;
  std::vector<double> differences;
  differences.reserve(pairs.size());
  for (const auto& [own, other] : pairs) differences.push_back(own->time - other->time);
  out.offset = median(differences);
  for (double& difference : differences) difference = std::fabs(difference - out.offset);
  out.spread = median(differences);
}

uint64_t count_between(const JoinSide& side, double from, double to) {
  return static_cast<uint64_t>(std::count_if(side.items.begin(), side.items.end(),
                                             [&](const JoinItem& item) { return item.time >= from && item.time <= to; }));
}

// Records of one moment differ by the time between the two: a pair at the edge may lie outside on one side.
void count_common(const JoinSide& own, const JoinSide& other, const JoinPlaces& pairs, AllocationJoin& out) {
  out.from = std::max(own.first, other.first + out.offset);
  out.to = std::min(own.last, other.last + out.offset);
  out.own_in_common = count_between(own, out.from, out.to);
  out.other_in_common = count_between(other, out.from - out.offset, out.to - out.offset);
  for (const auto& [a, b] : pairs) {
    out.own_in_common += a->time < out.from || a->time > out.to;
    out.other_in_common += b->time < out.from - out.offset || b->time > out.to - out.offset;
    out.equal_sizes += a->size == b->size;
  }
}

}  // namespace

Failure join_allocations(JoinSide& own, JoinSide& other, double offset, const StopSignal& stop, AllocationJoin& out) {
  out = {};
  Failure failure = stoppable_sort(own.items, is_earlier_in_run, stop);
  if (!failure.failed()) failure = stoppable_sort(other.items, is_earlier_in_run, stop);
  if (failure.failed()) return failure;
  Pulse pulse(stop);
  out.offset = find_clock_offset(own.items, other.items, offset, pulse);
  JoinPlaces pairs;
  AddressMatcher matcher(out.offset, pulse, pairs);
  each_common_address(own.items, other.items, pulse, [&](const JoinRun& run) { matcher.match(run); });
  if (pulse.is_stopped()) return query_cancelled();
  measure_clocks(pairs, out);
  count_common(own, other, pairs, out);
  failure = stoppable_sort(pairs, [](const auto& a, const auto& b) { return a.first->id < b.first->id; }, stop);
  if (failure.failed()) return failure;
  out.pairs.reserve(pairs.size());
  for (const auto& [a, b] : pairs) out.pairs.push_back({*a, *b});
  return {};
}

}  // namespace tidemark
