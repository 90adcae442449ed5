// Allocations that two captures both recorded: hostile lists and being stopped. What pairs there are, tests/native/join.test.ts compares.
#include <cmath>
#include <cstdlib>
#include <vector>

#include "check.h"
#include "query/allocation_join.h"
#include "query/batch.h"
#include "query/batch_reader.h"
#include "tests.h"

namespace tidemark_test {
namespace {

using tidemark::AllocationJoin;
using tidemark::JoinSide;
using tidemark::StopSignal;

// `count` allocations of one address, `step_ns` apart.
JoinSide uses(size_t count, double step_ns, double start_ns = 0) {
  JoinSide out;
  for (size_t i = 0; i < count; ++i) {
    const double place = static_cast<double>(i);
    out.items.push_back({4096, start_ns + place * step_ns, 512, 512, place, place});
  }
  out.first = out.items.front().time;
  out.last = out.items.back().time;
  return out;
}

// 200,000 uses of one address at one moment: 4 · 10^10 pairs would be possible.
void test_one_moment() {
  constexpr size_t kCount = 200000;
  JoinSide own = uses(kCount, 0);
  JoinSide other = uses(kCount - 1, 0);
  AllocationJoin join;
  CHECK(!join_allocations(own, other, 0, {}, join).failed());
  CHECK_EQUAL(join.pairs.size(), kCount - 1);
  CHECK_EQUAL(join.own_in_common, kCount);
  CHECK_EQUAL(join.offset, 0.0);
  CHECK_EQUAL(join.spread, 0.0);
}

void test_far_away() {
  constexpr double kFar = 9007199254740992.0;
  JoinSide own = uses(3, kFar / 4, -kFar);
  JoinSide other = uses(3, 1, kFar);
  AllocationJoin join;
  CHECK(!join_allocations(own, other, 5e17, {}, join).failed());
  CHECK_EQUAL(join.pairs.size(), 0u);
  CHECK_EQUAL(join.offset, 5e17);
  CHECK(std::isnan(join.spread));
}

// Stops at the n-th look.
bool stop_at(void* looks) { return --*static_cast<int*>(looks) < 0; }

void test_stopped() {
  int needed = 0;
  for (int looks = 0; looks < 1000; looks += 2) {
    JoinSide own = uses(80000, 40);
    JoinSide other = uses(80000, 40, 10);
    AllocationJoin join;
    int left = looks;
    const StopSignal stop{stop_at, &left};
    const tidemark::Failure failure = join_allocations(own, other, 0, stop, join);
    if (!failure.failed()) break;
    CHECK_EQUAL(failure.code, "query/cancelled");
    ++needed;
  }
  CHECK(needed > 10);  // sorting, voting, pairing: each looks several times
  CHECK(needed < 500);
}

void test_reader() {
  tidemark::BatchWriter batch(2, 0);
  batch.add_f64("first", {1.5, -2});
  batch.add_f64("second", {});
  size_t size = 0;
  uint8_t* data = batch.release(size);
  tidemark::NumberColumn column;
  CHECK(tidemark::read_numbers(data, size, "first", column));
  CHECK_EQUAL(column.size(), 2u);
  CHECK_EQUAL(column[1], -2.0);
  CHECK(tidemark::read_numbers(data, size, "second", column));
  CHECK_EQUAL(column.size(), 0u);
  CHECK(!tidemark::read_numbers(data, size, "sec", column));
  CHECK(!tidemark::read_numbers(nullptr, 0, "first", column));
  for (size_t cut = 0; cut < size; ++cut) {
    // Copied, so that a read behind the end is seen by the sanitizers.
    const std::vector<uint8_t> part(data, data + cut);
    CHECK(!tidemark::read_numbers(part.data(), part.size(), "first", column));
  }
  std::free(data);
}

}  // namespace

void test_joins() {
  test_one_moment();
  test_far_away();
  test_stopped();
  test_reader();
}

}  // namespace tidemark_test
