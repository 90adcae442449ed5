// What an opened capture is: read once from the small tables of its index.
import type { CaptureSummary, DeviceSummary, Finding } from '../../../preload/contract/capture.ts'
import { captureKindSchema, findingSchema } from '../../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import type { IndexStore, SqlRow } from '../index-store.ts'
import { numberOf, numberOrNull, textOf, textOrNull } from './row.ts'

/** More marks than this on one device are not worth a longer answer; how many there are is said. */
const maxOomsOfDevice = 1000

/** What is known of the index beside its content. */
export interface IndexFacts {
  readonly captureId: string
  readonly fromCache: boolean
  readonly indexBytes: number
}

const tables = {
  capture: 'SELECT * FROM capture',
  devices: 'SELECT * FROM device ORDER BY device',
  ooms: `SELECT * FROM (
      SELECT device, event, time_ns, size_bytes, device_free_bytes,
             row_number() OVER (PARTITION BY device ORDER BY event) AS place, count(*) OVER (PARTITION BY device) AS total
      FROM oom) WHERE place <= ${maxOomsOfDevice} ORDER BY device, event`,
  streams: 'SELECT CAST(handle AS TEXT) AS name FROM stream ORDER BY stream_index',
  pools: 'SELECT name FROM pool ORDER BY pool_index',
  findings: 'SELECT code, severity, count, first_at, message FROM finding ORDER BY rowid',
  settings: "SELECT value FROM metadata WHERE key = 'allocator_settings'",
} as const

type Tables = Record<keyof typeof tables, SqlRow[]>

async function readTables(store: IndexStore): Promise<Result<Tables>> {
  const read: Tables = { capture: [], devices: [], ooms: [], streams: [], pools: [], findings: [], settings: [] }
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
    return fail('index/not_an_index', `The index is damaged: ${String(error)}`)
  }
}

function summaryOf(capture: SqlRow, read: Tables, facts: IndexFacts): CaptureSummary {
  const devices = read.devices.map((row) => deviceOf(row, read.ooms))
  return {
    ...facts,
    kind: captureKindSchema.parse(capture.kind),
    sourceName: textOrNull(capture, 'source_name') ?? '',
    sourceBytes: numberOrNull(capture, 'source_bytes') ?? 0,
    formatDetail: textOrNull(capture, 'format_detail') ?? '',
    fingerprint: textOrNull(capture, 'fingerprint') ?? '',
    startUnixUs: numberOrNull(capture, 'start_unix_us'),
    durationNs: numberOrNull(capture, 'duration_ns'),
    eventCount: numberOf(capture, 'event_count'),
    hasHistory: devices.some((device) => device.eventCount > 0),
    hasTimes: devices.some((device) => device.firstTimeNs !== null),
    devices,
    streams: read.streams.map((row) => textOf(row, 'name')),
    pools: read.pools.map((row) => textOf(row, 'name')),
    settings: settingsOf(read.settings[0]),
    findings: read.findings.map(findingOf),
  }
}

function deviceOf(row: SqlRow, ooms: readonly SqlRow[]): DeviceSummary {
  const device = numberOf(row, 'device')
  const ownOoms = ooms.filter((oom) => oom.device === device)
  return {
    device,
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

const oomOf = (row: SqlRow) => ({
  event: numberOf(row, 'event'),
  timeNs: numberOrNull(row, 'time_ns'),
  sizeBytes: numberOf(row, 'size_bytes'),
  deviceFreeBytes: numberOrNull(row, 'device_free_bytes'),
})

const findingOf = (row: SqlRow): Finding =>
  findingSchema.parse({ code: row.code, severity: row.severity, count: row.count, firstAt: row.first_at, message: row.message })

function settingsOf(row: SqlRow | undefined): Record<string, unknown> | null {
  const text = row ? textOrNull(row, 'value') : null
  const value: unknown = text === null ? null : JSON.parse(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null
}
