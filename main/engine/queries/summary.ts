// What an opened capture is: read once from the small tables of its index.
import type { CaptureSummary, DeviceSummary, Finding } from '../../../preload/contract/capture.ts'
import { captureKindSchema, findingSchema } from '../../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import type { IndexStore, SqlRow } from '../index-store.ts'
import { cutText, DamagedIndex, numberOf, numberOrNull, textOf, textOrNull, wrong } from './row.ts'

/** More marks than this on one device are not worth a longer answer; how many there are is said. */
const maxOomsOfDevice = 1000

/** What is known of the index beside its content. */
export interface IndexFacts {
  readonly captureId: string
  readonly fromCache: boolean
  readonly indexBytes: number
}

/** Far more than any capture has: what is beyond comes from an index made to hold up the window. */
const maxDevices = 256
const maxNames = 100_000
const maxFindings = 1000
const maxSettingsLength = 1_000_000
const maxTypeLength = 40
const maxRelations = 100
const maxValueTypes = 256

const tables = {
  capture: `SELECT kind, ${cutText('source_name')} AS source_name, source_bytes, ${cutText('format_detail')} AS format_detail,
      ${cutText('fingerprint')} AS fingerprint, start_unix_us, duration_ns, event_count FROM capture LIMIT 1`,
  devices: `SELECT * FROM device ORDER BY device LIMIT ${maxDevices}`,
  pieces: 'SELECT device, relation, max(piece) + 1 AS pieces FROM column_piece GROUP BY relation, device',
  ooms: `SELECT * FROM (
      SELECT device, event, time_ns, size_bytes, device_free_bytes,
             row_number() OVER (PARTITION BY device ORDER BY event) AS place, count(*) OVER (PARTITION BY device) AS total
      FROM oom) WHERE place <= ${maxOomsOfDevice} ORDER BY device, event LIMIT ${maxDevices * maxOomsOfDevice}`,
  streams: `SELECT CAST(handle AS TEXT) AS name FROM stream ORDER BY stream_index LIMIT ${maxNames}`,
  pools: `SELECT ${cutText('name')} AS name FROM pool ORDER BY pool_index LIMIT ${maxNames}`,
  findings: `SELECT ${cutText('code')} AS code, severity, count, first_at, ${cutText('message')} AS message
      FROM finding ORDER BY rowid LIMIT ${maxFindings}`,
  sizes: `SELECT relation, row_count FROM relation_size LIMIT ${maxRelations}`,
  trace: `SELECT (SELECT count(*) FROM process WHERE process_id IN (SELECT process_id FROM track)) AS process_count, count(*) AS track_count,
      coalesce(sum(slice_count), 0) AS slice_count, coalesce(sum(instant_count), 0) AS instant_count,
      (SELECT count(*) FROM counter_series) AS series_count FROM track`,
  types: `SELECT value_type, ${cutText('name')} AS name, ${cutText('unit')} AS unit, is_default,
      (SELECT count(*) FROM profile_value v WHERE v.value_type = t.value_type) AS stack_count,
      EXISTS (SELECT 1 FROM profile_value v WHERE v.value_type = t.value_type AND v.value < 0) AS is_signed
      FROM profile_value_type t ORDER BY value_type LIMIT ${maxValueTypes}`,
  stacks: 'SELECT (SELECT count(*) FROM stack_depth) AS stack_count, (SELECT count(*) FROM frame) AS frame_count',
  settings: `SELECT value FROM metadata WHERE key = 'allocator_settings' AND octet_length(value) <= ${maxSettingsLength}`,
} as const

type Tables = Record<keyof typeof tables, SqlRow[]>

async function readTables(store: IndexStore): Promise<Result<Tables>> {
  const read: Tables = {
    capture: [],
    devices: [],
    pieces: [],
    ooms: [],
    streams: [],
    pools: [],
    findings: [],
    sizes: [],
    trace: [],
    types: [],
    stacks: [],
    settings: [],
  }
  for (const name of Object.keys(tables) as (keyof typeof tables)[]) {
    const rows = await store.all(tables[name])
    if (!rows.ok) return rows
    read[name] = rows.value
  }
  return ok(read)
}

/** Errors: `index/not_an_index` when a table is missing or holds something else. */
export async function summarise(store: IndexStore, facts: IndexFacts): Promise<Result<CaptureSummary>> {
  const read = await readTables(store)
  if (!read.ok) return fail('index/not_an_index', `The index is damaged: ${read.error.message}`)
  const [capture] = read.value.capture
  if (!capture) return fail('index/not_an_index', 'The index is not complete.')
  try {
    return ok(summaryOf(capture, read.value, facts))
  } catch (error) {
    if (error instanceof DamagedIndex) return fail('index/not_an_index', error.message)
    throw error
  }
}

function summaryOf(capture: SqlRow, read: Tables, facts: IndexFacts): CaptureSummary {
  for (const row of read.devices) checkCounts(row, read.pieces)
  for (const row of read.sizes) checkSize(row, read.pieces)
  const devices = read.devices.map((row) => deviceOf(row, read.ooms))
  const kind = kindOf(capture)
  return {
    ...facts,
    kind,
    sourceName: textOrNull(capture, 'source_name') ?? '',
    sourceBytes: numberOrNull(capture, 'source_bytes') ?? 0,
    formatDetail: textOrNull(capture, 'format_detail') ?? '',
    fingerprint: textOrNull(capture, 'fingerprint') ?? '',
    startUnixUs: numberOrNull(capture, 'start_unix_us'),
    durationNs: numberOrNull(capture, 'duration_ns'),
    eventCount: numberOf(capture, 'event_count'),
    hasHistory: devices.some((device) => device.eventCount > 0),
    hasBlocks: kind === 'torch_snapshot',
    hasTimes: kind === 'chrome_trace' || devices.some((device) => device.firstTimeNs !== null),
    trace: kind === 'chrome_trace' && read.trace[0] ? traceOf(read.trace[0]) : null,
    profile: kind === 'stack_profile' ? profileOf(read.types, read.stacks[0], capture) : null,
    devices,
    streams: read.streams.map((row) => textOf(row, 'name')),
    pools: read.pools.map((row) => textOf(row, 'name')),
    settings: settingsOf(read.settings[0]),
    findings: read.findings.map(findingOf),
  }
}

/** Values of a column that are stored together (native/src/store/packed_column.h). */
const pieceValues = 65_536

/** A scan goes as far as these counts say: more than is stored would be a loop without an end. */
function checkCounts(row: SqlRow, pieces: readonly SqlRow[]): void {
  for (const relation of ['event', 'allocation', 'block', 'reservation']) {
    const stored = pieces.find((each) => each.device === row.device && each.relation === relation)
    if (numberOf(row, `${relation}_count`) > pieceValues * (stored ? numberOf(stored, 'pieces') : 0)) throw wrong(`${relation}_count`, row)
  }
}

/** The same of a trace's relations, which are stored as of device 0. */
function checkSize(row: SqlRow, pieces: readonly SqlRow[]): void {
  const stored = pieces.find((each) => each.device === 0 && each.relation === row.relation)
  if (numberOf(row, 'row_count') > pieceValues * (stored ? numberOf(stored, 'pieces') : 0)) throw wrong('row_count', row)
}

function deviceOf(row: SqlRow, ooms: readonly SqlRow[]): DeviceSummary {
  const device = numberOf(row, 'device')
  const ownOoms = ooms.filter((oom) => oom.device === device)
  return {
    device,
    deviceType: textOf(row, 'device_type').slice(0, maxTypeLength),
    eventCount: numberOf(row, 'event_count'),
    allocationCount: numberOf(row, 'allocation_count'),
    neverFreedCount: numberOf(row, 'never_freed_count'),
    noStackCount: numberOf(row, 'no_stack_count'),
    firstTimeNs: numberOrNull(row, 'first_time_ns'),
    lastTimeNs: numberOrNull(row, 'last_time_ns'),
    reservedBytes: numberOf(row, 'reserved_bytes'),
    allocatedBytes: numberOf(row, 'allocated_bytes'),
    activeBytes: numberOf(row, 'active_bytes'),
    requestedBytes: numberOf(row, 'requested_bytes'),
    inactiveSplitBytes: numberOf(row, 'inactive_split_bytes'),
    largestFreeBytes: numberOf(row, 'largest_free_bytes'),
    peakAllocatedBytes: numberOf(row, 'peak_allocated_bytes'),
    peakEvent: numberOf(row, 'peak_event'),
    peakTimeNs: numberOrNull(row, 'peak_time_ns'),
    peakReservedBytes: numberOf(row, 'peak_reserved_bytes'),
    exact: numberOf(row, 'exact') === 1,
    oomCount: ownOoms[0] ? numberOf(ownOoms[0], 'total') : 0,
    ooms: ownOoms.map(oomOf),
  }
}

const traceOf = (row: SqlRow): CaptureSummary['trace'] => ({
  processCount: numberOf(row, 'process_count'),
  trackCount: numberOf(row, 'track_count'),
  sliceCount: numberOf(row, 'slice_count'),
  instantCount: numberOf(row, 'instant_count'),
  seriesCount: numberOf(row, 'series_count'),
})

function profileOf(types: readonly SqlRow[], stacks: SqlRow | undefined, capture: SqlRow): CaptureSummary['profile'] {
  if (types.length === 0 || !stacks) throw wrong('kind', capture)
  const valueTypes = types.map((row) => ({
    valueType: numberOf(row, 'value_type'),
    name: textOf(row, 'name'),
    unit: textOf(row, 'unit'),
    isDefault: numberOf(row, 'is_default') === 1,
    stackCount: numberOf(row, 'stack_count'),
    isSigned: numberOf(row, 'is_signed') === 1,
  }))
  return { stackCount: numberOf(stacks, 'stack_count'), frameCount: numberOf(stacks, 'frame_count'), valueTypes }
}

const oomOf = (row: SqlRow) => ({
  event: numberOf(row, 'event'),
  timeNs: numberOrNull(row, 'time_ns'),
  sizeBytes: numberOf(row, 'size_bytes'),
  deviceFreeBytes: numberOrNull(row, 'device_free_bytes'),
})

function kindOf(row: SqlRow): CaptureSummary['kind'] {
  const kind = captureKindSchema.safeParse(row.kind)
  if (kind.success) return kind.data
  throw wrong('kind', row)
}

function findingOf(row: SqlRow): Finding {
  const severity = findingSchema.shape.severity.safeParse(row.severity)
  if (!severity.success) throw wrong('severity', row)
  return {
    code: textOf(row, 'code'),
    severity: severity.data,
    count: numberOf(row, 'count'),
    firstAt: numberOrNull(row, 'first_at'),
    message: textOf(row, 'message'),
  }
}

function settingsOf(row: SqlRow | undefined): Record<string, unknown> | null {
  const text = row ? textOrNull(row, 'value') : null
  const value: unknown = text === null ? null : parsed(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new DamagedIndex('The index is damaged: the allocator settings are no JSON.')
  }
}
