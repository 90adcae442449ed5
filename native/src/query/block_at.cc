#include "query/block_at.h"

namespace tidemark {

std::optional<BlockAt> block_at(const BlockLayout& layout, uint64_t address) {
  const LayoutSegment* segment = layout.segment_at(address);
  if (!segment) return std::nullopt;
  BlockAt out{segment, {}};
  visit_blocks(layout, *segment, address, address + 1, [&](const SpaceBlock& block) { out.block = block; });
  return out;
}

}  // namespace tidemark
