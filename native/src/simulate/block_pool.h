// Blocks and the pools of free ones, as the allocator keeps them.
#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <vector>

namespace tidemark {

struct BlockPool;

// Addresses that an expandable segment may grow over.
struct AddressRange {
  uint64_t base = 0;
  uint64_t size = 0;
  uint64_t page = 0;
};

inline constexpr uint32_t kNoOwner = UINT32_MAX;

enum class BlockUse : uint8_t { free, allocated, pending };

// A stretch of a segment. Neighbours of one segment, or of one expandable range, are linked.
struct Block {
  uint64_t address = 0;
  uint64_t size = 0;
  Block* before = nullptr;
  Block* after = nullptr;
  BlockPool* pool = nullptr;
  const AddressRange* range = nullptr;  // of an expandable segment
  uint32_t owner = kNoOwner;            // the recorded allocation that it was handed out for
  uint32_t pending_at = 0;              // place among the pending ones
  int32_t stream = 0;
  BlockUse use = BlockUse::free;
  bool is_mapped = true;
  int64_t search_count = 0;  // of its pool when it became free

  bool is_split() const { return before != nullptr || after != nullptr; }
};

struct BySize {
  bool operator()(const Block* a, const Block* b) const {
    if (a->stream != b->stream) return a->stream < b->stream;
    if (a->size != b->size) return a->size < b->size;
    return a->address < b->address;
  }
};

struct ByAddress {
  bool operator()(const Block* a, const Block* b) const {
    return a->stream != b->stream ? a->stream < b->stream : a->address < b->address;
  }
};

struct BlockPool {
  bool is_small = false;
  bool is_private = false;
  bool is_freeable = false;  // nothing uses the private pool any more
  int64_t search_count = 0;
  std::set<Block*, BySize> blocks;
  std::set<Block*, ByAddress> unmapped;

  void insert(Block* block) {
    block->use = BlockUse::free;
    block->search_count = search_count;
    blocks.insert(block);
  }
  int64_t age(const Block* block) const { return search_count - block->search_count; }
};

// Where blocks come from. They stay where they are until they are given up.
class BlockStore {
 public:
  Block* make(const Block& value) {
    if (spare_.empty()) return &blocks_.emplace_back(value);
    Block* block = spare_.back();
    spare_.pop_back();
    *block = value;
    return block;
  }
  void drop(Block* block) {
    block->pool = nullptr;
    spare_.push_back(block);
  }
  // Calls visit(block) for all there are.
  template <class Visit>
  void each(Visit&& visit) const {
    for (const Block& block : blocks_) {
      if (block.pool != nullptr) visit(block);
    }
  }

 private:
  std::deque<Block> blocks_;
  std::vector<Block*> spare_;
};

}  // namespace tidemark
