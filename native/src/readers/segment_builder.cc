// The part of SnapshotBuilder that makes segments, blocks and the legacy history of blocks.
#include <algorithm>

#include "readers/snapshot_builder.h"

namespace tidemark::readers {
namespace {

// Stands for "the file gives no address" until the segment is known; no block can begin there.
constexpr uint64_t kNoAddress = UINT64_MAX;

BlockState state_of(const Value& value, bool& known) {
  known = true;
  if (value.is_text(w_active_allocated)) return BlockState::active_allocated;
  // The docstring of torch.cuda.memory says active_awaiting_free, the code writes active_pending_free.
  if (value.is_text(w_active_pending_free) || value.is_text(w_active_awaiting_free))
    return BlockState::active_pending_free;
  known = value.is_text(w_inactive);
  return BlockState::inactive;
}

// PyTorch 2.0 and the profiler's export give no block addresses: blocks follow each other from the segment's start.
void derive_addresses(uint64_t address, std::vector<Block>& blocks) {
  for (Block& block : blocks) {
    block.address = address;
    address += block.size;
  }
}

// Makes `blocks` contiguous from `begin` for `total` bytes. Answers how many blocks had to be left out or filled in.
size_t make_contiguous(uint64_t begin, uint64_t total, std::vector<Block>& blocks) {
  std::stable_sort(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) { return a.address < b.address; });
  std::vector<Block> kept;
  kept.reserve(blocks.size());
  size_t repairs = 0;
  uint64_t done = 0;  // bytes from `begin`; differences stay right at the end of the address space
  const auto fill_to = [&](uint64_t to) {
    if (to == done) return;
    Block gap;
    gap.address = begin + done;
    gap.size = to - done;
    kept.push_back(gap);
    ++repairs;
    done = to;
  };
  for (const Block& block : blocks) {
    const uint64_t from = block.address - begin;
    if (from < done || from > total || block.size > total - from) {
      ++repairs;
      continue;
    }
    fill_to(from);
    kept.push_back(block);
    done += block.size;
  }
  fill_to(total);
  blocks.swap(kept);
  return repairs;
}

bool is_contiguous(uint64_t begin, uint64_t total, const std::vector<Block>& blocks) {
  uint64_t done = 0;
  for (const Block& block : blocks) {
    if (block.address - begin != done || block.size > total - done) return false;
    done += block.size;
  }
  return done == total;
}

Value done_value() {
  Value done;
  done.kind = Kind::done;
  return done;
}

}  // namespace

Value SnapshotBuilder::history(const Record& record, Value& list) {
  if (list.kind == Kind::new_list) {
    list.kind = Kind::history_list;
    list.bits = histories_.make();
  }
  History* history = list.kind == Kind::history_list ? histories_.find(list.bits) : nullptr;
  if (!history) {
    damaged("An item of a block's history in an unexpected place was left out.");
  } else if (!history->filled) {  // the newest comes first and is the only one that describes the block
    history->filled = true;
    history->requested_size = unsigned_of(record, w_real_size, 0, "A requested size is not an integer.");
    history->stack = stack_of(record);
  }
  return done_value();
}

Value SnapshotBuilder::block(const Record& record, Value& list) {
  count_unknown(record);
  if (list.kind == Kind::new_list) {
    list.kind = Kind::block_list;
    list.bits = blocks_.make();
  }
  std::vector<Block>* blocks = list.kind == Kind::block_list ? blocks_.find(list.bits) : nullptr;
  if (!blocks || !record.has(w_size) || !record[w_size].is_integer()) {
    damaged("A block without a size or in an unexpected place was left out.");
    return done_value();
  }
  Block block;
  bool known = false;
  block.size = record[w_size].bits;
  block.address = unsigned_of(record, w_address, kNoAddress, "A block's address is not an integer.");
  if (record.has(w_state)) block.state = state_of(record[w_state], known);
  if (!known) damaged("A block without a known state is read as inactive.");
  block.stack = stack_of(record);
  const History* history = nullptr;
  if (record.has(w_history) && record[w_history].kind == Kind::history_list)
    history = histories_.find(record[w_history].bits);
  if (history && !record.has(w_frames)) block.stack = history->stack;
  if (block.state != BlockState::inactive) {
    const uint64_t legacy = history ? history->requested_size : block.size;
    block.requested_size = unsigned_of(record, w_requested_size, legacy, "A block's requested size is not an integer.");
  }
  if (history) histories_.release(record[w_history].bits);
  blocks->push_back(block);
  return done_value();
}

void SnapshotBuilder::take_blocks(Segment& segment, const Value& list) {
  std::vector<Block>* blocks = list.kind == Kind::block_list ? blocks_.find(list.bits) : nullptr;
  if (blocks) {
    segment.blocks = std::move(*blocks);
    blocks_.release(list.bits);
  } else if (list.kind != Kind::new_list) {
    damaged("A segment's blocks are not a list of blocks.");
  }
}

Value SnapshotBuilder::segment(const Record& record, Value& list) {
  count_unknown(record);
  if (list.kind == Kind::new_list) {
    list.kind = Kind::segment_list;
    list.bits = segments_.make();
  }
  std::vector<Segment>* segments = list.kind == Kind::segment_list ? segments_.find(list.bits) : nullptr;
  Segment segment;
  if (record.has(w_blocks)) take_blocks(segment, record[w_blocks]);
  const uint64_t device = unsigned_of(record, w_device, 0, "A segment's device is not an integer.");
  if (!segments || device >= kMaxDevices || !record.has(w_address) || !record[w_address].is_integer()) {
    damaged("A segment without an address, with an impossible device or in an unexpected place was left out.");
    return done_value();
  }
  segment.device = static_cast<int32_t>(device);
  segment.address = record[w_address].bits;
  segment.stream = unsigned_of(record, w_stream, 0, "A segment's stream is not an integer.");
  segment.is_large = !(record.has(w_segment_type) && record[w_segment_type].is_text(w_small));
  segment.is_expandable =
      record.has(w_is_expandable) && (record[w_is_expandable].kind == Kind::yes ||
                                      (record[w_is_expandable].is_integer() && record[w_is_expandable].bits != 0));
  segment.stack = stack_of(record);
  if (record.has(w_segment_pool_id) && !pool_of(record[w_segment_pool_id], segment.pool)) {
    damaged("A segment's pool is not a pair of integers; it is read as missing.");
  }
  uint64_t sum = 0;
  uint64_t allocated = 0;
  bool without_address = false;
  for (const Block& block : segment.blocks) {
    sum += block.size;
    if (block.state == BlockState::active_allocated) allocated += block.size;
    without_address |= block.address == kNoAddress;
  }
  if (without_address) derive_addresses(segment.address, segment.blocks);
  segment.total_size = unsigned_of(record, w_total_size, sum, "A segment's size is not an integer.");
  if (claims_too_much(segment.total_size)) {
    damaged("A segment of more bytes than any device has was left out.");
    return done_value();
  }
  if (!is_contiguous(segment.address, segment.total_size, segment.blocks) &&
      make_contiguous(segment.address, segment.total_size, segment.blocks) > 0) {
    contradicted("A segment's blocks overlap, leave gaps or exceed it; gaps are shown as inactive.");
  } else if (record.has(w_allocated_size) && record[w_allocated_size].is_integer() &&
             record[w_allocated_size].bits != allocated) {
    contradicted("A segment says that more or less of it is allocated than its blocks do; the blocks are believed.");
  }
  segments->push_back(std::move(segment));
  return done_value();
}

}  // namespace tidemark::readers
