// The block at an address after an event.
#pragma once

#include <optional>

#include "query/block_layout.h"

namespace tidemark {

struct BlockAt {
  const LayoutSegment* segment = nullptr;
  SpaceBlock block;
};

// None where no memory is reserved at `address`. Valid as long as the layout.
std::optional<BlockAt> block_at(const BlockLayout& layout, uint64_t address);

}  // namespace tidemark
