// The tracks of a trace, its counters and the names that its slices have.
import { z } from 'zod'
import { ok, type Result } from '../../../preload/contract/errors.ts'
import type { CounterSeries, EngineOutput, TraceTrack } from '../../../preload/contract/queries.ts'
import { trackKindSchema } from '../../../preload/contract/queries.ts'
import type { SqlRow } from '../index-store.ts'
import type { OpenCapture } from '../open-capture.ts'
import { jsonOf } from './native-answers.ts'
import type { QueryHandler } from './query.ts'
import { cutText, numberOf, numberOrNull, textOf, wrong } from './row.ts'

/** As the contract says. */
const maxTracks = 20_000
const maxLegend = 24
const maxCategories = 256
/** Counters and spill lanes beyond this come from a file made to hold up the window. */
const maxParts = 100_000
/** Length of the description of devices, their number and their memory, likewise. */
const maxProperties = 1_000_000
const maxDevices = 256
const maxBytes = 2 ** 48

/** SQL: a text that may be missing. */
const textOrEmpty = (column: string): string => `coalesce(${cutText(column)}, '')`

const tables = {
  tracks: `SELECT track_id, kind, process_id, ${textOrEmpty('tid')} AS tid, ${textOrEmpty('name')} AS name, first_lane, lane_count, slice_count,
      instant_count, first_ns, last_ns, coalesce(busy_ns, 0) AS busy_ns FROM track ORDER BY track_id LIMIT ${maxTracks}`,
  trackCount: 'SELECT count(*) AS n FROM track',
  processes: `SELECT process_id, ${textOrEmpty('pid')} AS pid, ${textOrEmpty('name')} AS name, ${textOrEmpty('labels')} AS labels
      FROM process JOIN (SELECT process_id, min(track_id) AS first_track FROM (SELECT process_id, track_id FROM track ORDER BY track_id LIMIT ${maxTracks})
        GROUP BY process_id) USING (process_id) ORDER BY first_track`,
  spills: `SELECT lane_id, track_id FROM lane WHERE is_spill = 1 ORDER BY lane_id LIMIT ${maxParts}`,
  series: `SELECT series_id, track_id, ${textOrEmpty('name')} AS name, sample_count, coalesce(min_value, 0.0) AS min_value,
      coalesce(max_value, 0.0) AS max_value FROM counter_series ORDER BY series_id LIMIT ${maxParts}`,
  names: `SELECT string_id, ${cutText('text')} AS text, slice_count, total_ns, slot FROM trace_name JOIN string USING (string_id)
      ORDER BY total_ns DESC, string_id LIMIT ${maxLegend}`,
  nameCount: 'SELECT count(*) AS n FROM trace_name',
  categories: `SELECT category_id, ${textOrEmpty('name')} AS text, kind, slice_count, total_ns, slot FROM trace_category WHERE slice_count > 0
      ORDER BY total_ns DESC, category_id LIMIT ${maxCategories}`,
  // Kineto's description of the GPUs, which it numbers as memory events do.
  capacities: `SELECT value ->> '$.id' AS device, value ->> '$.totalGlobalMem' AS bytes
      FROM (SELECT iif(json_valid(value), value, '[]') AS list FROM metadata
        WHERE key = 'deviceProperties' AND octet_length(value) <= ${maxProperties}) CROSS JOIN json_each(list)
      WHERE type = 'object' AND typeof(value ->> '$.id') = 'integer'
      AND typeof(value ->> '$.totalGlobalMem') = 'integer' AND value ->> '$.totalGlobalMem' BETWEEN 1 AND ${maxBytes} LIMIT ${maxDevices}`,
} as const

type Tables = Record<keyof typeof tables, SqlRow[]>

export const traceTracks: QueryHandler<'trace.tracks'> = async ({ store }) => {
  const read: Tables = {
    tracks: [],
    trackCount: [],
    processes: [],
    spills: [],
    series: [],
    names: [],
    nameCount: [],
    categories: [],
    capacities: [],
  }
  for (const name of Object.keys(tables) as (keyof typeof tables)[]) {
    const rows = await store.all(tables[name])
    if (!rows.ok) return rows
    read[name] = rows.value
  }
  return ok(tracksOf(read))
}

function byTrack(rows: readonly SqlRow[]): ReadonlyMap<number, SqlRow[]> {
  const found = new Map<number, SqlRow[]>()
  for (const row of rows) {
    const trackId = numberOf(row, 'track_id')
    const others = found.get(trackId)
    if (others) others.push(row)
    else found.set(trackId, [row])
  }
  return found
}

const countOf = ([row]: readonly SqlRow[]): number => (row ? numberOf(row, 'n') : 0)

function tracksOf(read: Tables): EngineOutput<'trace.tracks'> {
  const spills = byTrack(read.spills)
  const series = byTrack(read.series)
  return {
    processes: read.processes.map((row) => ({
      processId: numberOf(row, 'process_id'),
      pid: textOf(row, 'pid'),
      name: textOf(row, 'name'),
      labels: textOf(row, 'labels'),
    })),
    tracks: read.tracks.map((row) => {
      const trackId = numberOf(row, 'track_id')
      const spillLanes = (spills.get(trackId) ?? []).map((lane) => numberOf(lane, 'lane_id'))
      return trackOf(row, spillLanes, (series.get(trackId) ?? []).map(seriesOf))
    }),
    trackCount: countOf(read.trackCount),
    names: read.names.map((row) => ({ nameId: numberOf(row, 'string_id'), ...sharedOf(row) })),
    nameCount: countOf(read.nameCount),
    capacities: read.capacities.map((row) => ({ device: numberOf(row, 'device'), bytes: numberOf(row, 'bytes') })),
    categories: read.categories.map((row) => ({ categoryId: numberOf(row, 'category_id'), kind: textOf(row, 'kind'), ...sharedOf(row) })),
  }
}

const sharedOf = (row: SqlRow) => ({
  text: textOf(row, 'text'),
  count: numberOf(row, 'slice_count'),
  totalNs: numberOf(row, 'total_ns'),
  slot: numberOf(row, 'slot'),
})

const seriesOf = (row: SqlRow): CounterSeries => ({
  seriesId: numberOf(row, 'series_id'),
  name: textOf(row, 'name'),
  sampleCount: numberOf(row, 'sample_count'),
  min: numberOf(row, 'min_value'),
  max: numberOf(row, 'max_value'),
})

function trackOf(row: SqlRow, spillLanes: number[], series: CounterSeries[]): TraceTrack {
  const kind = trackKindSchema.safeParse(row.kind)
  if (!kind.success) throw wrong('kind', row)
  return {
    trackId: numberOf(row, 'track_id'),
    kind: kind.data,
    processId: numberOrNull(row, 'process_id'),
    tid: textOf(row, 'tid'),
    name: textOf(row, 'name'),
    firstLane: numberOf(row, 'first_lane'),
    laneCount: numberOf(row, 'lane_count'),
    spillLanes,
    sliceCount: numberOf(row, 'slice_count'),
    instantCount: numberOf(row, 'instant_count'),
    firstNs: numberOrNull(row, 'first_ns'),
    lastNs: numberOrNull(row, 'last_ns'),
    busyNs: numberOf(row, 'busy_ns'),
    series,
  }
}

const foundNamesSchema = z.object({
  count: z.number(),
  slices: z.number(),
  names: z.array(z.object({ nameId: z.number(), text: z.string(), count: z.number(), totalNs: z.number() })),
})

export const traceNames: QueryHandler<'trace.names'> = async (capture, { text, limit }) => {
  const answer = await jsonOf(capture, 'SELECT trace_names(?, ?) AS answer', [text, limit])
  return answer.ok ? ok(foundNamesSchema.parse(answer.value)) : answer
}

/** Where a track belongs: its name and "python3 (430)" of its process. Errors: as the store. */
export async function trackTitles(capture: OpenCapture, trackId: number): Promise<Result<{ trackName: string; processName: string }>> {
  const row = await capture.store.get(
    `SELECT ${textOrEmpty('track.name')} AS track_name, ${textOrEmpty('process.name')} AS name, ${textOrEmpty('process.pid')} AS pid
     FROM track LEFT JOIN process USING (process_id) WHERE track_id = ?`,
    [trackId],
  )
  if (!row.ok) return row
  const text = (column: string) => (row.value ? textOf(row.value, column) : '')
  const [name, pid] = [text('name'), text('pid')]
  return ok({ trackName: text('track_name'), processName: name && pid ? `${name} (${pid})` : name || pid })
}
