#include "query/recording.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>

#include "query/stoppable.h"
#include "store/sql.h"

namespace tidemark {
namespace {

constexpr int32_t kFirstUnnamedPool = 1 << 20;
constexpr int kMostSteps = 256;  // back through the lives of an address

struct ActionWord {
  const char* word;
  DriverAction action;
};
constexpr ActionWord kActions[] = {{"segment_alloc", DriverAction::alloc},
                                   {"segment_free", DriverAction::free},
                                   {"segment_map", DriverAction::map},
                                   {"segment_unmap", DriverAction::unmap},
                                   {"oom", DriverAction::oom}};

// Which pool of the simulator memory belongs to: 0 = the default one.
class PoolNumbers {
 public:
  PoolNumbers(const DeviceColumns& columns, int64_t default_pool) : columns_(columns), default_pool_(default_pool) {
    for (const Reservation& life : columns.reservations) {
      if (life.pool >= 0 && life.pool != default_pool) private_streams_.insert(life.stream);
    }
  }

  // The pool of what lies at `address` after `event`; `named`: its pool in the capture, −1 = not known.
  int32_t of(int64_t named, uint64_t address, int64_t event) const {
    if (named >= 0) return number(named);
    const std::optional<size_t> life = life_at(address, event);
    if (!life) return 0;
    const Reservation& reservation = columns_.reservations[*life];
    if (reservation.pool >= 0) return number(reservation.pool);
    return private_streams_.count(reservation.stream) > 0 ? kFirstUnnamedPool + static_cast<int32_t>(*life) : 0;
  }

  int32_t number(int64_t named) const { return named == default_pool_ ? 0 : static_cast<int32_t>(named + 1); }

 private:
  std::optional<size_t> life_at(uint64_t address, int64_t event) const {
    const auto& lives = columns_.reservations;
    const auto above = [](uint64_t at, const Reservation& life) { return at < life.address; };
    auto life = std::upper_bound(lives.begin(), lives.end(), address, above);
    for (int step = 0; step < kMostSteps && life != lives.begin(); ++step) {
      --life;
      const bool is_then = life->map_event <= event && (life->unmap_event == kNoEvent || int64_t{life->unmap_event} > event);
      if (is_then && life->end() > address) return static_cast<size_t>(life - lives.begin());
    }
    return std::nullopt;
  }

  const DeviceColumns& columns_;
  const int64_t default_pool_;
  std::set<int32_t> private_streams_;
};

Failure read_actions(sqlite3* db, int32_t device, const ActionWord& wanted, const StopSignal& stop, std::vector<DriverCall>& out) {
  const char* const sql =
      "SELECT event, address, size_bytes, stack_id, device_free_bytes, (SELECT stream_index FROM stream WHERE handle = stream), "
      "(SELECT pool_index FROM pool WHERE name = pool) FROM event WHERE device = ? AND action = ?";
  Statement rows(db, sql);
  rows.bind(1, int64_t{device});
  rows.bind(2, wanted.word);
  int result = rows.step();
  for (; result == SQLITE_ROW; result = rows.step()) {
    if (is_stopped_at(out.size(), stop)) return query_cancelled();
    DriverCall call;
    call.event = static_cast<uint32_t>(rows.integer(0));
    call.action = wanted.action;
    call.address = std::strtoull(std::string(rows.text(1)).c_str(), nullptr, 16);
    call.bytes = static_cast<uint64_t>(std::max<int64_t>(rows.integer(2), 0));
    if (!rows.is_null(3)) call.stack = rows.integer(3);
    if (!rows.is_null(4)) call.device_free = rows.integer(4);
    call.stream = static_cast<int32_t>(rows.integer(5));
    call.pool = rows.is_null(6) ? -1 : static_cast<int32_t>(rows.integer(6));
    out.push_back(call);
  }
  return read_failure(result, "relation event");
}

Failure read_calls(sqlite3* db, const DeviceColumns& columns, const PoolNumbers& pools, const StopSignal& stop, Recording& out) {
  for (const ActionWord& action : kActions) {
    const Failure error = read_actions(db, columns.device, action, stop, out.calls);
    if (error.failed()) return error;
  }
  std::sort(out.calls.begin(), out.calls.end(), [](const DriverCall& a, const DriverCall& b) { return a.event < b.event; });
  for (DriverCall& call : out.calls) {
    if (call.action == DriverAction::oom) call.pool = call.pool < 0 ? 0 : pools.number(call.pool);
    else call.pool = pools.of(call.pool, call.address, int64_t{call.event} - 1);
  }
  return {};
}

Failure read_allocations(const DeviceColumns& columns, const PoolNumbers& pools, const StopSignal& stop, Recording& out) {
  const size_t count = columns.alloc_event.size();
  std::vector<int64_t> requested(count), stream(count), pool(count);
  columns.requested.decode(0, count, requested.data());
  columns.stream.decode(0, count, stream.data());
  columns.pool.decode(0, count, pool.data());
  out.allocations.resize(count);
  for (size_t i = 0; i < count; ++i) {
    if (is_stopped_at(i, stop)) return query_cancelled();
    RecordedAllocation& allocation = out.allocations[i];
    const int32_t event = columns.alloc_event[i];
    allocation.requested = static_cast<uint64_t>(std::max<int64_t>(requested[i], 0));
    allocation.alloc_event = event < 0 ? 0 : static_cast<uint32_t>(event);
    allocation.is_early = event < 0;
    allocation.is_freed_early = columns.is_pending_before(i);
    allocation.free_requested = columns.free_requested[i];
    allocation.free_completed = columns.free_completed[i];
    allocation.stream = static_cast<int32_t>(stream[i]);
    allocation.pool = pools.of(pool[i], columns.address[i], event);
  }
  return {};
}

void copy_layout(const BlockLayout& layout, const PoolNumbers& pools, RecordedLayout& out) {
  for (const LayoutSegment& segment : layout.segments) {
    RecordedSegment copy;
    copy.address = segment.address;
    copy.size = segment.totals.reserved;
    copy.stream = segment.stream;
    copy.pool = pools.of(segment.pool, segment.address, layout.event);
    copy.is_small = segment.is_small;
    copy.is_expandable = segment.is_expandable;
    for (uint32_t i = segment.first_block; i < segment.block_end; ++i) {
      const ActiveBlock& block = layout.blocks[i];
      copy.blocks.push_back({block.address, block.size, layout.history->index[block.place], block.is_pending});
    }
    out.push_back(std::move(copy));
  }
}

}  // namespace

Failure read_recording(sqlite3* db, const BlockLayout& start, const BlockLayout& end, const StopSignal& stop, Recording& out) {
  const DeviceColumns& columns = start.columns();
  Statement default_pool(db, "SELECT pool_index FROM pool WHERE name = '(0,0)'");
  const int result = default_pool.step();
  const PoolNumbers pools(columns, result == SQLITE_ROW ? default_pool.integer(0) : -2);
  out = {};
  out.event_count = static_cast<uint32_t>(columns.event_count);
  Failure error = read_failure(result, "relation pool");
  if (!error.failed()) error = read_allocations(columns, pools, stop, out);
  if (!error.failed()) error = read_calls(db, columns, pools, stop, out);
  if (error.failed()) return error;
  out.allocated.resize(columns.event_count);
  columns.curve[kAllocated].decode(0, columns.event_count, out.allocated.data());
  copy_layout(start, pools, out.start);
  copy_layout(end, pools, out.end);
  return {};
}

}  // namespace tidemark
