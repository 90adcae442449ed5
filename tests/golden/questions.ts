// What the golden tables ask: a capture, a name and a question in SQL whose answer is small and stays the same.

const moments = `(SELECT device, 'peak' AS moment, peak_event AS event FROM device UNION ALL
            SELECT device, 'end', event_count - 1 FROM device)`

/** Columns from the keys of a JSON text. */
const keys = (json: string, names: readonly string[]) =>
  names.map((name) => `json_extract(${json}, '$.${name}') AS ${name.replace('.', '_')}`).join(', ')

export interface Question {
  readonly name: string
  readonly sql: string
}

const spaceTotals = [
  'segments',
  'reserved_bytes',
  'allocated_bytes',
  'active_bytes',
  'requested_bytes',
  'free_bytes',
  'free_block_count',
  'largest_free_bytes',
  'inactive_split_bytes',
  'returnable_bytes',
]
const fitAnswers = [
  'fits',
  'segment_bytes',
  'free.count',
  'free.bytes',
  'free.largest_bytes',
  'pending.largest_bytes',
  'returnable_bytes',
  'device_free_bytes',
]

/** Asked of every shipped sample. */
export const questions: readonly Question[] = [
  {
    name: 'capture',
    sql: 'SELECT kind, format_detail, event_count, duration_ns, schema_version FROM capture',
  },
  {
    name: 'devices',
    sql: `SELECT device, event_count, reserved_bytes, allocated_bytes, active_bytes, requested_bytes, inactive_split_bytes, largest_free_bytes,
            peak_allocated_bytes, peak_event, peak_time_ns, exact FROM device ORDER BY device`,
  },
  { name: 'findings', sql: 'SELECT code, severity, count, first_at, message FROM finding ORDER BY code' },
  {
    name: 'actions',
    sql: 'SELECT device, action, count(*) AS events, sum(size_bytes) AS bytes FROM event GROUP BY device, action ORDER BY device, action',
  },
  {
    name: 'first and last events',
    sql: `SELECT device, event, action, address, size_bytes, time_ns, stack_id FROM event WHERE event < 5
          UNION ALL SELECT device, event, action, address, size_bytes, time_ns, stack_id FROM event
          WHERE event >= (SELECT min(event_count) FROM device WHERE event_count > 0) - 3 AND event < (SELECT min(event_count) FROM device WHERE event_count > 0)
          ORDER BY device, event`,
  },
  {
    name: 'largest allocations',
    sql: `SELECT allocation_id, device, address, version, requested_bytes, size_bytes, alloc_event, free_requested_event, free_completed_event, stack_id
          FROM allocation ORDER BY size_bytes DESC, allocation_id LIMIT 8`,
  },
  {
    name: 'curve every tenth of the history',
    sql: `SELECT c.device, c.event, c.allocated_bytes, c.active_bytes, c.reserved_bytes, c.requested_bytes FROM memory_curve c
          JOIN device d ON d.device = c.device WHERE d.event_count > 0 AND c.event % max(1, d.event_count / 10) = 0 ORDER BY c.device, c.event`,
  },
  {
    name: 'segments',
    sql: `SELECT device, segment_type, is_expandable, pool, count(*) AS segments, sum(total_bytes) AS bytes FROM segment
          GROUP BY device, segment_type, is_expandable, pool ORDER BY device, segment_type, is_expandable, pool`,
  },
  {
    name: 'blocks',
    sql: 'SELECT device, state, count(*) AS blocks, sum(size_bytes) AS bytes FROM block GROUP BY device, state ORDER BY device, state',
  },
  {
    name: 'innermost frames by bytes ever allocated',
    sql: `SELECT f.name, f.line, count(*) AS allocations, sum(a.size_bytes) AS bytes FROM allocation a
          JOIN stack_frame s ON s.stack_id = a.stack_id AND s.position = 0 JOIN frame f ON f.frame_id = s.frame_id
          GROUP BY f.name, f.line ORDER BY bytes DESC, f.name, f.line LIMIT 10`,
  },
  {
    name: 'space at the peak and at the end',
    sql: `SELECT device, moment, event, ${keys('report', spaceTotals)}
          FROM (SELECT *, json_extract(space_report(device, event), '$.totals') AS report FROM ${moments}) ORDER BY device, event`,
  },
  {
    name: 'segments that a few blocks keep, at the end',
    sql: `SELECT device, ${keys('pin.value', ['segment_address', 'total_bytes', 'free_bytes', 'largest_free_bytes', 'active_count', 'active_bytes'])}
          FROM device, json_each(space_report(device, event_count - 1), '$.pins') AS pin ORDER BY device, pin.key LIMIT 5`,
  },
  {
    name: 'would the request have fitted when memory ran out',
    sql: `SELECT device, event, size_bytes, ${keys('fit', fitAnswers)}
          FROM (SELECT *, would_fit(device, event, size_bytes, NULL, NULL) AS fit FROM oom) ORDER BY device, event LIMIT 5`,
  },
  { name: 'failures', sql: 'SELECT device, event, size_bytes, device_free_bytes FROM oom ORDER BY device, event LIMIT 5' },
]
