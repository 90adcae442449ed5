#include "replay/pairing.h"

#include <algorithm>
#include <numeric>

#include "replay/address_map.h"

namespace tidemark {
namespace {

constexpr uint32_t kEarly = 0x80000000u;  // marks an index into early_ until the final order is known
constexpr size_t kCancelInterval = 1 << 16;

struct AddressUse {
  uint32_t open = kNoAllocation;  // the allocation that holds the address now
  uint32_t version = 0;           // of that allocation, or of the next one
  bool touched = false;           // an event has named the address
};

// Counts occurrences of one kind and remembers where the first was.
struct Tally {
  uint64_t count = 0;
  int64_t first_at = -1;
  void add(int64_t at) {
    if (count++ == 0) first_at = at;
  }
};

class Pairer {
 public:
  Pairer(const DeviceTrace& trace, const std::vector<FinalBlock>& final_blocks, bool has_final)
      : trace_(trace), final_blocks_(final_blocks), has_final_(has_final) {}

  PairedTrace run(const Progress& progress) {
    const size_t n = trace_.action.size();
    for (size_t event = 0; event < n; ++event) {
      if (event % kCancelInterval == 0 && progress.cancel) return {};
      out_.event_allocation.push_back(step(static_cast<uint32_t>(event)));
    }
    close_vanished();
    match_final_blocks();
    put_early_first();
    report();
    return std::move(out_);
  }

 private:
  uint32_t step(uint32_t event) {
    switch (static_cast<Action>(trace_.action[event])) {
      case Action::alloc: return open(event);
      case Action::free_requested: return close(event, true, false);
      case Action::free_completed: return close(event, false, true);
      case Action::free: return close(event, true, true);
      default: return kNoAllocation;
    }
  }

  uint32_t open(uint32_t event) {
    bool fresh;
    AddressUse& use = uses_.at_or_insert(trace_.address[event], fresh);
    if (use.open != kNoAllocation) {
      over_open_.add(event);
      close_implicitly(use, event);
    }
    AllocationTable& t = traced_;
    const auto index = static_cast<uint32_t>(t.count());
    t.address.push_back(trace_.address[event]);
    t.requested.push_back(trace_.size[event]);
    t.alloc_event.push_back(static_cast<int32_t>(event));
    t.free_requested.push_back(kNoEvent);
    t.free_completed.push_back(kNoEvent);
    t.version.push_back(use.version);
    t.stack.push_back(trace_.stack[event]);
    t.marks.push_back(0);
    t.stream.push_back(trace_.stream[event]);
    use.open = index;
    use.touched = true;
    return index;
  }

  uint32_t close(uint32_t event, bool requested, bool completed) {
    bool fresh;
    AddressUse& use = uses_.at_or_insert(trace_.address[event], fresh);
    if (use.open == kNoAllocation) {
      if (use.touched) {  // it was closed already, so its next allocation is missing from the file
        ghost_frees_.add(event);
        return kNoAllocation;
      }
      use.open = add_early(event, !requested);
    }
    use.touched = true;
    const uint32_t index = use.open;
    if (free_sizes_differ(index, event)) size_mismatches_.add(event);
    uint32_t& free_requested = free_requested_of(index);
    if (requested && free_requested == kNoEvent) free_requested = event;
    if (!completed) return index;
    if (free_requested == kNoEvent && !pending_before(index)) {
      free_requested = event;
      unrequested_.add(event);
    }
    free_completed_of(index) = event;
    use.open = kNoAllocation;
    ++use.version;
    return index;
  }

  // A free whose allocation was made before the first event: all that is known of where it came from is who gave it back.
  uint32_t add_early(uint32_t event, bool completion_first) {
    EarlyAllocation early;
    early.address = trace_.address[event];
    early.requested = trace_.size[event];
    early.stack = trace_.stack[event];
    if (early.stack != kNone) early.marks = kStackOfFree;
    early.stream = trace_.stream[event];
    early.pending = completion_first && has_requests();
    early_.push_back(early);
    return kEarly | static_cast<uint32_t>(early_.size() - 1);
  }

  // Whether the file records free_requested at all (skip_actions can drop it).
  bool has_requests() {
    if (requests_known_) return has_requests_;
    requests_known_ = true;
    for (size_t i = 0; i < trace_.action.size() && !has_requests_; ++i) {
      has_requests_ = static_cast<Action>(trace_.action[i]) == Action::free_requested;
    }
    return has_requests_;
  }

  bool pending_before(uint32_t index) const { return (index & kEarly) && early_[index & ~kEarly].pending; }
  uint32_t& free_requested_of(uint32_t index) {
    return index & kEarly ? early_[index & ~kEarly].free_requested : traced_.free_requested[index];
  }
  uint32_t& free_completed_of(uint32_t index) {
    return index & kEarly ? early_[index & ~kEarly].free_completed : traced_.free_completed[index];
  }
  bool free_sizes_differ(uint32_t index, uint32_t event) {
    const uint64_t opened = index & kEarly ? early_[index & ~kEarly].requested : traced_.requested[index];
    return opened != trace_.size[event];
  }

  void close_implicitly(AddressUse& use, uint32_t event) {
    uint32_t& requested = free_requested_of(use.open);
    if (requested == kNoEvent && !pending_before(use.open)) requested = event;
    free_completed_of(use.open) = event;
    out_.implicit_closes.push_back({event, use.open});
    use.open = kNoAllocation;
    ++use.version;
  }

  // Blocks of the end that no event names were there before the first event. Where events name the address but leave it free,
  // the making of the block is missing.
  void match_final_blocks() {
    for (const FinalBlock& block : final_blocks_) {
      bool fresh;
      AddressUse& use = uses_.at_or_insert(block.address, fresh);
      if (use.open != kNoAllocation) take_stack(use.open, block);
      else if (use.touched) open_unseen(use, block);
      else use.open = add_before_history(block);
    }
  }

  uint32_t add_before_history(const FinalBlock& block) {
    EarlyAllocation early;
    early.address = block.address;
    early.requested = block.requested;
    early.size = block.size;
    early.stack = block.stack;
    early.stream = block.stream;
    early.pending = block.pending;
    early_.push_back(early);
    return kEarly | static_cast<uint32_t>(early_.size() - 1);
  }

  // The block names who made the allocation, which a free does not.
  void take_stack(uint32_t index, const FinalBlock& block) {
    uint32_t& stack = index & kEarly ? early_[index & ~kEarly].stack : traced_.stack[index];
    uint8_t& marks = index & kEarly ? early_[index & ~kEarly].marks : traced_.marks[index];
    if (block.stack == kNone || (stack != kNone && !(marks & kStackOfFree && block.has_frames))) return;
    stack = block.stack;
    marks &= static_cast<uint8_t>(~kStackOfFree);
  }

  // An earlier place could overlap with what held the memory in between: the block is only known to be there at the end.
  void open_unseen(AddressUse& use, const FinalBlock& block) {
    const auto last = static_cast<uint32_t>(trace_.action.size() - 1);
    unseen_.add(-1);
    AllocationTable& t = traced_;
    use.open = static_cast<uint32_t>(t.count());
    t.address.push_back(block.address);
    t.requested.push_back(block.requested);
    t.alloc_event.push_back(static_cast<int32_t>(last));
    t.free_requested.push_back(block.pending ? last : kNoEvent);
    t.free_completed.push_back(kNoEvent);
    t.version.push_back(use.version);
    t.stack.push_back(block.stack);
    t.marks.push_back(kMadeUnseen);
    t.stream.push_back(block.stream);
    ++out_.unseen_count;
  }

  // What is open in the trace but gone from the final state lost its free: it ends with the capture.
  void close_vanished() {
    if (!has_final_ || trace_.action.size() == 0) return;
    const auto last = static_cast<uint32_t>(trace_.action.size() - 1);
    std::vector<uint64_t> vanished;
    uses_.each([&](uint64_t address, const AddressUse& use) {
      if (use.open != kNoAllocation && !final_block_at(address)) vanished.push_back(address);
    });
    std::sort(vanished.begin(), vanished.end());
    for (const uint64_t address : vanished) {
      AddressUse& use = *uses_.find(address);
      lost_frees_.add(first_event_of(use.open));
      close_implicitly(use, last);
    }
  }

  bool final_block_at(uint64_t address) const {
    const auto at = std::lower_bound(final_blocks_.begin(), final_blocks_.end(), address,
                                     [](const FinalBlock& b, uint64_t a) { return b.address < a; });
    return at != final_blocks_.end() && at->address == address;
  }

  int64_t first_event_of(uint32_t index) { return index & kEarly ? -1 : traced_.alloc_event[index]; }

  void put_early_first() {
    std::vector<uint32_t> order(early_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return early_[a].address < early_[b].address; });
    std::vector<uint32_t> place(early_.size());
    AllocationTable& t = out_.allocations;
    t.before_count = early_.size();
    for (uint32_t i = 0; i < order.size(); ++i) {
      place[order[i]] = i;
      append_early(t, early_[order[i]]);
    }
    append_traced(t);
    const auto shift = static_cast<uint32_t>(early_.size());
    const auto final_index = [&](uint32_t index) {
      if (index == kNoAllocation) return index;
      return index & kEarly ? place[index & ~kEarly] : index + shift;
    };
    for (size_t i = 0; i < out_.event_allocation.size(); ++i) {
      out_.event_allocation[i] = final_index(out_.event_allocation[i]);
    }
    for (ImplicitClose& close : out_.implicit_closes) close.allocation = final_index(close.allocation);
  }

  void append_early(AllocationTable& t, const EarlyAllocation& early) {
    t.address.push_back(early.address);
    t.requested.push_back(early.requested);
    t.size.push_back(early.size);
    t.alloc_event.push_back(-1);
    t.free_requested.push_back(early.free_requested);
    t.free_completed.push_back(early.free_completed);
    t.version.push_back(0);
    t.stack.push_back(early.stack);
    t.marks.push_back(early.marks);
    t.stream.push_back(early.stream);
    out_.pending_before.push_back(early.pending);
  }

  // With nothing before the first event the traced columns are the answer; else they follow the early ones.
  void append_traced(AllocationTable& t) {
    const size_t n = traced_.count();
    if (t.before_count == 0) {
      t = std::move(traced_);
      for (size_t i = 0; i < n; ++i) t.size.push_back(0);
      return;
    }
    for (size_t i = 0; i < n; ++i) {
      t.address.push_back(traced_.address[i]);
      t.requested.push_back(traced_.requested[i]);
      t.size.push_back(0);
      t.alloc_event.push_back(traced_.alloc_event[i]);
      t.free_requested.push_back(traced_.free_requested[i]);
      t.free_completed.push_back(traced_.free_completed[i]);
      t.version.push_back(traced_.version[i]);
      t.stack.push_back(traced_.stack[i]);
      t.marks.push_back(traced_.marks[i]);
      t.stream.push_back(traced_.stream[i]);
    }
    traced_ = AllocationTable{};
  }

  void find(const char* code, const char* severity, const Tally& tally, const char* message) {
    if (tally.count) out_.findings.push_back({code, severity, tally.count, tally.first_at, message});
  }

  void report() {
    Tally before;
    before.count = trace_.action.size() ? early_.size() : 0;
    find("snapshot/history_starts_late", "info", before,
         "Allocations were made before the first recorded event; the state before it is inferred.");
    find("snapshot/ghost_free", "warning", ghost_frees_,
         "A free names memory that the history shows as free: the allocation in between is missing and not shown.");
    find("snapshot/ghost_block", "warning", unseen_,
         "A block of the final state lies where the history ends with free memory: it is shown at the last event.");
    find("snapshot/size_mismatch", "warning", size_mismatches_, "A free names another size than its allocation.");
    find("snapshot/alloc_over_open", "warning", over_open_,
         "An allocation was made at an address still in use; the earlier one was closed there.");
    find("snapshot/lost_free", "warning", lost_frees_,
         "An allocation is gone from the final state without a recorded free; it was closed at the last event.");
    find("snapshot/free_request_missing", "info", unrequested_,
         "Frees have only their completion in the file; the request is taken to be at the same event.");
  }

  const DeviceTrace& trace_;
  const std::vector<FinalBlock>& final_blocks_;
  const bool has_final_;
  bool requests_known_ = false;
  bool has_requests_ = false;
  AddressMap<AddressUse> uses_;
  std::vector<EarlyAllocation> early_;
  AllocationTable traced_;
  PairedTrace out_;
  Tally over_open_, ghost_frees_, unseen_, size_mismatches_, lost_frees_, unrequested_;
};

}  // namespace

PairedTrace pair_events(const DeviceTrace& trace, const std::vector<FinalBlock>& final_blocks, bool has_final,
                        const Progress& progress) {
  return Pairer(trace, final_blocks, has_final).run(progress);
}

}  // namespace tidemark
