// Random slices against a slow reference: nothing lost, no overlap in a lane, the parent is the last container in order.
#include <algorithm>
#include <random>

#include "check.h"
#include "nesting/slice_levels.h"
#include "trace_maker.h"

using namespace tidemark;

namespace {

struct Plain {
  int64_t start, dur;
  uint64_t offset;
  int64_t end() const { return start + dur; }
};

bool is_before(const Plain& a, const Plain& b) {
  if (a.start != b.start) return a.start < b.start;
  return a.dur != b.dur ? a.dur > b.dur : a.offset < b.offset;
}

// By looking at every slice before it.
int64_t offset_of_parent(const std::vector<Plain>& sorted, size_t at) {
  for (size_t i = at; i-- > 0;) {
    if (sorted[i].end() > sorted[at].start && sorted[i].end() >= sorted[at].end()) return static_cast<int64_t>(sorted[i].offset);
  }
  return -1;
}

// Long runs of ascending starts and short ones, deep nesting and none: the shapes that the sort and the lanes tell apart.
std::vector<Plain> random_slices(std::mt19937_64& random, size_t count) {
  std::vector<Plain> out;
  const auto below = [&](int64_t limit) { return static_cast<int64_t>(random() % static_cast<uint64_t>(limit)); };
  const int64_t range = 1 + below(static_cast<int64_t>(count) * 4);
  const int64_t longest = 1 + below(60);
  int64_t time = 0;
  const bool ascending = below(2) == 0;
  for (size_t i = 0; i < count; ++i) {
    time = ascending && below(300) ? time + below(8) : below(range);
    out.push_back({time, below(3) ? below(longest) : below(longest * 20), i});
  }
  return out;
}

void check_lanes(const NestedTrace& nested) {
  uint64_t next = 0;
  for (const Lane& lane : nested.lanes) {
    CHECK_EQ(lane.first_slice, next);
    for (uint64_t i = lane.first_slice + 1; i < lane.first_slice + lane.slice_count; ++i) {
      CHECK(nested.slices[i - 1].start_ns + nested.slices[i - 1].dur_ns <= nested.slices[i].start_ns);
    }
    next += lane.slice_count;
  }
  CHECK_EQ(next, static_cast<uint64_t>(nested.slices.size()));
}

void check_against_reference(std::vector<Plain> plain, const NestedTrace& nested) {
  std::sort(plain.begin(), plain.end(), is_before);
  CHECK_EQ(nested.slices.size(), plain.size());
  std::vector<const NestedSlice*> by_offset(plain.size(), nullptr);
  for (const NestedSlice& s : nested.slices) by_offset[s.source_offset] = &s;
  for (size_t i = 0; i < plain.size(); ++i) {
    const NestedSlice* s = by_offset[plain[i].offset];
    CHECK(s != nullptr);
    if (!s) continue;
    CHECK_EQ(s->start_ns, plain[i].start - plain[0].start);
    CHECK_EQ(s->dur_ns, plain[i].dur);
    const int64_t parent = s->parent < 0 ? -1 : static_cast<int64_t>(nested.slices[static_cast<size_t>(s->parent)].source_offset);
    CHECK_EQ(parent, offset_of_parent(plain, i));
  }
}

// The slice around a time, ends included: the last to start, of these the shortest, of equal ones the last in the file. By looking at all.
int64_t around(const NestedTrace& nested, int64_t time) {
  int64_t best = -1;
  const auto is_inner = [](const NestedSlice& a, const NestedSlice& b) {
    if (a.start_ns != b.start_ns) return a.start_ns > b.start_ns;
    return a.dur_ns != b.dur_ns ? a.dur_ns < b.dur_ns : a.source_offset > b.source_offset;
  };
  for (size_t i = 0; i < nested.slices.size(); ++i) {
    const NestedSlice& s = nested.slices[i];
    if (s.start_ns > time || s.start_ns + s.dur_ns < time) continue;
    if (best < 0 || is_inner(s, nested.slices[static_cast<size_t>(best)])) best = static_cast<int64_t>(i);
  }
  return best;
}

int64_t covered(std::vector<Plain> plain) {
  std::sort(plain.begin(), plain.end(), is_before);
  int64_t sum = 0, until = plain[0].start;
  for (const Plain& p : plain) {
    sum += std::max<int64_t>(0, p.end() - std::max(until, p.start));
    until = std::max(until, p.end());
  }
  return sum;
}

}  // namespace

TEST(random_slices_nest_as_a_slow_reference_says) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 120; ++round) {
    const size_t count = 1 + random() % (round % 10 ? 60 : 1500);
    const std::vector<Plain> plain = random_slices(random, count);
    TraceMaker make;
    for (const Plain& p : plain) make.complete(p.start, p.dur);
    const NestedTrace nested = make.nest();
    check_lanes(nested);
    check_against_reference(plain, nested);
    CHECK_EQ(nested.tracks[0].busy_ns, covered(plain));
  }
}

TEST(flow_points_bind_to_what_a_search_over_all_slices_finds) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 60; ++round) {
    TraceMaker make;
    for (const Plain& p : random_slices(random, 80)) make.complete(p.start, p.dur);
    const auto last = static_cast<int64_t>(random() % 400);
    make.flow('s', last, 1);
    make.flow('f', last + 40, 1);
    make.complete(-5, 3);
    const NestedTrace nested = make.nest();
    const int64_t from = around(nested, last + 5), to = around(nested, last + 45);
    const bool is_pair = from >= 0 && to >= 0 && from != to;
    CHECK_EQ(nested.flows.size(), size_t{is_pair});
    if (nested.flows.size() != 1) continue;
    CHECK_EQ(static_cast<int64_t>(nested.flows[0].from), from);
    CHECK_EQ(static_cast<int64_t>(nested.flows[0].to), to);
  }
}
