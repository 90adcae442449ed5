// Minimum, maximum and peak event of the curves over 64, 4096, … events: what a viewport reads when events are dense.
#pragma once

#include "replay/curves.h"
#include "store/piece_queue.h"

namespace tidemark {

inline constexpr size_t kLevelBits = 6;
inline constexpr size_t kLevelFactor = size_t{1} << kLevelBits;  // items of a level that one of the next covers

class CurveLevels {
 public:
  // Adds the next block of events; its first event is a multiple of kLevelFactor.
  void add(const CurveBlock& block);

  // Builds the coarser levels and pushes all of them, until `progress.cancel` is set; level k covers 64^(k+1) events an item.
  // Column names: min_<curve>_<k>, max_<curve>_<k>, rep_<k>.
  void push(int32_t device, PieceQueue& queue, const Progress& progress);

 private:
  struct Level {
    std::vector<int64_t> min[kCurveCount];
    std::vector<int64_t> max[kCurveCount];
    std::vector<int64_t> rep;  // first event of the largest allocated
    size_t size() const { return rep.size(); }
  };
  static Level coarser(const Level& fine);

  Level first_;
};

}  // namespace tidemark
