#include "query/clock_offset.h"

#include <cmath>
#include <cstdint>

#include "query/median.h"

namespace tidemark {
namespace {

constexpr double kBinNs = 50e3;
constexpr int64_t kBins = static_cast<int64_t>(kJoinSearchNs / kBinNs);  // on either side of the middle one
constexpr double kAgreeNs = 1.5 * kBinNs;
// From the middle of a bin the nearest use of a busy address may be the one before or after: with each round fewer are mistaken. Captures that
// fit settle within four; each costs one pass.
constexpr int kMostRounds = 8;
// Uses of one address before and after an allocation that vote. A loop that uses an address again and again says little about the clocks, and
// others say more; without a limit a million uses of one address would be 10^12 differences.
constexpr size_t kMostVotes = 16;

class ClockVotes {
 public:
  ClockVotes(double guess, Pulse& pulse) : guess_(guess), pulse_(pulse), votes_(static_cast<size_t>(2 * kBins + 1)) {}

  void add(const JoinRun& run) {
    size_t next = run.other_first;  // the first that is not earlier
    for (size_t i = run.own_first; i < run.own_last && !pulse_.is_stopped(); ++i) {
      const JoinItem& own = run.own[i];
      while (next < run.other_last && difference(own, run.other[next]) > 0) ++next;
      for (size_t j = next, left = kMostVotes; j > run.other_first && left > 0 && vote(own, run.other[j - 1]); --j) --left;
      for (size_t j = next, left = kMostVotes; j < run.other_last && left > 0 && vote(own, run.other[j]); ++j) --left;
    }
  }

  // The middle of the three neighboring bins with most votes, as a difference from the guess; false without votes.
  bool most(double& out) const {
    uint64_t best = 0;
    for (int64_t distance = 0; distance < kBins; ++distance) {
      for (const int64_t bin : {-distance, distance}) {
        const uint64_t sum = at(bin - 1) + at(bin) + at(bin + 1);
        if (sum <= best) continue;
        best = sum;
        out = static_cast<double>(bin) * kBinNs;
      }
    }
    return best > 0;
  }

 private:
  double difference(const JoinItem& own, const JoinItem& other) const { return own.time - other.time - guess_; }
  uint64_t at(int64_t bin) const { return votes_[static_cast<size_t>(bin + kBins)]; }

  // False beyond the search: those further away are, too.
  bool vote(const JoinItem& own, const JoinItem& other) {
    const double apart = difference(own, other);
    if (!(std::fabs(apart) <= kJoinSearchNs)) return false;
    if (sizes_agree(own, other)) ++votes_[static_cast<size_t>(std::llround(apart / kBinNs) + kBins)];
    return true;
  }

  double guess_;
  Pulse& pulse_;
  std::vector<uint64_t> votes_;
};

// The differences from `offset` of those that agree with it, the nearest of each own allocation.
std::vector<double> agreeing(const std::vector<JoinItem>& own, const std::vector<JoinItem>& other, double offset, Pulse& pulse) {
  std::vector<double> out;
  each_common_address(own, other, pulse, [&](const JoinRun& run) {
    size_t next = run.other_first;
    for (size_t i = run.own_first; i < run.own_last && !pulse.is_stopped(); ++i) {
      const auto apart = [&](size_t j) { return run.own[i].time - run.other[j].time - offset; };
      while (next < run.other_last && apart(next) > 0) ++next;
      double nearest = next < run.other_last ? apart(next) : INFINITY;
      if (next > run.other_first && apart(next - 1) < std::fabs(nearest)) nearest = apart(next - 1);
      if (std::fabs(nearest) <= kAgreeNs) out.push_back(nearest);
    }
  });
  return out;
}

}  // namespace

double find_clock_offset(const std::vector<JoinItem>& own, const std::vector<JoinItem>& other, double guess, Pulse& pulse) {
  ClockVotes votes(guess, pulse);
  each_common_address(own, other, pulse, [&](const JoinRun& run) { votes.add(run); });
  double middle = 0;
  if (!votes.most(middle)) return guess;
  double offset = guess + middle;
  for (int round = 0; round < kMostRounds && !pulse.is_stopped(); ++round) {
    std::vector<double> differences = agreeing(own, other, offset, pulse);
    const double shift = differences.empty() ? 0 : median(differences);
    offset += shift;
    if (shift == 0) break;
  }
  return offset;
}

}  // namespace tidemark
