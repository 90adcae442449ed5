// Pairs the allocations of one address in two captures, the clocks aligned.
#pragma once

#include <utility>
#include <vector>

#include "query/join_runs.h"

namespace tidemark {

using JoinPlaces = std::vector<std::pair<const JoinItem*, const JoinItem*>>;

// Records of one allocation are a few microseconds apart, so those that are nearest to each other, both ways, go together first. Now and then a
// thread is put aside between its two records: what is left between such pairs goes together in order, within kJoinToleranceNs. Pairs never
// cross. A short-lived tensor may use one address every few microseconds, which order alone would pair wrongly wherever one history begins later.
class AddressMatcher {
 public:
  // own time = other time + offset; pairs go to the end of `out`.
  AddressMatcher(double offset, Pulse& pulse, JoinPlaces& out) : offset_(offset), pulse_(pulse), out_(out) {}

  void match(const JoinRun& run);

 private:
  // A way to pair what is left of a stretch of time.
  struct Attempt {
    JoinPlaces pairs;
    double distance = 0;  // sum over the pairs

    void clear();
    void add(const JoinItem& own, const JoinItem& other, double apart);
    bool is_better_than(const Attempt& rest) const;
  };

  double apart(const JoinItem& own, const JoinItem& other) const { return own.time - other.time - offset_; }
  void find_nearest(const JoinRun& run);
  void match_gap(const JoinRun& gap);
  JoinRun next_stretch(const JoinRun& gap, size_t own, size_t other);
  void match_stretch(const JoinRun& stretch);
  void from_the_front(const JoinRun& stretch);
  void from_the_back(const JoinRun& stretch);

  double offset_;
  Pulse& pulse_;
  JoinPlaces& out_;
  std::vector<size_t> nearest_other_;  // by place in the run
  std::vector<size_t> nearest_own_;
  Attempt forward_;
  Attempt backward_;
};

}  // namespace tidemark
