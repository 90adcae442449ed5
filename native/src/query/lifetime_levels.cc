#include "query/lifetime_levels.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace tidemark {
namespace {

constexpr double kDecades = 6;  // that the logarithmic scale covers
constexpr double kSteps = 61.999;

double least_share(LevelScale scale, int level) {
  const double height = (level - kLeastLevel) / kSteps;
  if (level <= kLeastLevel) return 0;
  switch (scale) {
    case LevelScale::sqrt: return height * height;
    case LevelScale::log: return std::pow(10, kDecades * (height - 1));
    default: return height;
  }
}

}  // namespace

LevelTable::LevelTable(LevelScale scale) : of_bucket_(kBuckets) {
  for (int level = 0; level <= kMostLevel; ++level) threshold_[level] = static_cast<float>(least_share(scale, level));
  threshold_[kMostLevel + 1] = std::numeric_limits<float>::infinity();
  uint8_t level = kLeastLevel;
  for (uint32_t bucket = 0; bucket < kBuckets; ++bucket) {
    const uint32_t bits = (kFirstBucket + bucket) << kShift;
    float least;
    std::memcpy(&least, &bits, sizeof least);
    while (threshold_[level + 1] <= least) ++level;
    of_bucket_[bucket] = level;
  }
}

}  // namespace tidemark
