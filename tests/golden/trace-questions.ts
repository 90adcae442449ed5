// What the golden table of a trace asks, in the style of questions.ts.
import type { Question } from './questions.ts'

const opColumns = ['op', 'calls', 'allocations', 'self_bytes', 'total_bytes', 'freed_inside_bytes', 'kept_bytes', 'largest_bytes']
const stepColumns = [
  'name',
  'start_ns',
  'end_ns',
  'start_event',
  'end_event',
  'peak_bytes',
  'allocated_bytes',
  'freed_bytes',
  'growth_bytes',
]
const from = (row: string, names: readonly string[]) => names.map((name) => `json_extract(${row}, '$.${name}') AS ${name}`).join(', ')

/** Asked of every shipped trace. */
export const traceQuestions: readonly Question[] = [
  { name: 'capture', sql: 'SELECT kind, format_detail, start_unix_us, duration_ns, event_count, schema_version FROM capture' },
  { name: 'findings', sql: 'SELECT code, severity, count, first_at, message FROM finding ORDER BY code' },
  {
    name: 'tracks',
    sql: `SELECT track_id, kind, pid, tid, name, lane_count, slice_count, instant_count, first_ns, last_ns, busy_ns, first_lane
          FROM track ORDER BY track_id`,
  },
  { name: 'processes with tracks', sql: 'SELECT DISTINCT p.* FROM process p JOIN track USING (process_id) ORDER BY p.process_id' },
  { name: 'categories', sql: 'SELECT name, slice_count, total_ns, slot FROM trace_category ORDER BY total_ns DESC, name' },
  {
    name: 'names by total time',
    sql: `SELECT s.text AS name, n.slice_count, n.total_ns, n.slot FROM trace_name n JOIN string s ON s.string_id = n.string_id
          ORDER BY n.total_ns DESC, s.text LIMIT 16`,
  },
  {
    name: 'names that contain a word',
    sql: "SELECT json_extract(found, '$.count') AS names, json_extract(found, '$.slices') AS slices FROM (SELECT trace_names('MM', 5) AS found)",
  },
  {
    name: 'slices by depth',
    sql: `SELECT t.name, s.depth, count(*) AS slices, sum(s.dur_ns) AS total_ns FROM slice s JOIN track t USING (track_id)
          GROUP BY s.track_id, s.depth ORDER BY s.track_id, s.depth LIMIT 40`,
  },
  {
    name: 'longest slices without children',
    sql: `SELECT s.slice_id, s.name, s.category, s.start_ns, s.dur_ns, s.depth, s.external_id, s.correlation FROM slice s
          WHERE s.slice_id NOT IN (SELECT parent_id FROM slice WHERE parent_id IS NOT NULL) ORDER BY s.dur_ns DESC, s.slice_id LIMIT 8`,
  },
  {
    name: 'flows',
    sql: 'SELECT f.category, count(*) AS flows, sum(f.from_slice % 1000) AS froms, sum(f.to_slice % 1000) AS tos FROM flow f GROUP BY 1 ORDER BY 1',
  },
  {
    name: 'devices',
    sql: `SELECT device, device_type, event_count, allocated_bytes, reserved_bytes, start_allocated_bytes, peak_allocated_bytes, peak_event,
            peak_time_ns, exact FROM device ORDER BY device`,
  },
  {
    name: 'curve every tenth of the history',
    sql: `SELECT c.device, c.event, c.time_ns, c.allocated_bytes, c.reserved_bytes FROM memory_curve c JOIN device d ON d.device = c.device
          WHERE c.event % max(1, d.event_count / 10) = 0 ORDER BY c.device, c.event`,
  },
  {
    name: 'steps',
    sql: `SELECT device, ${from('step.value', stepColumns)} FROM device, json_each(trace_steps(device)) AS step ORDER BY device, step.key`,
  },
  {
    name: 'ops by memory of their own',
    sql: `SELECT device, ${from('op.value', opColumns)}
          FROM device, json_each(op_memory(device, 0, event_count, 12), '$.rows') AS op ORDER BY device, op.key`,
  },
  {
    name: 'allocations by op',
    sql: `SELECT device, op, count(*) AS allocations, sum(size_bytes) AS bytes, count(free_event) AS freed FROM trace_allocation
          GROUP BY device, op ORDER BY bytes DESC, device, op LIMIT 12`,
  },
  {
    name: 'largest allocations',
    sql: `SELECT allocation_id, device, address, size_bytes, alloc_event, free_event, alloc_time_ns, free_time_ns, op, slice_id, stack_id
          FROM trace_allocation ORDER BY size_bytes DESC, allocation_id LIMIT 8`,
  },
]
