#include "replay/replay.h"

#include <algorithm>
#include <map>
#include <set>

#include "replay/approximate_layout.h"
#include "replay/layout.h"
#include "replay/lost_frees.h"
#include "replay/pairing.h"
#include "replay/ranges.h"
#include "replay/trim.h"

namespace tidemark {
namespace {

// A ring buffer's capacity is usually a round number.
constexpr size_t kRoundRing = 1000;

struct FinalState {
  std::vector<const Segment*> segments;  // ascending by address
  std::vector<FinalBlock> blocks;        // not inactive, ascending by address
  std::map<uint64_t, ReservedRange> ranges;
  int64_t reserved = 0;
};

// By handle: the index of a stream.
std::map<uint64_t, uint16_t> stream_indices(const Snapshot& snapshot) {
  std::map<uint64_t, uint16_t> out;
  for (size_t i = 0; i < snapshot.streams.size(); ++i) out.emplace(snapshot.streams[i], static_cast<uint16_t>(i));
  return out;
}

FinalState final_state(const Snapshot& snapshot, int32_t device) {
  FinalState out;
  const std::map<uint64_t, uint16_t> streams = stream_indices(snapshot);
  const auto has_frames = [&](uint32_t stack) { return stack != kNone && snapshot.stacks.depth(stack) > 0; };
  for (const Segment& segment : snapshot.segments) {
    if (segment.device == device) out.segments.push_back(&segment);
  }
  std::stable_sort(out.segments.begin(), out.segments.end(),
                   [](const Segment* a, const Segment* b) { return a->address < b->address; });
  uint64_t end = 0;  // of the ranges so far
  for (const Segment* segment : out.segments) {
    const auto known = streams.find(segment->stream);
    const uint16_t stream = known == streams.end() ? kNoStream : known->second;
    const uint64_t segment_end = segment->address + segment->total_size;
    if (segment->address >= end && segment_end > segment->address) {  // else it overlaps one before it or has no bytes
      out.ranges[segment->address] = ReservedRange{segment->total_size, stream, segment->is_expandable};
      end = segment_end;
    }
    out.reserved += static_cast<int64_t>(segment->total_size);
    for (const Block& block : segment->blocks) {
      if (block.state == BlockState::inactive) continue;
      const bool pending = block.state == BlockState::active_pending_free;
      out.blocks.push_back({block.address, block.size, block.requested_size, block.stack, has_frames(block.stack), stream, pending});
    }
  }
  std::stable_sort(out.blocks.begin(), out.blocks.end(),
                   [](const FinalBlock& a, const FinalBlock& b) { return a.address < b.address; });
  return out;
}

struct SegmentHistory {
  std::vector<uint32_t> events;  // indices of segment_* events
  int64_t net = 0;               // bytes reserved minus given back
  int64_t lowest = 0;            // the lowest running sum
};

SegmentHistory segment_history(const DeviceTrace& trace) {
  SegmentHistory out;
  for (size_t i = 0; i < trace.action.size(); ++i) {
    const auto action = static_cast<Action>(trace.action[i]);
    if (action < Action::segment_alloc || action > Action::segment_unmap) continue;
    out.events.push_back(static_cast<uint32_t>(i));
    const auto bytes = static_cast<int64_t>(trace.size[i]);
    out.net += action == Action::segment_alloc || action == Action::segment_map ? bytes : -bytes;
    out.lowest = std::min(out.lowest, out.net);
  }
  return out;
}

// Sizes without a layout: the true size where the block is still there at the end, else rounded from the request.
void approximate_sizes(const FinalState& final, const AllocatorRules& rules, AllocationTable& table) {
  for (size_t i = 0; i < table.count(); ++i) {
    table.size[i] = rules.round_size(table.requested[i]);
    const bool open = table.free_completed[i] == kNoEvent;
    const auto at = std::lower_bound(final.blocks.begin(), final.blocks.end(), table.address[i],
                                     [](const FinalBlock& b, uint64_t a) { return b.address < a; });
    if (open && at != final.blocks.end() && at->address == table.address[i]) table.size[i] = at->size;
  }
}

// Segment and pool from the final state alone.
void approximate_places(const FinalState& final, AllocationTable& table) {
  table.segment_address = {};
  table.pool = {};
  for (size_t i = 0; i < table.count(); ++i) {
    const Segment* segment = segment_over(final.segments, table.address[i]);
    table.segment_address.push_back(segment ? segment->address : 0);
    table.pool.push_back(segment && segment->pool != kNone ? static_cast<uint16_t>(segment->pool) : kNoPool);
  }
}

// The pool that the event names wins; a file that knows only the default pool leaves no doubt.
void settle_pools(const DeviceTrace& trace, size_t pool_count, AllocationTable& table) {
  for (size_t i = 0; i < table.count(); ++i) {
    const int32_t event = table.marks[i] & kMadeUnseen ? -1 : table.alloc_event[i];
    if (event >= 0 && trace.pool[event] != kNoPool) table.pool[i] = trace.pool[event];
    if (table.pool[i] == kNoPool && pool_count <= 1) table.pool[i] = 0;
  }
}

void note_ring(const DeviceTrace& trace, PairedTrace& paired) {
  const size_t n = trace.action.size();
  if (n == 0 || n % kRoundRing != 0 || paired.allocations.before_count == 0) return;
  paired.findings.push_back({"snapshot/ring_overflow_suspected", "warning", 1, -1,
                             "The history has a round number of events and begins with memory in use: older events were "
                             "probably overwritten."});
}

}  // namespace

std::vector<int32_t> devices_of(const Snapshot& snapshot) {
  std::set<int32_t> devices;
  for (size_t i = 0; i < snapshot.traces.size(); ++i) {
    if (!snapshot.traces[i].action.empty()) devices.insert(static_cast<int32_t>(i));
  }
  for (const Segment& segment : snapshot.segments) devices.insert(segment.device);
  return {devices.begin(), devices.end()};
}

const DeviceTrace& device_trace(const Snapshot& snapshot, int32_t device) {
  static const DeviceTrace none{};
  const bool traced = device >= 0 && static_cast<size_t>(device) < snapshot.traces.size();
  return traced ? snapshot.traces[device] : none;
}

DeviceReplay replay_device(const Snapshot& snapshot, int32_t device, const AllocatorRules& rules, const CurveSink& sink,
                           const Progress& progress) {
  const DeviceTrace& trace = device_trace(snapshot, device);
  const FinalState final = final_state(snapshot, device);
  const SegmentHistory history = segment_history(trace);
  const bool has_final = !final.segments.empty() || history.net == 0;

  DeviceReplay out;
  out.paired = pair_events(trace, final.blocks, has_final, progress);
  if (progress.cancel) return out;
  AllocationTable& table = out.paired.allocations;
  note_ring(trace, out.paired);

  const StartRanges start = undo_segment_events(trace, history.events, final.ranges);
  ReservationHistory reservations = derive_reservations(
      {&trace, &history.events, &final.segments, &start.by_address, &table, &rules, snapshot.pools.size()});
  const LayoutInput input{&trace, &final.segments, &start.by_address, &reservations, &rules};
  SpaceCurves space(trace.action.size(), sink, out.curves);
  out.exact = start.consistent && replay_layout(input, out.paired, space, progress);
  if (progress.cancel) return out;
  ReservedCurve reserved;
  reserved.start = has_final ? std::max<int64_t>(0, final.reserved - history.net) : -history.lowest;
  if (!out.exact) {
    const size_t events = trace.action.size();
    if (has_final && events > 0) {
      end_in_final_state(final.segments, final.ranges, static_cast<int64_t>(events) - 1, reservations.lives);
    }
    approximate_sizes(final, rules, table);
    approximate_places(final, table);
    close_when_overlapped(events, reservations.lives, out.paired, progress);
    trim_sizes(events, reservations.lives, table, progress);
    const bool is_whole = approximate_layout(events, reservations.lives, table, space, reserved, progress);
    if (progress.cancel) return out;
    if (!is_whole) {
      out.paired.findings.push_back({"replay/layout_cut", "warning", 1, -1,
                                     "Memory is reserved and given back under so many blocks that the free memory was followed for a part of the "
                                     "history only."});
    }
    out.paired.findings.push_back({"replay/approximate", "warning", 1, -1,
                                   "The history does not lead to the final state block for block: block sizes are rounded "
                                   "from the events, and curves may differ from the allocator's own numbers."});
  }
  settle_pools(trace, snapshot.pools.size(), table);
  run_curves(trace, out.paired, reserved, sink, progress, out.curves);
  out.reservations = std::move(reservations.lives);
  return out;
}

}  // namespace tidemark
