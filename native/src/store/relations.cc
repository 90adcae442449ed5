#include "store/relations.h"

#include <iterator>

#include "store/columnar_vtab.h"
#include "store/device_columns.h"
#include "store/trace_relations.h"

namespace tidemark {
namespace {

// Events of the history, in file order.
const RelationColumn kEvent[] = {
    {"device", "INTEGER", Show::device, ""},
    {"event", "INTEGER", Show::row_id, ""},                                 // number on its device, from 0
    {"action", "TEXT", Show::action, "action"},                             // the file's word
    {"address", "TEXT", Show::address, "address", 0},                       // NULL for oom and snapshot: 0 stands for none
    {"size_bytes", "INTEGER", Show::integer, "size"},                       // as in the file: asked for, not rounded
    {"stream", "INTEGER", Show::stream, "stream", -1},                      // raw handle
    {"pool", "TEXT", Show::pool, "pool", -1},                               // NULL: the file does not say
    {"time_ns", "INTEGER", Show::integer, "time_ns", kNeverNull, true},     // since the capture's start; NULL without times
    {"stack_id", "INTEGER", Show::integer, "stack", -1},
    {"user_metadata", "TEXT", Show::string, "user_metadata", -1},
    {"compile_context", "TEXT", Show::string, "compile_context", -1},
    {"device_free_bytes", "INTEGER", Show::device_free, ""},                // oom only: free memory of the whole device
};

// Columns shared by allocation and live_allocation.
#define TIDEMARK_ALLOCATION_COLUMNS                                                                                        \
  {"allocation_id", "INTEGER", Show::row_id, ""},             /* one number per life of an address, over all devices */    \
  {"device", "INTEGER", Show::device, ""},                                                                                 \
  {"address", "TEXT", Show::address, "address", 0},           /* NULL: the floor of a trace, which has none */              \
  {"version", "INTEGER", Show::integer, "version"},           /* n-th use of the address, from 0, as MemoryViz counts */   \
  {"requested_bytes", "INTEGER", Show::integer, "requested"},                                                              \
  {"size_bytes", "INTEGER", Show::integer, "size"},           /* bytes of the block: rounded by the allocator */           \
  {"stream", "INTEGER", Show::stream, "stream", -1},          /* raw handle */                                             \
  {"pool", "TEXT", Show::pool, "pool", -1},                   /* NULL: its segment did not last and the file is silent */  \
  {"segment_address", "TEXT", Show::address, "segment_address", 0},                                                        \
  {"alloc_event", "INTEGER", Show::alloc_event, "alloc_event", kBefore, true}, /* NULL: no event made it */                \
  {"free_requested_event", "INTEGER", Show::free_event, "free_requested", kNever}, /* NULL: unknown or never */            \
  {"free_completed_event", "INTEGER", Show::free_event, "free_completed", kNever},                                         \
  {"alloc_time_ns", "INTEGER", Show::event_time, "alloc_event", kBefore},                                                  \
  {"free_time_ns", "INTEGER", Show::event_time, "free_requested", kNever}, /* when the free was requested */               \
  {"stack_id", "INTEGER", Show::integer, "stack", -1},                                                                     \
  {"alloc_known", "INTEGER", Show::alloc_known, "alloc_event"},    /* 1 = made in the capture */                           \
  {"freed_in_capture", "INTEGER", Show::freed, "free_requested"},  /* 1 = the program gave it back in the capture */       \
  {"free_request_unseen", "INTEGER", Show::unseen_free, "free_requested"}, /* 1 = given back, the file does not say when */ \
  {"stack_is_of_free", "INTEGER", Show::stack_of_free, "marks"},   /* 1 = stack_id is that of its free */                  \
  {"slot", "INTEGER", Show::slot, "stack"}                         /* color slot of its stack */

// Every life of an address.
const RelationColumn kAllocation[] = {TIDEMARK_ALLOCATION_COLUMNS};

// The allocations held by the program after an event: live_allocation(device, event); event -1 = before the first.
const RelationColumn kLiveAllocation[] = {
    TIDEMARK_ALLOCATION_COLUMNS,
    {"at_device", "INTEGER HIDDEN", Show::at_device, ""},
    {"at_event", "INTEGER HIDDEN", Show::at_event, ""},
};

// The memory events of a trace, as the file has them.
const RelationColumn kMemoryEvent[] = {
    {"device_type", "TEXT", Show::device_type, ""},
    {"device", "INTEGER", Show::device, ""},
    {"event", "INTEGER", Show::row_id, ""},
    {"address", "TEXT", Show::address, "address", 0},
    {"bytes", "INTEGER", Show::integer, "bytes"},                                  // > 0 allocation, < 0 free
    {"time_ns", "INTEGER", Show::integer, "time_ns", kNeverNull, true},
    {"total_allocated_bytes", "INTEGER", Show::integer, "total_allocated", -1},    // after the event; NULL: the file does not say
    {"total_reserved_bytes", "INTEGER", Show::integer, "total_reserved", -1},
    {"slice_id", "INTEGER", Show::integer, "slice", -1},                           // innermost on its thread
};

// The allocations of a trace.
const RelationColumn kTraceAllocation[] = {
    {"allocation_id", "INTEGER", Show::row_id, ""},
    {"device", "INTEGER", Show::device, ""},
    {"address", "TEXT", Show::address, "address", 0},                              // NULL: the unattributed floor
    {"size_bytes", "INTEGER", Show::integer, "size"},
    {"alloc_event", "INTEGER", Show::alloc_event, "alloc_event", kBefore, true},   // NULL: made before the first event
    {"free_event", "INTEGER", Show::free_event, "free_completed", kNever},         // NULL: never
    {"alloc_time_ns", "INTEGER", Show::event_time, "alloc_event", kBefore},
    {"free_time_ns", "INTEGER", Show::event_time, "free_completed", kNever},
    {"op", "TEXT", Show::string, "op", -1},                                        // that made it, passing over aten::empty and its kin
    {"slice_id", "INTEGER", Show::integer, "slice", -1},                           // innermost where it was made
    {"stack_id", "INTEGER", Show::integer, "stack", -1},
};

// State after each event.
const RelationColumn kMemoryCurve[] = {
    {"device", "INTEGER", Show::device, ""},
    {"event", "INTEGER", Show::row_id, ""},
    {"time_ns", "INTEGER", Show::integer, "time_ns", kNeverNull, true, "event"},
    {"allocated_bytes", "INTEGER", Show::integer, "allocated"},  // blocks that the program holds
    {"active_bytes", "INTEGER", Show::integer, "active"},        // and those whose free is pending
    {"reserved_bytes", "INTEGER", Show::integer, "reserved"},    // segments
    {"requested_bytes", "INTEGER", Show::integer, "requested"},  // bytes asked for of active blocks
    {"inactive_split_bytes", "INTEGER", Show::integer, "inactive_split"},  // free in non-expandable segments of several blocks
    {"largest_free_bytes", "INTEGER", Show::integer, "largest_free"},      // the largest free block
    {"returnable_bytes", "INTEGER", Show::integer, "returnable"},          // what emptying the cache gives back
    {"free_block_count", "INTEGER", Show::integer, "free_blocks"},
};

// Lives of stretches of reserved addresses, by address, then map_event.
const RelationColumn kReservation[] = {
    {"device", "INTEGER", Show::device, ""},
    {"address", "TEXT", Show::address, "address"},
    {"size_bytes", "INTEGER", Show::integer, "size"},
    {"map_event", "INTEGER", Show::integer, "map_event", kBefore},      // NULL: before the first event
    {"unmap_event", "INTEGER", Show::integer, "unmap_event", kNever},   // NULL: still there at the end
    {"stream", "INTEGER", Show::stream, "stream", -1},                  // raw handle
    {"pool", "TEXT", Show::pool, "pool", -1},
    {"segment_type", "TEXT", Show::segment_type, "segment_type"},
    {"is_expandable", "INTEGER", Show::flag, "is_expandable"},
};

// Blocks of the final segments, in address order.
const RelationColumn kBlock[] = {
    {"device", "INTEGER", Show::device, ""},
    {"address", "TEXT", Show::address, "address"},
    {"size_bytes", "INTEGER", Show::integer, "size"},
    {"requested_bytes", "INTEGER", Show::integer, "requested"},  // 0 for inactive blocks
    {"state", "TEXT", Show::state, "state"},                     // active_allocated, active_pending_free, inactive
    {"stream", "INTEGER", Show::stream, "stream", -1},           // raw handle
    {"segment_type", "TEXT", Show::segment_type, "segment_type"},
    {"pool", "TEXT", Show::pool, "pool", -1},
    {"is_expandable", "INTEGER", Show::flag, "is_expandable"},
    {"stack_id", "INTEGER", Show::integer, "stack", -1},
    {"segment_address", "TEXT", Show::address, "segment_address"},
};

constexpr char kEventRows[] = "SELECT device, event_count, 0 FROM device ORDER BY device";
constexpr char kAllocationRows[] = "SELECT device, allocation_count, first_allocation_id FROM device ORDER BY device";
constexpr char kMemoryEventRows[] =
    "SELECT device, event_count, 0 FROM device WHERE EXISTS (SELECT 1 FROM capture WHERE kind = 'chrome_trace') ORDER BY device";
constexpr char kTraceAllocationRows[] =
    "SELECT device, allocation_count, first_allocation_id FROM device "
    "WHERE EXISTS (SELECT 1 FROM capture WHERE kind = 'chrome_trace') ORDER BY device";
constexpr char kReservationRows[] = "SELECT device, reservation_count, 0 FROM device ORDER BY device";
constexpr char kBlockRows[] = "SELECT device, block_count, 0 FROM device ORDER BY device";

template <size_t N>
constexpr int count(const RelationColumn (&)[N]) {
  return static_cast<int>(N);
}

const Relation kRelations[] = {
    {"event", "event", kEventRows, kEvent, count(kEvent), false, false},
    {"allocation", "allocation", kAllocationRows, kAllocation, count(kAllocation), true, false},
    {"live_allocation", "allocation", kAllocationRows, kLiveAllocation, count(kLiveAllocation), true, true},
    {"memory_event", "event", kMemoryEventRows, kMemoryEvent, count(kMemoryEvent), false, false},
    {"trace_allocation", "allocation", kTraceAllocationRows, kTraceAllocation, count(kTraceAllocation), true, false},
    {"memory_curve", "curve", kEventRows, kMemoryCurve, count(kMemoryCurve), false, false},
    {"reservation", "reservation", kReservationRows, kReservation, count(kReservation), false, false},
    {"block", "block", kBlockRows, kBlock, count(kBlock), false, false},
};

}  // namespace

int register_relations(sqlite3* db, ConnectionState* state) {
  for (const Relation& relation : kRelations) {
    const int result = register_relation(db, state, relation);
    if (result != SQLITE_OK) return result;
  }
  return register_trace_relations(db, state);
}

}  // namespace tidemark
