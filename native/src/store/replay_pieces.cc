#include "store/replay_pieces.h"

#include "model/stoppable_sort.h"
#include "store/curve_levels.h"
#include "store/device_columns.h"
#include "store/pack_column.h"
#include "store/stack_slots.h"

namespace tidemark {
namespace {

// kBefore: the free was requested before the first event.
int64_t stored_free_requested(const PairedTrace& paired, size_t i) {
  const bool pending = i < paired.allocations.before_count && paired.pending_before[i];
  return pending ? kBefore : int64_t{paired.allocations.free_requested[i]};
}

void push_allocations(int32_t device, const PairedTrace& paired, PieceQueue& queue, const Progress& progress) {
  const AllocationTable& t = paired.allocations;
  const auto push = [&](const char* name, auto value_at) {
    pack_column(t.count(), progress, value_at, [&](int64_t piece, PieceBytes data) {
      queue.push({"allocation", device, name, piece, std::move(data)});
    });
  };
  push("address", [&](size_t i) { return static_cast<int64_t>(t.address[i]); });
  push("requested", [&](size_t i) { return static_cast<int64_t>(t.requested[i]); });
  push("size", [&](size_t i) { return static_cast<int64_t>(t.size[i]); });
  push("alloc_event", [&](size_t i) { return int64_t{t.alloc_event[i]}; });
  push("free_requested", [&](size_t i) { return stored_free_requested(paired, i); });
  push("free_completed", [&](size_t i) { return int64_t{t.free_completed[i]}; });
  push("version", [&](size_t i) { return int64_t{t.version[i]}; });
  push("stack", [&](size_t i) { return stored_id(t.stack[i]); });
  push("marks", [&](size_t i) { return int64_t{t.marks[i]}; });
  push("stream", [&](size_t i) { return stored_index(t.stream[i]); });
  push("pool", [&](size_t i) { return stored_index(t.pool[i]); });
  push("segment_address", [&](size_t i) { return static_cast<int64_t>(t.segment_address[i]); });
}

void push_reservations(int32_t device, const std::vector<Reservation>& lives, PieceQueue& queue, const Progress& progress) {
  const auto push = [&](const char* name, auto value_of) {
    pack_column(lives.size(), progress, [&](size_t i) { return static_cast<int64_t>(value_of(lives[i])); },
                [&](int64_t piece, PieceBytes data) { queue.push({"reservation", device, name, piece, std::move(data)}); });
  };
  push("address", [](const Reservation& r) { return r.address; });
  push("size", [](const Reservation& r) { return r.size; });
  push("map_event", [](const Reservation& r) { return r.map_event; });
  push("unmap_event", [](const Reservation& r) { return r.unmap_event; });
  push("stream", [](const Reservation& r) { return r.stream; });
  push("pool", [](const Reservation& r) { return r.pool; });
  push("segment_type", [](const Reservation& r) { return !r.is_small; });
  push("is_expandable", [](const Reservation& r) { return r.is_expandable; });
}

// The curves of one device on their way to the queue. Those of free memory may come twice (CurveBlock), so they wait.
class CurvePieces {
 public:
  CurvePieces(int32_t device, PieceQueue& queue) : device_(device), queue_(queue) {}

  void add(const CurveBlock& block) {
    levels_.add(block);
    for (int c = 0; c < kCurveCount; ++c) {
      if (!block.value[c]) continue;
      if (block.first_event == 0) waiting_[c].clear();
      waiting_[c].push_back(pack_piece(block.value[c], block.count));
      if (c < kProgramCurveCount) push_waiting(c, block.first_event / kPackedPiece);
    }
  }

  // All blocks have come.
  void finish(const Progress& progress) {
    for (int c = kProgramCurveCount; c < kCurveCount; ++c) push_waiting(c, 0);
    levels_.push(device_, queue_, progress);
  }

 private:
  void push_waiting(int curve, size_t first_piece) {
    for (PieceBytes& bytes : waiting_[curve]) {
      queue_.push({"curve", device_, kCurveNames[curve], static_cast<int64_t>(first_piece++), std::move(bytes)});
    }
    waiting_[curve].clear();
  }

  const int32_t device_;
  PieceQueue& queue_;
  CurveLevels levels_;
  std::vector<PieceBytes> waiting_[kCurveCount];
};

bool has_no_frames(const Snapshot& snapshot, uint32_t stack) {
  return stack == kNone || snapshot.stacks.depth(stack) == 0;
}

// The same code has the same color in every capture: the hash is of the text, not of ids.
uint8_t hashed_slot(const Snapshot& snapshot, uint32_t stack) {
  uint64_t h = hash_bytes(nullptr, 0);
  const uint32_t* frames = snapshot.stacks.frames(stack);
  for (size_t i = 0; i < snapshot.stacks.depth(stack); ++i) {
    const std::string& name = snapshot.strings.at(snapshot.frames.name(frames[i]));
    const int64_t line = snapshot.frames.line(frames[i]);
    h = hash_bytes(name.data(), name.size(), h);
    h = hash_bytes(&line, sizeof line, h);
  }
  return static_cast<uint8_t>(1 + kRankedSlots + (h >> 32) % kHashedSlots);
}

// Bytes held at the peak by stack.
std::vector<uint64_t> bytes_at_peak(const Snapshot& snapshot, const DeviceReplay& replay) {
  std::vector<uint64_t> bytes(snapshot.stacks.size());
  const AllocationTable& t = replay.paired.allocations;
  const int64_t peak = replay.curves.peak_event;
  for (size_t i = 0; i < t.count() && t.alloc_event[i] <= peak; ++i) {
    const bool pending = i < t.before_count && replay.paired.pending_before[i];
    if (!pending && int64_t{t.free_requested[i]} > peak && t.stack[i] != kNone) bytes[t.stack[i]] += t.size[i];
  }
  return bytes;
}

void push_slots(const Snapshot& snapshot, int32_t device, const DeviceReplay& replay, PieceQueue& queue, const Progress& progress) {
  const std::vector<uint64_t> bytes = bytes_at_peak(snapshot, replay);
  std::vector<uint32_t> order;
  std::vector<uint8_t> slots(bytes.size(), kNoStackSlot);
  for (uint32_t stack = 0; stack < bytes.size() && !is_cancelled_at(stack, progress); ++stack) {
    if (has_no_frames(snapshot, stack)) continue;
    slots[stack] = hashed_slot(snapshot, stack);
    if (bytes[stack] > 0) order.push_back(stack);
  }
  sort_until_cancelled(order, [&](uint32_t a, uint32_t b) { return bytes[a] > bytes[b]; }, progress);
  for (size_t rank = 0; rank < order.size() && rank < kRankedSlots; ++rank) {
    slots[order[rank]] = static_cast<uint8_t>(rank + 1);
  }
  pack_column(slots.size(), progress, [&](size_t i) { return int64_t{slots[i]}; }, [&](int64_t piece, PieceBytes data) {
    queue.push({"stack", device, "slot", piece, std::move(data)});
  });
}

DeviceSummary summarise(const Snapshot& snapshot, int32_t device, int64_t first_allocation_id, DeviceReplay& replay) {
  DeviceSummary out;
  const AllocationTable& t = replay.paired.allocations;
  out.device = device;
  out.first_allocation_id = first_allocation_id;
  out.event_count = replay.paired.event_allocation.size();
  out.curves = replay.curves;
  out.exact = replay.exact;
  out.allocation_count = static_cast<int64_t>(t.count());
  out.reservation_count = static_cast<int64_t>(replay.reservations.size());
  for (size_t i = 0; i < t.count(); ++i) {
    out.never_freed_count += t.free_requested[i] == kNoEvent && t.free_completed[i] == kNoEvent;
    out.no_stack_count += has_no_frames(snapshot, t.stack[i]);
  }
  out.findings = std::move(replay.paired.findings);
  return out;
}

}  // namespace

DeviceSummary push_replay(const Snapshot& names, int32_t device, int64_t first_allocation_id, const ReplayWork& replay,
                          PieceQueue& queue, const Progress& progress) {
  CurvePieces curves(device, queue);
  DeviceReplay done = replay([&](const CurveBlock& block) { curves.add(block); });
  DeviceSummary out;
  out.device = device;
  if (progress.cancel) return out;
  curves.finish(progress);
  push_allocations(device, done.paired, queue, progress);
  push_reservations(device, done.reservations, queue, progress);
  push_slots(names, device, done, queue, progress);
  return summarise(names, device, first_allocation_id, done);
}

std::vector<DeviceSummary> replay_all(const Snapshot& snapshot, const AllocatorRules& rules, PieceQueue& queue,
                                      Progress& progress) {
  std::vector<DeviceSummary> out;
  int64_t next_id = 0;
  for (const int32_t device : devices_of(snapshot)) {
    const auto replay = [&](const CurveSink& sink) {
      const CurveSink counting = [&](const CurveBlock& block) {
        sink(block);
        if (block.value[kAllocated]) progress.done += block.count;
      };
      return replay_device(snapshot, device, rules, counting, progress);
    };
    DeviceSummary summary = push_replay(snapshot, device, next_id, replay, queue, progress);
    if (progress.cancel) return out;
    next_id += summary.allocation_count;
    out.push_back(std::move(summary));
  }
  return out;
}

}  // namespace tidemark
