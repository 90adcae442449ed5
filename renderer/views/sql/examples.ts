// Statements to begin with. Titles are texts of the view (example.<id>); every one runs on the captures that it is offered for.
import type { CaptureKind } from '../../../preload/contract/capture.ts'
import { profileExamples } from './profile-examples.ts'

interface Example {
  readonly of: readonly CaptureKind[]
  readonly sql: string
}

const withMemory = ['torch_snapshot', 'chrome_trace'] as const
const snapshots = ['torch_snapshot'] as const
const traces = ['chrome_trace'] as const

export const examples = {
  peakStacks: {
    of: withMemory,
    sql: `-- Bytes alive at the peak of each device, by stack
SELECT a.device, sum(a.size_bytes) AS alive_bytes, count(*) AS allocations, a.stack_id, stack.text AS stack
FROM device JOIN live_allocation(device.device, device.peak_event) AS a LEFT JOIN stack USING (stack_id)
GROUP BY a.device, a.stack_id
ORDER BY alive_bytes DESC
LIMIT 50`,
  },
  neverFreed: {
    of: withMemory,
    sql: `-- The largest allocations that no event frees
SELECT a.allocation_id, a.device, a.size_bytes, a.alloc_event, a.stack_id, stack.text AS stack
FROM allocation AS a LEFT JOIN stack USING (stack_id)
WHERE a.free_requested_event IS NULL AND a.freed_in_capture = 0
ORDER BY a.size_bytes DESC
LIMIT 100`,
  },
  churn: {
    of: withMemory,
    sql: `-- How often each stack allocates, and for how many events it keeps what it made
SELECT count(*) AS allocations, sum(a.size_bytes) AS allocated_bytes,
  round(avg(a.free_requested_event - a.alloc_event), 1) AS mean_life_events, a.stack_id, stack.text AS stack
FROM allocation AS a JOIN stack USING (stack_id)
WHERE a.alloc_event IS NOT NULL
GROUP BY a.stack_id
ORDER BY allocations DESC
LIMIT 50`,
  },
  sizes: {
    of: withMemory,
    sql: `-- Sizes of all allocations, by power of two
SELECT CAST(pow(2, CAST(log2(size_bytes) AS INTEGER)) AS INTEGER) AS from_bytes, count(*) AS allocations, sum(size_bytes) AS total_bytes
FROM allocation
WHERE size_bytes > 0
GROUP BY from_bytes
ORDER BY from_bytes`,
  },
  outOfMemory: {
    of: snapshots,
    sql: `-- What was reserved and held where memory ran out; without such a failure, at the peak
WITH moment(device, event, wanted_bytes) AS (
  SELECT device, event, size_bytes FROM oom
  UNION ALL
  SELECT device, peak_event, NULL FROM device WHERE device NOT IN (SELECT device FROM oom)
)
SELECT m.device, m.event, m.wanted_bytes, c.reserved_bytes, c.allocated_bytes,
  c.reserved_bytes - c.active_bytes AS cached_bytes, c.largest_free_bytes
FROM moment AS m JOIN memory_curve AS c ON c.device = m.device AND c.event = m.event
ORDER BY m.device, m.event`,
  },
  poorSegments: {
    of: snapshots,
    sql: `-- Who keeps the poorest segments at the peak: blocks in segments of which the least is used
WITH poor AS (
  SELECT d.device, d.peak_event, s.address, s.total_bytes, s.active_bytes
  FROM device AS d JOIN segment_map(d.device, d.peak_event) AS s
  WHERE s.active_bytes > 0
  ORDER BY 1.0 * s.active_bytes / s.total_bytes
  LIMIT 20
)
SELECT p.address AS segment, p.total_bytes, p.active_bytes, b.allocation_id, b.size_bytes, b.stack_id, stack.text AS stack
FROM poor AS p JOIN block_map(p.device, p.peak_event) AS b ON b.segment_address = p.address LEFT JOIN stack ON stack.stack_id = b.stack_id
WHERE b.allocation_id IS NOT NULL
ORDER BY 1.0 * p.active_bytes / p.total_bytes, b.size_bytes DESC`,
  },
  annotations: {
    of: snapshots,
    sql: `-- Allocations made during each annotation, and their bytes
SELECT n.name, n.device, n.start_ns, count(a.allocation_id) AS allocations, sum(a.size_bytes) AS allocated_bytes
FROM annotation AS n LEFT JOIN allocation AS a ON a.device = n.device AND a.alloc_time_ns BETWEEN n.start_ns AND n.end_ns
WHERE n.end_ns IS NOT NULL
GROUP BY n.rowid
ORDER BY allocated_bytes DESC
LIMIT 100`,
  },
  pools: {
    of: snapshots,
    sql: `-- Bytes alive at the peak by stream and pool
SELECT a.device, a.stream, a.pool, count(*) AS allocations, sum(a.size_bytes) AS alive_bytes
FROM device JOIN live_allocation(device.device, device.peak_event) AS a
GROUP BY a.device, a.stream, a.pool
ORDER BY alive_bytes DESC`,
  },
  frames: {
    of: withMemory,
    sql: `-- Functions by the bytes at the peak that they allocated themselves
SELECT frame.name, frame.filename, sum(f.self_bytes) AS self_bytes, sum(f.self_count) AS allocations
FROM device JOIN flame(device.device, device.peak_event) AS f JOIN frame USING (frame_id)
WHERE f.self_bytes > 0
GROUP BY frame.name, frame.filename
ORDER BY self_bytes DESC
LIMIT 50`,
  },
  between: {
    of: withMemory,
    sql: `-- What was allocated by the last 200 events before the peak and is alive there
SELECT a.allocation_id, a.device, a.alloc_event, a.size_bytes, a.stack_id, stack.text AS stack
FROM device JOIN live_allocation(device.device, device.peak_event) AS a LEFT JOIN stack USING (stack_id)
WHERE a.alloc_event BETWEEN device.peak_event - 200 AND device.peak_event
ORDER BY a.size_bytes DESC
LIMIT 500`,
  },
  kernels: {
    of: traces,
    sql: `-- Kernels by the time they take
SELECT name, count(*) AS calls, sum(dur_ns) AS total_ns, max(dur_ns) AS longest_ns, min(start_ns) AS first_ns
FROM slice
WHERE category = 'kernel'
GROUP BY name
ORDER BY total_ns DESC
LIMIT 100`,
  },
  opMemory: {
    of: traces,
    sql: `-- Memory by the op that allocated it
SELECT coalesce(op, '(none)') AS op, count(*) AS allocations, sum(size_bytes) AS allocated_bytes, max(size_bytes) AS largest_bytes
FROM trace_allocation
GROUP BY op
ORDER BY allocated_bytes DESC
LIMIT 100`,
  },
  categories: {
    of: traces,
    sql: `-- What kinds of slices there are, and how long they take
SELECT coalesce(category, '(none)') AS category, count(*) AS slices, sum(dur_ns) AS total_ns, max(dur_ns) AS longest_ns
FROM slice
GROUP BY category
ORDER BY total_ns DESC`,
  },
  counters: {
    of: traces,
    sql: `-- Counters with their smallest and largest values
SELECT track.name, counter.series, count(*) AS samples, min(counter.value) AS least, max(counter.value) AS most
FROM counter JOIN track USING (track_id)
GROUP BY counter.track_id, counter.series
ORDER BY track.name, counter.series`,
  },
  tracks: {
    of: traces,
    sql: `-- How busy each thread and stream is
SELECT coalesce(process.name, track.pid) AS process, track.name, track.kind, track.slice_count AS slices, track.busy_ns,
  round(100.0 * track.busy_ns / nullif(track.last_ns - track.first_ns, 0), 1) AS busy_percent
FROM track LEFT JOIN process USING (process_id)
WHERE track.slice_count > 0
ORDER BY track.busy_ns DESC`,
  },
  ...profileExamples,
} as const satisfies Record<string, Example>

export type ExampleId = keyof typeof examples

/** Those that a capture of this kind has answers for. */
export const examplesOf = (kind: CaptureKind): readonly ExampleId[] =>
  (Object.keys(examples) as ExampleId[]).filter((id) => examples[id].of.some((each) => each === kind))
