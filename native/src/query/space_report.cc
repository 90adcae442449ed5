#include "query/space_report.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "model/bits.h"
#include "query/lifetimes.h"

namespace tidemark {
namespace {

constexpr size_t kSizesPerLook = size_t{1} << 18;

// Counts sizes on an axis of quarter powers of two.
class SizeBins {
 public:
  void add(uint64_t size) {
    if (size == 0) return;
    const int power = highest_bit(size);
    const uint64_t mantissa = size << (63 - power);  // in [2^63, 2^64)
    const int quarter = (mantissa >= kQuarter[0]) + (mantissa >= kQuarter[1]) + (mantissa >= kQuarter[2]);
    Bin& bin = bins_[power * 4 + quarter];
    ++bin.count;
    bin.bytes += size;
  }

  std::vector<SizeBin> take() const {
    std::vector<SizeBin> out;
    for (int k = 0; k < kBins; ++k) {
      if (bins_[k].count > 0) out.push_back({edge(k), edge(k + 1), bins_[k].count, bins_[k].bytes});
    }
    return out;
  }

 private:
  static constexpr int kBins = 64 * 4;
  // 2^63 times 2^(1/4), 2^(2/4) and 2^(3/4), rounded up.
  static constexpr uint64_t kQuarter[3] = {10968499650544839024u, 13043817825332782213u, 15511800964685064949u};
  struct Bin {
    uint64_t count = 0;
    uint64_t bytes = 0;
  };

  // The least whole size of bin k.
  static uint64_t edge(int k) {
    const int power = k / 4;
    if (power >= 64) return UINT64_MAX;
    if (k % 4 == 0) return uint64_t{1} << power;
    const uint64_t mantissa = kQuarter[k % 4 - 1];
    const int shift = 63 - power;
    return shift == 0 ? mantissa : ((mantissa - 1) >> shift) + 1;
  }

  Bin bins_[kBins] = {};
};

std::vector<SpaceGroup> group_segments(const BlockLayout& layout) {
  std::map<std::tuple<int32_t, int32_t, bool>, SpaceGroup> groups;
  for (const LayoutSegment& segment : layout.segments) {
    SpaceGroup& group = groups[{segment.pool, segment.stream, segment.is_small}];
    group.pool = segment.pool;
    group.stream = segment.stream;
    group.is_small = segment.is_small;
    ++group.segments;
    group.expandable_segments += segment.is_expandable;
    group.totals.add(segment.totals);
  }
  std::vector<SpaceGroup> out;
  for (const auto& entry : groups) out.push_back(entry.second);
  return out;
}

std::vector<SizeBin> free_sizes(const BlockLayout& layout) {
  SizeBins bins;
  for (const LayoutSegment& segment : layout.segments) {
    if (segment.totals.free_blocks == 0) continue;
    visit_blocks(layout, segment, [&](const SpaceBlock& block) {
      if (!block.active) bins.add(block.size);
    });
  }
  return bins.take();
}

Failure request_sizes(const BlockLayout& layout, const StopSignal& stop, std::vector<SizeBin>& out) {
  const DeviceColumns& columns = layout.columns();
  const size_t end = allocations_until(columns, layout.event);
  SizeBins bins;
  for (size_t i = allocations_until(columns, kBefore); i < end; ++i) {
    if (i % kSizesPerLook == 0 && stop()) return query_cancelled();
    bins.add(columns.size[i]);
  }
  out = bins.take();
  return {};
}

// The largest blocks of a segment, of equals the lowest.
std::vector<uint32_t> find_holders(const BlockLayout& layout, const LayoutSegment& segment) {
  std::vector<uint32_t> out(segment.block_end - segment.first_block);
  for (uint32_t i = 0; i < out.size(); ++i) out[i] = segment.first_block + i;
  const size_t count = std::min(out.size(), kMostHolders);
  std::partial_sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(count), out.end(), [&](uint32_t a, uint32_t b) {
    const uint64_t size_a = layout.blocks[a].size;
    const uint64_t size_b = layout.blocks[b].size;
    return size_a != size_b ? size_a > size_b : a < b;
  });
  out.resize(count);
  return out;
}

std::vector<PinnedSegment> find_pins(const BlockLayout& layout) {
  std::vector<PinnedSegment> out;
  for (uint32_t i = 0; i < layout.segments.size(); ++i) {
    const SpaceTotals& totals = layout.segments[i].totals;
    if (totals.active > 0 && totals.free >= totals.active) out.push_back({i, {}});
  }
  std::stable_sort(out.begin(), out.end(), [&](const PinnedSegment& a, const PinnedSegment& b) {
    return layout.segments[a.segment].totals.free > layout.segments[b.segment].totals.free;
  });
  out.resize(std::min(out.size(), kMostPins));
  for (PinnedSegment& pin : out) pin.holders = find_holders(layout, layout.segments[pin.segment]);
  return out;
}

}  // namespace

Failure space_report(const BlockLayout& layout, const StopSignal& stop, SpaceReport& out) {
  out.groups = group_segments(layout);
  out.free_sizes = free_sizes(layout);
  out.pins = find_pins(layout);
  return request_sizes(layout, stop, out.request_sizes);
}

}  // namespace tidemark
