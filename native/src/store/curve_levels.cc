#include "store/curve_levels.h"

#include <algorithm>

#include "store/pack_column.h"

namespace tidemark {

void CurveLevels::add(const CurveBlock& block) {
  for (int c = 0; c < kCurveCount; ++c) {
    if (!block.value[c]) continue;
    if (block.first_event == 0) {
      first_.min[c].clear();
      first_.max[c].clear();
    }
    for (size_t from = 0; from < block.count; from += kLevelFactor) {
      const size_t to = std::min(from + kLevelFactor, block.count);
      const auto [low, high] = std::minmax_element(block.value[c] + from, block.value[c] + to);
      first_.min[c].push_back(*low);
      first_.max[c].push_back(*high);
    }
  }
  const int64_t* allocated = block.value[kAllocated];
  if (!allocated) return;
  for (size_t from = 0; from < block.count; from += kLevelFactor) {
    const size_t to = std::min(from + kLevelFactor, block.count);
    const int64_t* top = std::max_element(allocated + from, allocated + to);  // the first of equals
    first_.rep.push_back(static_cast<int64_t>(block.first_event + static_cast<size_t>(top - allocated)));
  }
}

CurveLevels::Level CurveLevels::coarser(const Level& fine) {
  Level out;
  for (size_t from = 0; from < fine.size(); from += kLevelFactor) {
    const size_t to = std::min(from + kLevelFactor, fine.size());
    for (int c = 0; c < kCurveCount; ++c) {
      out.min[c].push_back(*std::min_element(fine.min[c].begin() + from, fine.min[c].begin() + to));
      out.max[c].push_back(*std::max_element(fine.max[c].begin() + from, fine.max[c].begin() + to));
    }
    const auto& allocated = fine.max[kAllocated];
    const auto top = std::max_element(allocated.begin() + from, allocated.begin() + to);
    out.rep.push_back(fine.rep[static_cast<size_t>(top - allocated.begin())]);
  }
  return out;
}

void CurveLevels::push(int32_t device, PieceQueue& queue, const Progress& progress) {
  const auto push_column = [&](const std::string& name, const std::vector<int64_t>& values) {
    pack_column(values.size(), progress, [&](size_t i) { return values[i]; },
                [&](int64_t piece, PieceBytes data) { queue.push({"curve_level", device, name, piece, std::move(data)}); });
  };
  Level level = std::move(first_);
  for (int k = 0; level.size() > 0 && !progress.cancel; ++k) {
    const std::string suffix = "_" + std::to_string(k);
    for (int c = 0; c < kCurveCount; ++c) {
      push_column(std::string("min_") + kCurveNames[c] + suffix, level.min[c]);
      push_column(std::string("max_") + kCurveNames[c] + suffix, level.max[c]);
    }
    push_column("rep" + suffix, level.rep);
    if (level.size() <= kLevelFactor) break;
    level = coarser(level);
  }
}

}  // namespace tidemark
