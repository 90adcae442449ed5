#include "simulate/layout_shape.h"

#include <algorithm>
#include <tuple>

namespace tidemark {
namespace {

constexpr uint64_t kRoomBehind = kMostBytes;  // unmapped addresses behind the last pages of a range

bool is_one_range(const RecordedSegment& a, const RecordedSegment& b) {
  return a.is_expandable && b.is_expandable && a.stream == b.stream && a.pool == b.pool && a.is_small == b.is_small;
}

// Calls visit(address, size, block): all of a segment, free ones with nullptr.
template <class Visit>
void visit_blocks(const RecordedSegment& segment, Visit&& visit) {
  uint64_t at = segment.address;
  for (const RecordedBlock& block : segment.blocks) {
    if (block.address > at) visit(at, block.address - at, static_cast<const RecordedBlock*>(nullptr));
    visit(block.address, block.size, &block);
    at = block.address + block.size;
  }
  const uint64_t end = segment.address + segment.size;
  if (end > at) visit(at, end - at, static_cast<const RecordedBlock*>(nullptr));
}

BlockUse use_of(const RecordedBlock* block) {
  if (block == nullptr) return BlockUse::free;
  return block->is_pending ? BlockUse::pending : BlockUse::allocated;
}

class Adoption {
 public:
  Adoption(CachingAllocator& allocator, std::vector<Block*>& blocks) : allocator_(allocator), blocks_(blocks) {}

  // Neighbouring expandable segments of one pool and stream are one range with unmapped pages between.
  void add(const RecordedSegment& segment, const RecordedSegment* next) {
    if (!segment.is_expandable) {
      allocator_.adopt_segment(segment.address, segment.size);
    } else {
      if (range_ == nullptr) range_ = allocator_.add_range(segment.address, kMostBytes, segment.is_small);
      allocator_.adopt_pages(segment.size);
    }
    visit_blocks(segment, [&](uint64_t address, uint64_t size, const RecordedBlock* block) { add_block(segment, address, size, block); });
    if (segment.is_expandable) add_room(segment, next);
    if (segment.is_expandable && next != nullptr && is_one_range(segment, *next)) return;
    range_ = nullptr;
    last_ = nullptr;
  }

 private:
  void add_block(const RecordedSegment& segment, uint64_t address, uint64_t size, const RecordedBlock* block) {
    Block part = part_of(segment, address, size);
    part.use = use_of(block);
    last_ = allocator_.adopt(last_, part, segment.is_small, segment.pool);
    if (block == nullptr) return;
    last_->owner = block->allocation;
    blocks_[block->allocation] = last_;
  }

  void add_room(const RecordedSegment& segment, const RecordedSegment* next) {
    const uint64_t end = segment.address + segment.size;
    const uint64_t room = next == nullptr ? kRoomBehind : next->address - end;
    if (room == 0) return;
    Block part = part_of(segment, end, room);
    part.is_mapped = false;
    last_ = allocator_.adopt(last_, part, segment.is_small, segment.pool);
  }

  Block part_of(const RecordedSegment& segment, uint64_t address, uint64_t size) const {
    Block part;
    part.address = address;
    part.size = size;
    part.stream = segment.stream;
    part.range = range_;
    return part;
  }

  CachingAllocator& allocator_;
  std::vector<Block*>& blocks_;
  const AddressRange* range_ = nullptr;
  Block* last_ = nullptr;
};

}  // namespace

void adopt_layout(const RecordedLayout& layout, CachingAllocator& allocator, std::vector<Block*>& blocks) {
  Adoption adoption(allocator, blocks);
  for (size_t i = 0; i < layout.size(); ++i) adoption.add(layout[i], i + 1 < layout.size() ? &layout[i + 1] : nullptr);
}

bool SegmentShape::operator==(const SegmentShape& other) const { return !(*this < other) && !(other < *this); }

bool SegmentShape::operator<(const SegmentShape& other) const {
  return std::tie(stream, is_small, is_expandable, blocks) < std::tie(other.stream, other.is_small, other.is_expandable, other.blocks);
}

std::vector<SegmentShape> shape_of(const RecordedLayout& layout) {
  std::vector<SegmentShape> shapes;
  for (const RecordedSegment& segment : layout) {
    SegmentShape shape{segment.stream, segment.is_small, segment.is_expandable, {}};
    visit_blocks(segment, [&](uint64_t, uint64_t size, const RecordedBlock* block) { shape.blocks.emplace_back(size, use_of(block)); });
    shapes.push_back(std::move(shape));
  }
  std::sort(shapes.begin(), shapes.end());
  return shapes;
}

std::vector<SegmentShape> shape_of(const BlockStore& blocks) {
  std::vector<SegmentShape> shapes;
  blocks.each([&](const Block& first) {
    if (!first.is_mapped || (first.before && first.before->is_mapped)) return;
    SegmentShape shape{first.stream, first.pool->is_small, first.range != nullptr, {}};
    for (const Block* block = &first; block && block->is_mapped; block = block->after) shape.blocks.emplace_back(block->size, block->use);
    shapes.push_back(std::move(shape));
  });
  std::sort(shapes.begin(), shapes.end());
  return shapes;
}

}  // namespace tidemark
