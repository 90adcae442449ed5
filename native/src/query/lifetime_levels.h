// Values of cells as the levels 2–63 of a picture.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

namespace tidemark {

enum class LevelScale { linear, sqrt, log };

inline constexpr uint8_t kLeastLevel = 2;
inline constexpr uint8_t kMostLevel = 63;

// level = 2 + ⌊61.999 · s(share)⌋ for a share of the largest value: s is the share, its root, or 1 + log10(share) ÷ 6 from 0 on.
class LevelTable {
 public:
  explicit LevelTable(LevelScale scale);

  // Of a share > 0; what is above 1 is at the highest level.
  uint8_t level(float share) const {
    uint32_t bits;
    std::memcpy(&bits, &share, sizeof bits);
    const uint32_t bucket = bits >> kShift;
    if (bucket < kFirstBucket) return kLeastLevel;
    if (bucket >= kFirstBucket + kBuckets) return kMostLevel;
    const uint8_t level = of_bucket_[bucket - kFirstBucket];
    return static_cast<uint8_t>(level + (share >= threshold_[level + 1] ? 1 : 0));
  }

 private:
  // Buckets are the exponent and the upper seven bits of the mantissa of shares 2^−20 … 1: so narrow that two levels at most
  // meet in one, so a table and one comparison replace a root or a logarithm for each cell. Lower shares have the lowest level.
  static constexpr unsigned kShift = 23 - 7;
  static constexpr uint32_t kFirstBucket = uint32_t{127 - 20} << 7;
  static constexpr uint32_t kBuckets = 20u << 7;

  float threshold_[kMostLevel + 2];  // least share of a level
  std::vector<uint8_t> of_bucket_;   // of the least share of each bucket
};

}  // namespace tidemark
