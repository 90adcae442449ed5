// Blocks of one device linked in address order inside their reserved range, found by address in constant time.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "model/snapshot.h"
#include "replay/address_map.h"
#include "replay/space_curves.h"

namespace tidemark {

inline constexpr uint32_t kNoBlock = 0xFFFFFFFFu;

struct ReplayBlock {
  uint64_t address = 0;
  uint64_t size = 0;
  uint32_t previous = kNoBlock;  // neighbors that touch it in the same range
  uint32_t next = kNoBlock;
  uint32_t range = 0;
  BlockState state = BlockState::inactive;
  bool is_expandable = false;
};

// A stretch of addresses that becomes reserved.
struct NewRange {
  uint64_t address = 0;
  uint64_t size = 0;
  uint16_t stream = kNoStream;
  bool is_expandable = false;
  bool is_small = false;  // of the small pool
};

class BlockList {
 public:
  // A new reserved range of one free block. kNoBlock when a block starts there already.
  // An expandable range joins the mapped neighbors of the same stream.
  uint32_t add_range(const NewRange& range);

  // Gives back the wholly free range of exactly these bytes. False when it is not that.
  bool remove_range(uint64_t address, uint64_t size);

  // Cuts mapped pages out of a free block of an expandable range. False when they are not free.
  bool unmap(uint64_t address, uint64_t size);

  // The block that starts at `address`, or kNoBlock.
  uint32_t at(uint64_t address);

  // Cuts a free block in two behind its first `size` bytes, which must be less than all; both stay free.
  void split(uint32_t block, uint64_t size);

  // Takes the first `size` bytes of a free block; the rest, if any, stays a free block.
  void take(uint32_t block, uint64_t size, BlockState state);

  // Moves the boundary to the free block after it by `bytes`, which that block must have more than.
  void grow(uint32_t block, uint64_t bytes);

  // Makes the block free and merges it with free neighbors.
  void release(uint32_t block);

  ReplayBlock& operator[](uint32_t block) { return blocks_[block]; }
  size_t count() const { return by_address_.size(); }
  bool any_expandable() const { return any_expandable_; }

  // What the free blocks amount to now.
  FreeSpace free_space();

  // The range that `range` has become part of through joining, and where that range begins.
  uint32_t root_range(uint32_t range);
  uint64_t range_address(uint32_t range) { return ranges_[root_range(range)].address; }

 private:
  struct Range {
    uint64_t address = 0;
    uint64_t page = 0;  // bytes that an expandable range gives back at a time
    uint32_t parent = 0;
    uint16_t stream = 0;
  };
  struct SizedBlock {
    uint64_t size;
    uint32_t block;
    bool operator<(const SizedBlock& other) const { return size < other.size; }
  };

  uint32_t new_block(const ReplayBlock& block);
  void drop_block(uint32_t block);
  uint32_t cut(uint32_t block, uint64_t size);
  void merge_with_next(uint32_t block);
  void note_free(uint32_t block);
  void forget_free(uint32_t block);
  void count_free(const ReplayBlock& block, int sign);
  int64_t returnable(const ReplayBlock& block) const;
  uint64_t largest_free();
  void join_expandable(uint32_t block);
  uint32_t free_block_over(uint64_t address);
  void set_end(uint32_t block);

  std::vector<ReplayBlock> blocks_;
  std::vector<uint32_t> unused_;
  std::vector<Range> ranges_;
  AddressMap<uint32_t> by_address_;
  std::map<uint64_t, uint32_t> expandable_ends_;  // end of a mapped run → its last block
  FreeSpace space_;               // without the largest
  std::vector<SizedBlock> sized_;  // heap of free blocks, largest first, with some that have changed since
  uint64_t search_steps_ = 0;
  bool any_expandable_ = false;
};

}  // namespace tidemark
