#include "store/schema.h"

namespace tidemark {

const char* const kSchema = R"sql(
-- Packed integer columns (packed_column.h): piece p of column `name` holds rows p·65536 … of `relation` on `device`.
CREATE TABLE column_piece(
  relation TEXT NOT NULL, device INTEGER NOT NULL, name TEXT NOT NULL, piece INTEGER NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY(relation, device, name, piece));

CREATE TABLE capture(
  kind TEXT NOT NULL,           -- torch_snapshot
  source_name TEXT,             -- file name given by the caller
  source_bytes INTEGER,         -- bytes of the file on disk
  fingerprint TEXT,             -- of the file's content, given by the caller
  format_detail TEXT,           -- such as 'pickle protocol 4'
  start_unix_us INTEGER,        -- Unix time of the first event or annotation in microseconds; NULL without times
  duration_ns INTEGER,          -- from there to the last event or annotation; NULL without times
  event_count INTEGER NOT NULL, -- over all devices
  schema_version INTEGER NOT NULL,
  tool_version TEXT);

CREATE TABLE finding(
  code TEXT PRIMARY KEY,        -- closed list of native/README.md; one row a code, over all devices
  severity TEXT NOT NULL,       -- info, warning, error
  count INTEGER NOT NULL,       -- over all devices
  first_at INTEGER,             -- byte offset (reading) or event index on the first device that has it; NULL without a place
  message TEXT NOT NULL);       -- one English sentence

CREATE TABLE device(
  device INTEGER PRIMARY KEY,
  event_count INTEGER NOT NULL,
  reserved_bytes INTEGER NOT NULL,        -- at the end: sum of the segments
  allocated_bytes INTEGER NOT NULL,       -- at the end: blocks that the program holds
  active_bytes INTEGER NOT NULL,          -- at the end: allocated and pending frees
  requested_bytes INTEGER NOT NULL,       -- at the end: bytes asked for of active blocks
  inactive_split_bytes INTEGER NOT NULL,  -- at the end: free in non-expandable segments of more than one block
  largest_free_bytes INTEGER NOT NULL,    -- at the end: the largest inactive block
  peak_allocated_bytes INTEGER NOT NULL,
  peak_event INTEGER NOT NULL,            -- first event of the peak; -1 = before the first event
  peak_time_ns INTEGER,                   -- NULL without times or before the first event
  peak_reserved_bytes INTEGER NOT NULL,
  exact INTEGER NOT NULL,                 -- 1 = the replay's end equals the final segments block for block
  allocation_count INTEGER NOT NULL,
  never_freed_count INTEGER NOT NULL,     -- allocations that the program did not give back in the capture
  no_stack_count INTEGER NOT NULL,        -- allocations without a stack or with an empty one
  block_count INTEGER NOT NULL,           -- blocks of the final segments
  first_time_ns INTEGER,                  -- of the first event; NULL without times
  last_time_ns INTEGER,
  first_allocation_id INTEGER NOT NULL,   -- ids of a device follow each other
  start_allocated_bytes INTEGER NOT NULL, -- the curves before the first event
  start_active_bytes INTEGER NOT NULL,
  start_reserved_bytes INTEGER NOT NULL,
  start_requested_bytes INTEGER NOT NULL,
  start_inactive_split_bytes INTEGER NOT NULL,
  start_largest_free_bytes INTEGER NOT NULL,
  start_returnable_bytes INTEGER NOT NULL,
  start_free_block_count INTEGER NOT NULL,
  reservation_count INTEGER NOT NULL);

CREATE TABLE segment(
  device INTEGER NOT NULL,
  address TEXT NOT NULL,
  total_bytes INTEGER NOT NULL,
  allocated_bytes INTEGER NOT NULL,
  active_bytes INTEGER NOT NULL,
  requested_bytes INTEGER NOT NULL,
  stream INTEGER NOT NULL,      -- raw handle
  segment_type TEXT NOT NULL,   -- small, large
  pool TEXT,                    -- '(0,0)' default, '(n,0)' CUDA graph, '(0,n)' user
  is_expandable INTEGER NOT NULL,
  block_count INTEGER NOT NULL,
  stack_id INTEGER);            -- where it was obtained from the driver

CREATE TABLE string(string_id INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE action_word(code INTEGER PRIMARY KEY, word TEXT NOT NULL);  -- actions that PyTorch may add later
CREATE TABLE stream(stream_index INTEGER PRIMARY KEY, handle INTEGER NOT NULL);
CREATE TABLE pool(pool_index INTEGER PRIMARY KEY, name TEXT NOT NULL);

CREATE TABLE frame(frame_id INTEGER PRIMARY KEY, name TEXT NOT NULL, filename TEXT NOT NULL, line INTEGER NOT NULL);
CREATE TABLE stack_frame(
  stack_id INTEGER NOT NULL,
  position INTEGER NOT NULL,    -- 0 = innermost
  frame_id INTEGER NOT NULL,
  PRIMARY KEY(stack_id, position)) WITHOUT ROWID;
CREATE TABLE stack_depth(stack_id INTEGER PRIMARY KEY, depth INTEGER NOT NULL);
CREATE VIEW stack AS
  SELECT d.stack_id AS stack_id, d.depth AS depth,
    (SELECT group_concat(line, char(10)) FROM
      (SELECT f.name || ' (' || f.filename || ':' || f.line || ')' AS line
       FROM stack_frame s JOIN frame f USING (frame_id) WHERE s.stack_id = d.stack_id ORDER BY s.position)) AS text
  FROM stack_depth d;

CREATE TABLE annotation(
  device INTEGER NOT NULL,
  name TEXT NOT NULL,
  start_ns INTEGER,             -- NULL when the file lost it
  end_ns INTEGER,               -- NULL when the file lost it or it had not ended
  thread INTEGER);              -- NULL: snapshots do not say

CREATE TABLE oom(
  device INTEGER NOT NULL,
  event INTEGER NOT NULL,
  time_ns INTEGER,
  size_bytes INTEGER NOT NULL,  -- rounded bytes asked for
  device_free_bytes INTEGER,    -- free memory of the whole device as the driver saw it
  stack_id INTEGER,
  PRIMARY KEY(device, event)) WITHOUT ROWID;

CREATE TABLE metadata(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
)sql";

}  // namespace tidemark
