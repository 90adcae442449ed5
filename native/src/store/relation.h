// What a relation over packed columns is: a list of declared columns. The declarations are in relations.cc.
#pragma once

#include <cstdint>
#include <limits>

namespace tidemark {

// How a stored value becomes an SQL value.
enum class Show {
  integer,      // as it is
  address,      // '0x…' text
  flag,         // 0 or 1
  action,       // word of an event's action
  state,        // word of a block's state
  segment_type, // 'small' or 'large'
  stream,       // raw handle of a stream index
  pool,         // name of a pool index
  string,       // text of a string id
  device,       // the row's device
  device_type,  // cuda, cpu, …: what the row's device is
  row_id,       // the row's number from the relation's first id on
  alloc_event,  // NULL when no event made the allocation
  free_event,   // NULL when it is not in the capture
  event_time,   // time of the alloc_event or free_event that is stored
  device_free,  // device_free bytes of an oom event
  slot,         // color slot of the stack id that is stored
  alloc_known,  // whether the stored alloc_event is in the capture
  freed,        // whether the stored free_requested, or else the completed free, is in the capture
  unseen_free,  // whether the free was requested, but not in the capture
  stack_of_free, // bit of the stored marks
  category,     // name of a trace's category
  real,         // a double whose bits are stored
  lane_track,   // of a trace's slice: track of the lane that has the row
  lane_depth,   // depth of that lane
  series_track, // of a counter's sample: track of the series that has the row
  series_name,  // name of that series
  args,         // JSON of the event's args; of a row with the stored columns offset (this one) and length
  nothing,      // always NULL
  at_device,    // hidden argument: the device asked for
  at_event,     // hidden argument: the event asked for
};

inline constexpr int64_t kNeverNull = std::numeric_limits<int64_t>::min();

struct RelationColumn {
  const char* name;
  const char* type;          // SQL type and, for arguments, HIDDEN
  Show show;
  const char* stored;        // name of the packed column, "" when there is none
  int64_t null_value = kNeverNull;  // the stored value that means NULL
  bool ascending = false;    // stored values never fall from row to row of a device
  const char* relation = nullptr;   // packed relation when it is not the relation's own
};

struct Relation {
  const char* name;
  const char* packed;        // relation name in column_piece
  const char* devices_sql;   // rows (device, row count, first id)
  const RelationColumn* columns;
  int column_count;
  bool ids_are_global;       // ids go on from device to device
  bool live_at_event;        // table-valued: only rows alive after the event asked for
};

}  // namespace tidemark
