#include "query/address_matcher.h"

#include <cmath>
#include <limits>

namespace tidemark {
namespace {

constexpr double kNearNs = 75e3;  // what the nearest may be apart

// For each of [first, last) of `from` the place of the nearest of [to_first, to_last) of `to`, whose times are `shift` later there. Of equal
// times the first, so that the others find partners behind it.
void nearest_places(const JoinItem* from, size_t first, size_t last, const JoinItem* to, size_t to_first, size_t to_last, double shift,
                    Pulse& pulse, std::vector<size_t>& out) {
  out.clear();
  size_t next = to_first;      // the first that is not earlier
  size_t before = to_first;    // the first of those at the last earlier time
  for (size_t i = first; i < last && !pulse.is_stopped(); ++i) {
    const double time = from[i].time;
    for (; next < to_last && to[next].time + shift < time; ++next) {
      if (to[next].time != to[before].time) before = next;
    }
    const bool has_later = next < to_last;
    const bool is_earlier = before < next && (!has_later || time - to[before].time - shift <= to[next].time + shift - time);
    out.push_back(is_earlier ? before : next);
  }
}

}  // namespace

void AddressMatcher::Attempt::clear() {
  pairs.clear();
  distance = 0;
}

void AddressMatcher::Attempt::add(const JoinItem& own, const JoinItem& other, double apart) {
  pairs.emplace_back(&own, &other);
  distance += std::fabs(apart);
}

bool AddressMatcher::Attempt::is_better_than(const Attempt& rest) const {
  return pairs.size() != rest.pairs.size() ? pairs.size() > rest.pairs.size() : distance < rest.distance;
}

void AddressMatcher::find_nearest(const JoinRun& run) {
  nearest_places(run.own, run.own_first, run.own_last, run.other, run.other_first, run.other_last, offset_, pulse_, nearest_other_);
  nearest_places(run.other, run.other_first, run.other_last, run.own, run.own_first, run.own_last, -offset_, pulse_, nearest_own_);
}

void AddressMatcher::match(const JoinRun& run) {
  find_nearest(run);
  JoinRun gap = run;
  for (size_t i = run.own_first; i < run.own_last && !pulse_.is_stopped(); ++i) {
    const size_t j = nearest_other_[i - run.own_first];
    const bool is_mutual = j >= gap.other_first && j < run.other_last && nearest_own_[j - run.other_first] == i;
    if (!is_mutual || std::fabs(apart(run.own[i], run.other[j])) > kNearNs || !sizes_agree(run.own[i], run.other[j])) continue;
    gap.own_last = i;
    gap.other_last = j;
    match_gap(gap);
    out_.emplace_back(&run.own[i], &run.other[j]);
    gap.own_first = i + 1;
    gap.other_first = j + 1;
  }
  gap.own_last = run.own_last;
  gap.other_last = run.other_last;
  match_gap(gap);
}

void AddressMatcher::match_gap(const JoinRun& gap) {
  size_t own = gap.own_first;
  size_t other = gap.other_first;
  while (own < gap.own_last && other < gap.other_last && !pulse_.is_stopped()) {
    const JoinRun stretch = next_stretch(gap, own, other);
    own = stretch.own_last;
    other = stretch.other_last;
    match_stretch(stretch);
  }
}

// What lies closer together than the tolerance, whichever side it is of: no pair reaches out of it.
JoinRun AddressMatcher::next_stretch(const JoinRun& gap, size_t own, size_t other) {
  JoinRun out = gap;
  out.own_first = own;
  out.other_first = other;
  double last = std::numeric_limits<double>::infinity();
  while ((own < gap.own_last || other < gap.other_last) && !pulse_.is_stopped()) {
    const bool is_own = other == gap.other_last || (own < gap.own_last && apart(gap.own[own], gap.other[other]) <= 0);
    const double time = is_own ? gap.own[own].time : gap.other[other].time + offset_;
    if (time - last > kJoinToleranceNs) break;
    last = time;
    ++(is_own ? own : other);
  }
  out.own_last = own;
  out.other_last = other;
  return out;
}

// A side may lack the first or the last allocations of a stretch. Pairing from the front is right for the one, from the back for the other; the
// pairs that are closer together tell which.
void AddressMatcher::match_stretch(const JoinRun& stretch) {
  if (stretch.own_first == stretch.own_last || stretch.other_first == stretch.other_last) return;
  forward_.clear();
  backward_.clear();
  from_the_front(stretch);
  from_the_back(stretch);
  const Attempt& best = backward_.is_better_than(forward_) ? backward_ : forward_;
  out_.insert(out_.end(), best.pairs.begin(), best.pairs.end());
}

void AddressMatcher::from_the_front(const JoinRun& stretch) {
  size_t own = stretch.own_first;
  size_t other = stretch.other_first;
  while (own < stretch.own_last && other < stretch.other_last && !pulse_.is_stopped()) {
    const JoinItem& a = stretch.own[own];
    const JoinItem& b = stretch.other[other];
    const double d = apart(a, b);
    const bool is_pair = std::fabs(d) <= kJoinToleranceNs && sizes_agree(a, b);
    if (is_pair) forward_.add(a, b, d);
    if (is_pair || d <= 0) ++own;
    if (is_pair || d > 0) ++other;
  }
}

void AddressMatcher::from_the_back(const JoinRun& stretch) {
  size_t own = stretch.own_last;
  size_t other = stretch.other_last;
  while (own > stretch.own_first && other > stretch.other_first && !pulse_.is_stopped()) {
    const JoinItem& a = stretch.own[own - 1];
    const JoinItem& b = stretch.other[other - 1];
    const double d = apart(a, b);
    const bool is_pair = std::fabs(d) <= kJoinToleranceNs && sizes_agree(a, b);
    if (is_pair) backward_.add(a, b, d);
    if (is_pair || d >= 0) --own;
    if (is_pair || d < 0) --other;
  }
}

}  // namespace tidemark
