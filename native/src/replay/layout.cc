#include "replay/layout.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "replay/block_list.h"

namespace tidemark {
namespace {

constexpr size_t kCancelInterval = 1 << 15;

class LayoutReplay {
 public:
  LayoutReplay(const LayoutInput& input, PairedTrace& paired, SpaceCurves& curves)
      : trace_(*input.trace),
        segments_(*input.segments),
        start_(*input.start_ranges),
        reservations_(*input.reservations),
        rules_(*input.rules),
        paired_(paired),
        table_(paired.allocations),
        curves_(curves),
        block_of_(table_.count(), kNoBlock),
        range_of_(table_.count(), 0) {}

  bool run(const Progress& progress) {
    if (!lay_start()) return false;
    curves_.start(blocks_.free_space());
    const size_t n = trace_.action.size();
    for (size_t event = 0; event < n; ++event) {
      if (event % kCancelInterval == 0 && progress.cancel) return false;
      if (!step(event)) return false;
      curves_.add(event, blocks_.free_space());
    }
    if (!equals_final()) return false;
    set_places();
    note_slack();
    return true;
  }

 private:
  // Step 2 of the recipe: the start ranges with the allocations that were there, everything else free.
  bool lay_start() {
    size_t number = 0;
    for (const auto& [address, range] : start_) {
      const bool is_small = reservations_.start_is_small[number++];
      if (blocks_.add_range({address, range.size, range.stream, range.is_expandable, is_small}) == kNoBlock) return false;
    }
    uint32_t free_block = kNoBlock;  // the free rest after the allocation before: addresses ascend
    for (size_t i = 0; i < table_.before_count; ++i) {
      free_block = start_block_over(table_.address[i], free_block);
      const BlockState state = paired_.pending_before[i] ? BlockState::active_pending_free : BlockState::active_allocated;
      if (free_block == kNoBlock || !occupy(free_block, table_.address[i], start_size(i, free_block), state)) return false;
      const uint32_t block = blocks_.at(table_.address[i]);
      remember(i, block);
      free_block = blocks_[block].next;
    }
    return true;
  }

  // Bytes of an allocation made before the first event. Where only its request is known, the gap after it tells: a rest that
  // the allocator would not have cut off belongs to the block.
  uint64_t start_size(size_t allocation, uint32_t free_block) {
    if (table_.size[allocation]) return table_.size[allocation];
    const uint64_t rounded = rules_.round_size(table_.requested[allocation]);
    const uint64_t address = table_.address[allocation];
    uint64_t end = blocks_[free_block].address + blocks_[free_block].size;
    if (allocation + 1 < table_.before_count) end = std::min(end, table_.address[allocation + 1]);
    const uint64_t available = end - address;
    if (available <= rounded) return rounded;
    if (!rules_.splits(rounded, available)) return available;
    if (rounded > kSmallLimit && !rules_.expandable_segments) slack_before_[address + rounded] = allocation;
    return rounded;
  }

  // An allocation just behind such a block shows where it really ended.
  uint32_t settle_slack(uint64_t address) {
    auto at = slack_before_.upper_bound(address);
    if (at == slack_before_.begin()) return kNoBlock;
    --at;
    const auto [gap, allocation] = *at;
    const uint32_t block = block_of_[allocation];
    if (address - gap > kSmallLimit || block == kNoBlock) return kNoBlock;
    const uint32_t next = blocks_[block].next;
    if (next == kNoBlock || blocks_[next].address != gap || !covers(next, address)) return kNoBlock;
    blocks_.grow(block, address - gap);
    table_.size[allocation] = blocks_[block].size;
    slack_before_.erase(at);
    return next;
  }

  // The free block that covers `address`: the rest after the allocation before it, else the range that begins at or below.
  uint32_t start_block_over(uint64_t address, uint32_t candidate) {
    if (candidate != kNoBlock && covers(candidate, address)) return candidate;
    auto range = start_.upper_bound(address);
    if (range == start_.begin()) return kNoBlock;
    const uint32_t block = blocks_.at(std::prev(range)->first);
    return block != kNoBlock && covers(block, address) ? block : kNoBlock;
  }

  bool covers(uint32_t block, uint64_t address) {
    const ReplayBlock& b = blocks_[block];
    return b.state == BlockState::inactive && b.address <= address && address - b.address < b.size;
  }

  // Takes [address, address + size) out of a free block.
  bool occupy(uint32_t block, uint64_t address, uint64_t size, BlockState state) {
    const uint64_t offset = address - blocks_[block].address;
    if (size > blocks_[block].size - offset) return false;
    if (offset > 0) {
      blocks_.split(block, offset);
      block = blocks_[block].next;
    }
    blocks_.take(block, size, state);
    return true;
  }

  bool step(size_t event) {
    const uint64_t address = trace_.address[event];
    const uint64_t size = trace_.size[event];
    switch (static_cast<Action>(trace_.action[event])) {
      case Action::alloc: return allocate(event, address, size);
      case Action::free_requested: return request_free(event);
      case Action::free_completed:
      case Action::free: return complete_free(event);
      case Action::segment_alloc: return reserve(event, false);
      case Action::segment_map: return reserve(event, true);
      case Action::segment_free: ++segment_event_; return blocks_.remove_range(address, size);
      case Action::segment_unmap: ++segment_event_; return blocks_.unmap(address, size);
      default: return true;
    }
  }

  bool reserve(size_t event, bool is_expandable) {
    const bool is_small = reservations_.event_is_small[segment_event_++];
    const NewRange range{trace_.address[event], trace_.size[event], trace_.stream[event], is_expandable, is_small};
    return blocks_.add_range(range) != kNoBlock;
  }

  bool allocate(size_t event, uint64_t address, uint64_t requested) {
    uint32_t block = blocks_.at(address);
    if (block == kNoBlock) block = settle_slack(address);
    const uint64_t rounded = rules_.round_size(requested);
    if (block == kNoBlock || blocks_[block].state != BlockState::inactive || blocks_[block].size < rounded) return false;
    const uint64_t available = blocks_[block].size;
    blocks_.take(block, rules_.splits(rounded, available) ? rounded : available, BlockState::active_allocated);
    remember(paired_.event_allocation[event], block);
    return true;
  }

  void remember(size_t allocation, uint32_t block) {
    table_.size[allocation] = blocks_[block].size;
    block_of_[allocation] = block;
    range_of_[allocation] = blocks_[block].range;
  }

  // The block of the allocation that an event names: kNoBlock when the event names none that is open.
  uint32_t block_of_event(size_t event) {
    const uint32_t allocation = paired_.event_allocation[event];
    return allocation < block_of_.size() ? block_of_[allocation] : kNoBlock;
  }

  bool request_free(size_t event) {
    const uint32_t block = block_of_event(event);
    if (block == kNoBlock) return false;
    blocks_[block].state = BlockState::active_pending_free;
    return true;
  }

  bool complete_free(size_t event) {
    const uint32_t block = block_of_event(event);
    if (block == kNoBlock) return false;
    block_of_[paired_.event_allocation[event]] = kNoBlock;
    blocks_.release(block);
    return true;
  }

  // Step 4: the end must be the file's segments, block for block.
  bool equals_final() {
    size_t count = 0;
    for (const Segment* segment : segments_) {
      for (const Block& expected : segment->blocks) {
        const uint32_t block = blocks_.at(expected.address);
        if (block == kNoBlock) return false;
        if (blocks_[block].size != expected.size || blocks_[block].state != expected.state) return false;
        ++count;
      }
    }
    return count == blocks_.count();
  }

  // The pool of a range is that of the final segment it became; kNoPool when it did not last.
  std::unordered_map<uint32_t, uint16_t> pools_of_ranges() {
    std::unordered_map<uint32_t, uint16_t> out;
    for (const Segment* segment : segments_) {
      const uint32_t block = blocks_.at(segment->address);
      if (block == kNoBlock || segment->pool == kNone) continue;
      out[blocks_.root_range(blocks_[block].range)] = static_cast<uint16_t>(segment->pool);
    }
    return out;
  }

  // Expandable segments grow, shrink and join: the final segment over the address names them where there is one.
  uint64_t expandable_segment(uint64_t address, uint64_t run_address) const {
    const auto after = std::upper_bound(segments_.begin(), segments_.end(), address,
                                        [](uint64_t a, const Segment* s) { return a < s->address; });
    if (after == segments_.begin()) return run_address;
    const Segment* segment = *std::prev(after);
    return segment->is_expandable && address - segment->address < segment->total_size ? segment->address : run_address;
  }

  void set_places() {
    const auto pools = pools_of_ranges();
    const bool any_expandable = blocks_.any_expandable();
    for (size_t i = 0; i < table_.count(); ++i) {
      const uint32_t root = blocks_.root_range(range_of_[i]);
      const uint64_t run = blocks_.range_address(root);
      table_.segment_address.push_back(any_expandable ? expandable_segment(table_.address[i], run) : run);
      const auto pool = pools.find(root);
      table_.pool.push_back(pool == pools.end() ? kNoPool : pool->second);
    }
  }

  void note_slack() {
    if (slack_before_.empty()) return;
    paired_.findings.push_back({"replay/unknown_slack", "info", slack_before_.size(), -1,
                                "Large allocations made before the first event and freed since may each have been up to "
                                "1 MiB larger than shown."});
  }

  const DeviceTrace& trace_;
  const std::vector<const Segment*>& segments_;
  const std::map<uint64_t, ReservedRange>& start_;
  const ReservationHistory& reservations_;
  const AllocatorRules& rules_;
  PairedTrace& paired_;
  AllocationTable& table_;
  SpaceCurves& curves_;
  BlockList blocks_;
  std::vector<uint32_t> block_of_;  // by allocation: its block while it is active
  std::vector<uint32_t> range_of_;
  size_t segment_event_ = 0;  // the next one's number among the segment events
  std::map<uint64_t, size_t> slack_before_;  // rounded end of an early block that may end later → its allocation
};

}  // namespace

bool replay_layout(const LayoutInput& input, PairedTrace& paired, SpaceCurves& curves, const Progress& progress) {
  return LayoutReplay(input, paired, curves).run(progress);
}

}  // namespace tidemark
