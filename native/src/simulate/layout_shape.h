// Layouts of memory as the simulator begins with them and compares them.
#pragma once

#include <vector>

#include "simulate/caching_allocator.h"
#include "simulate/recording.h"

namespace tidemark {

// Lays out `layout` in an allocator that has nothing yet. `blocks`: by allocation, where its block is.
void adopt_layout(const RecordedLayout& layout, CachingAllocator& allocator, std::vector<Block*>& blocks);

// A segment without its address: its stream, class and kind, then the size and use of its blocks in address order.
struct SegmentShape {
  int32_t stream = 0;
  bool is_small = false;
  bool is_expandable = false;
  std::vector<std::pair<uint64_t, BlockUse>> blocks;

  bool operator==(const SegmentShape& other) const;
  bool operator<(const SegmentShape& other) const;
};

// Sorted, so that equal layouts have equal shapes wherever their segments lie.
std::vector<SegmentShape> shape_of(const RecordedLayout& layout);
std::vector<SegmentShape> shape_of(const BlockStore& blocks);

}  // namespace tidemark
