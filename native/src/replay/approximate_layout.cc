#include "replay/approximate_layout.h"

#include <algorithm>
#include <map>

#include "replay/block_list.h"

namespace tidemark {
namespace {

constexpr size_t kCancelInterval = 1 << 15;

class ApproximateLayout {
 public:
  ApproximateLayout(const LayoutInput& input, const PairedTrace& paired, SpaceCurves& curves)
      : in_(input), trace_(*input.trace), paired_(paired), table_(paired.allocations), curves_(curves) {}

  void run(const Progress& progress) {
    find_ends();
    lay_start();
    curves_.start(blocks_.free_space());
    const size_t n = trace_.action.size();
    for (size_t event = 0; event < n; ++event) {
      if (event % kCancelInterval == 0 && progress.cancel) return;
      step(event);
      if (event + 1 == n) add_unseen();
      curves_.add(event, blocks_.free_space());
    }
  }

 private:
  void find_ends() {
    for (const Reservation& life : in_.reservations->lives) {
      if (life.is_expandable && life.unmap_event != kNoEvent) ends_.push_back(&life);
    }
    std::stable_sort(ends_.begin(), ends_.end(),
                     [](const Reservation* a, const Reservation* b) { return a->unmap_event < b->unmap_event; });
  }

  void lay_start() {
    size_t number = 0;
    for (const auto& [address, range] : *in_.start_ranges) {
      const bool is_small = in_.reservations->start_is_small[number++];
      blocks_.add_range({address, range.size, range.stream, range.is_expandable, is_small});
    }
    for (size_t i = 0; i < table_.before_count; ++i) allocate(i);
  }

  void step(size_t event) {
    const uint32_t allocation = paired_.event_allocation[event];
    // What the file forgot to free goes first: it may be in the way of the event itself.
    while (next_close_ < paired_.implicit_closes.size() && paired_.implicit_closes[next_close_].event == event) {
      release(table_.address[paired_.implicit_closes[next_close_++].allocation]);
    }
    switch (static_cast<Action>(trace_.action[event])) {
      case Action::alloc:
        if (table_.free_completed[allocation] != event) allocate(allocation);
        break;
      case Action::free_completed:
      case Action::free:
        if (allocation != kNoAllocation && table_.free_completed[allocation] == event) release(table_.address[allocation]);
        break;
      case Action::segment_alloc:
      case Action::segment_map:
      case Action::segment_free:
      case Action::segment_unmap: change_segment(event); break;
      default: break;
    }
  }

  void add_unseen() {
    for (size_t i = table_.count() - paired_.unseen_count; i < table_.count(); ++i) allocate(i);
  }

  void allocate(size_t allocation) {
    const uint64_t address = table_.address[allocation];
    uint32_t block = blocks_.free_over(address, address);
    if (block == kNoBlock) return;
    if (const uint64_t offset = address - blocks_[block].address; offset > 0) {
      blocks_.split(block, offset);
      block = blocks_[block].next;
    }
    blocks_.take(block, std::min(table_.size[allocation], blocks_[block].size), BlockState::active_allocated);
    held_[address] = block;
  }

  void release(uint64_t address) {
    const auto at = held_.find(address);
    if (at == held_.end()) return;
    blocks_.release(at->second);
    held_.erase(at);
  }

  void change_segment(size_t event) {
    const size_t number = segment_event_++;
    if (!in_.reservations->event_is_sound[number]) return;
    const auto action = static_cast<Action>(trace_.action[event]);
    const uint64_t address = trace_.address[event];
    const uint64_t size = trace_.size[event];
    if (action == Action::segment_alloc || action == Action::segment_map) {
      const bool is_small = in_.reservations->event_is_small[number];
      blocks_.add_range({address, size, trace_.stream[event], action == Action::segment_map, is_small});
      return;
    }
    if (action == Action::segment_unmap) return unmap(event);
    release_within(address, address + size);
    blocks_.remove_range(address, size);
  }

  void release_within(uint64_t from, uint64_t to) {
    auto at = held_.lower_bound(from);
    if (at != held_.begin()) {
      const auto before = std::prev(at);
      if (from - before->first < blocks_[before->second].size) at = before;
    }
    while (at != held_.end() && at->first < to) {
      blocks_.release(at->second);
      at = held_.erase(at);
    }
  }

  // Whatever is mapped of the event's bytes, as the reservations have it.
  void unmap(size_t event) {
    for (; next_end_ < ends_.size() && ends_[next_end_]->unmap_event == event; ++next_end_) {
      const Reservation& life = *ends_[next_end_];
      release_within(life.address, life.end());
      blocks_.unmap(life.address, life.size);
    }
  }

  const LayoutInput& in_;
  const DeviceTrace& trace_;
  const PairedTrace& paired_;
  const AllocationTable& table_;
  SpaceCurves& curves_;
  BlockList blocks_{true};
  std::map<uint64_t, uint32_t> held_;  // address of an allocation that has found room → its block
  std::vector<const Reservation*> ends_;  // expandable ones that are unmapped, by event, then address
  size_t next_end_ = 0;
  size_t next_close_ = 0;
  size_t segment_event_ = 0;  // the next one's number among the segment events
};

}  // namespace

void approximate_layout(const LayoutInput& input, const PairedTrace& paired, SpaceCurves& curves, const Progress& progress) {
  ApproximateLayout(input, paired, curves).run(progress);
}

}  // namespace tidemark
