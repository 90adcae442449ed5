#include "replay/trace_pairing.h"

#include <algorithm>
#include <numeric>

#include "model/stoppable_sort.h"
#include "replay/address_map.h"

namespace tidemark {
namespace {

constexpr uint32_t kEarly = 0x80000000u;  // marks an index into early_ until the order of the table is known

struct Life {
  uint64_t address = 0;
  uint64_t size = 0;
  int32_t alloc_event = -1;
  uint32_t free_event = kNoEvent;
  uint32_t version = 0;
};

struct AddressUse {
  uint32_t open = kNoAllocation;  // the life that holds the address now
  uint32_t version = 0;           // of that life, or of the next one
  bool touched = false;           // an event has named the address
};

class TracePairer {
 public:
  TracePairer(const Trace& trace, TraceMemoryDevice& device, FindingLog& findings, const Progress& progress)
      : trace_(trace), device_(device), findings_(findings), progress_(progress) {}

  void run(const std::vector<uint32_t>& event_op) {
    const size_t n = device_.bytes.size();
    event_life_.reserve(n);
    for (size_t event = 0; event < n && !is_cancelled_at(event, progress_); ++event) {
      event_life_.push_back(step(static_cast<uint32_t>(event)));
    }
    put_floor();
    if (!progress_.cancel) fill_table();
    if (!progress_.cancel) fill_events();
    if (!progress_.cancel) fill_attribution(event_op);
  }

 private:
  uint32_t step(uint32_t event) {
    const int64_t bytes = device_.bytes[event];
    const bool is_oom = static_cast<Action>(device_.events.action[event]) == Action::oom;
    if (!is_oom) held_ += bytes;
    note_base(event);
    if (is_oom || bytes == 0) return kNoAllocation;
    if (device_.events.address[event] == 0) {
      count(event, "trace/memory_without_address", "info",
            "Memory events have no address: they show in the curve, but not as allocations.");
      nameless_ += bytes;
      lowest_nameless_ = std::min(lowest_nameless_, nameless_);
      return kNoAllocation;
    }
    return bytes > 0 ? open(event) : close(event);
  }

  // What was held before the first event, as the first total that the file gives says.
  void note_base(uint32_t event) {
    if (has_base_ || device_.total_allocated[event] < 0) return;
    has_base_ = true;
    base_ = device_.total_allocated[event] - held_;
  }

  uint32_t open(uint32_t event) {
    bool fresh;
    AddressUse& use = uses_.at_or_insert(device_.events.address[event], fresh);
    if (use.open != kNoAllocation) {
      count(event, "trace/memory_overwritten", "warning",
            "An allocation was made at an address still in use: the free in between is missing, and the earlier one ends there.");
      device_.replay.paired.implicit_closes.push_back({event, use.open});
      life(use.open).free_event = event;
      ++use.version;
    }
    use.open = static_cast<uint32_t>(lives_.size());
    use.touched = true;
    lives_.push_back({device_.events.address[event], device_.events.size[event], static_cast<int32_t>(event), kNoEvent, use.version});
    return use.open;
  }

  uint32_t close(uint32_t event) {
    bool fresh;
    AddressUse& use = uses_.at_or_insert(device_.events.address[event], fresh);
    if (use.open == kNoAllocation) {
      count(event, "trace/memory_unmatched_free", "info",
            "Memory was freed that no event of the trace allocated: it was held before the first event, or events are missing.");
      if (use.touched) return kNoAllocation;  // freed before: its allocation is missing, and when that was nobody knows
      use.open = kEarly | static_cast<uint32_t>(early_.size());
      early_.push_back({device_.events.address[event], device_.events.size[event], -1, kNoEvent, 0});
    }
    const uint32_t closed = use.open;
    if (life(closed).size != device_.events.size[event]) {
      count(event, "trace/memory_size_mismatch", "warning", "A free names another size than its allocation.");
    }
    life(closed).free_event = event;
    use.open = kNoAllocation;
    use.touched = true;
    ++use.version;
    return closed;
  }

  Life& life(uint32_t index) { return index & kEarly ? early_[index & ~kEarly] : lives_[index]; }

  // What is left of the base once the early allocations that the trace knows are taken from it. Without totals there is none, except
  // that a curve of events without addresses must not fall below 0.
  void put_floor() {
    int64_t floor = has_base_ ? base_ : -lowest_nameless_;
    for (const Life& early : early_) floor -= has_base_ ? static_cast<int64_t>(early.size) : 0;
    if (floor > 0) early_.push_back({0, static_cast<uint64_t>(floor), -1, kNoEvent, 0});
  }

  // By address, hence the floor first; then the others as they were made.
  void fill_table() {
    std::vector<uint32_t> order(early_.size());
    std::iota(order.begin(), order.end(), 0u);
    sort_until_cancelled(order, [&](uint32_t a, uint32_t b) { return early_[a].address < early_[b].address; }, progress_);
    early_place_.resize(early_.size());
    PairedTrace& paired = device_.replay.paired;
    for (uint32_t place = 0; place < order.size() && !is_cancelled_at(place, progress_); ++place) {
      early_place_[order[place]] = place;
      append(early_[order[place]]);
    }
    paired.allocations.before_count = early_.size();
    paired.pending_before.assign(early_.size(), 0);
    for (size_t i = 0; i < lives_.size() && !is_cancelled_at(i, progress_); ++i) append(lives_[i]);
  }

  void append(const Life& one) {
    AllocationTable& t = device_.replay.paired.allocations;
    t.address.push_back(one.address);
    t.requested.push_back(one.size);
    t.size.push_back(one.size);
    t.alloc_event.push_back(one.alloc_event);
    t.free_requested.push_back(one.free_event);
    t.free_completed.push_back(one.free_event);
    t.version.push_back(one.version);
    t.stack.push_back(one.alloc_event < 0 ? kNone : device_.events.stack[static_cast<size_t>(one.alloc_event)]);
    t.marks.push_back(0);
    t.stream.push_back(kNoStream);
    t.pool.push_back(kNoPool);
    t.segment_address.push_back(0);
  }

  uint32_t place_of(uint32_t index) const {
    if (index == kNoAllocation) return index;
    return index & kEarly ? early_place_[index & ~kEarly] : index + static_cast<uint32_t>(early_.size());
  }

  void fill_events() {
    PairedTrace& paired = device_.replay.paired;
    for (const uint32_t index : event_life_) paired.event_allocation.push_back(place_of(index));
    for (ImplicitClose& closed : paired.implicit_closes) closed.allocation = place_of(closed.allocation);
  }

  void fill_attribution(const std::vector<uint32_t>& event_op) {
    for (size_t i = 0; i < early_.size(); ++i) {
      device_.allocation_op.push_back(kNone);
      device_.allocation_slice.push_back(kNoSlice);
    }
    for (const Life& made : lives_) {
      device_.allocation_op.push_back(event_op[static_cast<size_t>(made.alloc_event)]);
      device_.allocation_slice.push_back(device_.slice[static_cast<size_t>(made.alloc_event)]);
    }
  }

  void count(uint32_t event, const char* code, const char* severity, const char* message) {
    const SourceSpan& source = trace_.memory_events[device_.rows[event]].source;
    findings_.count(code, severity, source.length > 0 ? static_cast<int64_t>(source.offset) : -1, message);
  }

  const Trace& trace_;
  TraceMemoryDevice& device_;
  FindingLog& findings_;
  const Progress& progress_;
  AddressMap<AddressUse> uses_;
  std::vector<Life> early_;
  std::vector<Life> lives_;
  std::vector<uint32_t> early_place_;  // by index into early_: row of the table
  std::vector<uint32_t> event_life_;
  bool has_base_ = false;
  int64_t base_ = 0;
  int64_t held_ = 0;      // bytes of the events so far
  int64_t nameless_ = 0;  // of those without an address
  int64_t lowest_nameless_ = 0;
};

}  // namespace

void pair_trace_events(const Trace& trace, const std::vector<uint32_t>& event_op, TraceMemoryDevice& device, FindingLog& findings,
                       const Progress& progress) {
  TracePairer(trace, device, findings, progress).run(event_op);
}

}  // namespace tidemark
