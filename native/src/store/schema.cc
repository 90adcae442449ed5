#include "store/schema.h"

namespace tidemark {

const char* const kSchema = R"sql(
-- Packed integer columns (packed_column.h): piece p of column `name` holds rows p·65536 … of `relation` on `device`.
CREATE TABLE column_piece(
  relation TEXT NOT NULL, device INTEGER NOT NULL, name TEXT NOT NULL, piece INTEGER NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY(relation, device, name, piece));

CREATE TABLE capture(
  kind TEXT NOT NULL,           -- torch_snapshot, chrome_trace, stack_profile
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
  reservation_count INTEGER NOT NULL,
  device_type TEXT NOT NULL);             -- cuda (all of a snapshot), cpu, hip, xpu, …

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
  thread INTEGER,               -- track_id of the thread; NULL: snapshots do not say
  kind TEXT);                   -- step, user; NULL in snapshots

CREATE TABLE oom(
  device INTEGER NOT NULL,
  event INTEGER NOT NULL,
  time_ns INTEGER,
  size_bytes INTEGER NOT NULL,  -- rounded bytes asked for
  device_free_bytes INTEGER,    -- free memory of the whole device as the driver saw it
  stack_id INTEGER,
  PRIMARY KEY(device, event)) WITHOUT ROWID;

CREATE TABLE metadata(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;

-- What a profile of another tool gives for its stacks; empty in other indexes.
CREATE TABLE profile_value_type(
  value_type INTEGER PRIMARY KEY,  -- from 0, in order of the file
  name TEXT NOT NULL,              -- '' where the format has no names
  unit TEXT NOT NULL,              -- bytes, count, nanoseconds, ...; '' where the file does not say
  is_default INTEGER NOT NULL);    -- 1 of one row
CREATE TABLE profile_value(
  value_type INTEGER NOT NULL,
  stack_id INTEGER NOT NULL,
  value NUMERIC NOT NULL,          -- INTEGER or REAL; of a comparison it may be negative
  PRIMARY KEY(value_type, stack_id)) WITHOUT ROWID;
)sql"
    // The tables of a trace; empty in a snapshot's index. In two parts: some compilers limit the length of a literal.
    R"sql(
-- Rows of a trace's packed relations (slice, slice_level, instant, counter, flow, flow_to), which are stored as device 0.
CREATE TABLE relation_size(relation TEXT PRIMARY KEY, row_count INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE process(
  process_id INTEGER PRIMARY KEY,
  pid TEXT,                     -- as the file writes it; NULL when it has none
  name TEXT,
  labels TEXT,
  sort_index INTEGER);          -- NULL when the file has none

CREATE TABLE track(
  track_id INTEGER PRIMARY KEY, -- place on the screen, from 0
  kind TEXT NOT NULL,           -- thread, stream, async, counter, process, global
  process_id INTEGER,           -- NULL for global
  pid TEXT,
  tid TEXT,                     -- NULL for tracks that are not of a thread
  name TEXT NOT NULL,           -- ready to show
  lane_count INTEGER NOT NULL,
  slice_count INTEGER NOT NULL,
  instant_count INTEGER NOT NULL,
  first_ns INTEGER NOT NULL,    -- of its first event, since the capture's start
  last_ns INTEGER NOT NULL,     -- end of its last event
  busy_ns INTEGER NOT NULL,     -- time covered by some slice
  first_lane INTEGER NOT NULL); -- its lanes follow each other

CREATE TABLE lane(
  lane_id INTEGER PRIMARY KEY,  -- from 0, by track, then depth
  track_id INTEGER NOT NULL,
  depth INTEGER NOT NULL,       -- row within the track, from 0
  is_spill INTEGER NOT NULL,    -- 1 = holds what overlaps with lanes above without lying inside
  first_slice INTEGER NOT NULL, -- slice_id; a lane's slices follow each other, ascending by start
  slice_count INTEGER NOT NULL);

CREATE TABLE lane_level(
  lane_id INTEGER NOT NULL,
  level INTEGER NOT NULL,       -- k: slices shorter than 2^k ns that begin in the same 2^k ns are joined
  first_row INTEGER NOT NULL,   -- row of slice_level
  row_count INTEGER NOT NULL,
  PRIMARY KEY(lane_id, level)) WITHOUT ROWID;

CREATE TABLE counter_series(
  series_id INTEGER PRIMARY KEY,
  track_id INTEGER NOT NULL,
  name TEXT NOT NULL,           -- the key of args
  first_row INTEGER NOT NULL,   -- row of counter; a series' samples follow each other, ascending by time
  sample_count INTEGER NOT NULL,
  min_value REAL,
  max_value REAL);

CREATE TABLE trace_name(
  string_id INTEGER PRIMARY KEY,
  slice_count INTEGER NOT NULL,
  total_ns INTEGER NOT NULL,    -- sum of durations
  slot INTEGER NOT NULL);       -- color slot: 1-12 by total time, the others 13-24 by hash of the text

CREATE TABLE trace_category(
  category_id INTEGER PRIMARY KEY,
  name TEXT,                    -- NULL: events without a category
  slice_count INTEGER NOT NULL,
  total_ns INTEGER NOT NULL,
  slot INTEGER NOT NULL,        -- color slot: 1 + index mod 24
  kind TEXT NOT NULL);          -- other, cpu_op, python_function, user_annotation, runtime, gpu, gpu_annotation, overhead, span

-- Places from which a compressed source can be inflated again.
CREATE TABLE source_checkpoint(
  offset INTEGER PRIMARY KEY,   -- in the inflated source
  packed_offset INTEGER NOT NULL,
  bits INTEGER NOT NULL,        -- of the byte before packed_offset that still belong to the stream
  window BLOB NOT NULL);        -- the 32 KiB before offset, as a zlib stream

-- Text of each event; only filled with the option copy_args.
CREATE TABLE event_text(offset INTEGER PRIMARY KEY, text TEXT NOT NULL);
)sql";

}  // namespace tidemark
