// Questions that screen and finished pictures share.
import { ok, type Result } from '../../../preload/contract/errors.ts'
import type { SliceRow, TimelineCurves, TraceColorBy, TraceTrack, TraceTracks } from '../../../preload/contract/queries.ts'
import { maxTraceLanes } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import type { AreaCurves } from '../../plot/draw-area.ts'
import type { Placed } from '../../plot/placed.ts'
import type { Range } from '../../state/view-state.ts'
import type { ShownRow, TrackRow } from './layout.ts'
import { isMemoryTimeline } from './memory-categories.ts'
import type { PlacedMarks, PlacedRaster, PlacedSeries, PlacedStack, TraceData } from './trace-data.ts'

/** What is looked at. */
export interface Place {
  readonly captureId: string
  readonly range: Range
  readonly columns: number
}

const times = ({ x0, x1 }: Range) => ({ fromNs: x0, toNs: x1 })

/** Slices of lanes. */
export async function askRaster(
  { captureId, range, columns }: Place,
  lanes: readonly number[],
  colorBy: TraceColorBy,
  names: readonly number[] | null,
): Promise<Result<PlacedRaster>> {
  const input = { captureId, ...times(range), columns, lanes: [...lanes], colorBy, names: names && [...names] }
  const answer = await engine.call('trace.raster', input)
  if (!answer.ok) return answer
  const placeOf = new Map(lanes.map((lane, place) => [lane, place]))
  return ok({ range, colorBy, lanes, placeOf, firstBox: firstBoxes(answer.value.boxes.lane, lanes.length), data: answer.value })
}

/** By place of a lane: its first box, boxes being in the order of lanes. */
export function firstBoxes(lane: Float64Array, lanes: number): number[] {
  const first: number[] = []
  let index = 0
  for (let place = 0; place <= lanes; place++) {
    while (index < lane.length && (lane[index] ?? 0) < place) index++
    first.push(place === lanes ? lane.length : index)
  }
  return first
}

type Points = Pick<TraceData, 'series' | 'stacks' | 'marks' | 'memory'>

const mostAtOnce = 60 // questions in flight; a tall picture has more rows

/** Counters, instants and memory of the rows given. */
export async function askPoints(place: Place, shown: readonly ShownRow[]): Promise<Result<Points>> {
  const { captureId, range, columns } = place
  const rows = shown.map(({ row }) => row)
  const counters = rows.filter((row) => row.kind === 'counter')
  const tracks = rows.filter((row): row is TrackRow => row.kind === 'track' && row.track.instantCount > 0)
  const devices = rows.filter((row) => row.kind === 'memory')
  const stacked = rows.filter((row) => row.kind === 'categories').map(({ track }) => track)
  const [series, stacks, marks, memory] = await Promise.all([
    each(counters, async ({ series: { seriesId } }): Promise<Result<[number, PlacedSeries]>> => {
      const answer = await engine.call('trace.counter', { captureId, seriesId, ...times(range), columns })
      return answer.ok ? ok([seriesId, { range, ...answer.value }]) : answer
    }),
    each(stacked, (track) => askStack(place, track)),
    each(tracks, async ({ track: { trackId } }): Promise<Result<[number, PlacedMarks]>> => {
      const answer = await engine.call('trace.instantMarks', { captureId, trackId, ...times(range), columns })
      return answer.ok ? ok([trackId, { range, ...answer.value }]) : answer
    }),
    each(devices, ({ device }) => askMemory(place, device)),
  ])
  if (!series.ok) return series
  if (!stacks.ok) return stacks
  if (!marks.ok) return marks
  return memory.ok ? ok({ series: series.value, stacks: stacks.value, marks: marks.value, memory: memory.value }) : memory
}

async function askStack({ captureId, range, columns }: Place, { trackId, series }: TraceTrack): Promise<Result<[number, PlacedStack]>> {
  const seriesIds = series.map(({ seriesId }) => seriesId)
  const answer = await engine.call('trace.counterStack', { captureId, seriesIds, ...times(range), columns })
  if (!answer.ok) return answer
  const values = seriesIds.map((_, index) => answer.value.values.subarray(index * columns, (index + 1) * columns))
  return ok([trackId, { range, values }])
}

/** Most bytes that all categories of a memory timeline hold together; `range` is all of the time. */
export async function askStackPeaks(captureId: string, range: Range, tracks: TraceTracks): Promise<Result<TraceData['stackPeaks']>> {
  return each(tracks.tracks.filter(isMemoryTimeline), async (track): Promise<Result<[number, number]>> => {
    const answer = await askStack({ captureId, range, columns: 1 }, track)
    return answer.ok ? ok([track.trackId, answer.value[1].values.reduce((sum, [bytes]) => sum + Math.max(0, bytes ?? 0), 0)]) : answer
  })
}

async function askMemory({ captureId, range, columns }: Place, device: number): Promise<Result<[number, Placed<TimelineCurves>]>> {
  const answer = await engine.call('timeline.curves', { captureId, device, axis: 'time', ...range, columns })
  return answer.ok ? ok([device, { range, axis: 'time', device, data: answer.value }]) : answer
}

/** All answers by their key, or the first failure. */
async function each<T, V>(items: readonly T[], ask: (item: T) => Promise<Result<[number, V]>>): Promise<Result<ReadonlyMap<number, V>>> {
  const found = new Map<number, V>()
  for (let from = 0; from < items.length; from += mostAtOnce) {
    for (const answer of await Promise.all(items.slice(from, from + mostAtOnce).map(ask))) {
      if (!answer.ok) return answer
      found.set(...answer.value)
    }
  }
  return ok(found)
}

/** Bytes that each device held from before its first event to behind its last: what was given back on the way is no floor. */
export async function askFloors(captureId: string, devices: readonly number[]): Promise<Result<ReadonlyMap<number, number>>> {
  const before = { axis: 'event', x0: -1, x1: 0, order: 'size', y0: 0, y1: 1000 } as const
  const filter = JSON.stringify({ never_freed: true })
  return each(devices, async (device): Promise<Result<[number, number]>> => {
    const answer = await engine.call('lifetimes.list', { captureId, device, ...before, filter, sort: 'size', limit: 1, offset: 0 })
    return answer.ok ? ok([device, answer.value.bytes]) : answer
  })
}

/** The memory of a device over everything; for a trace without any, how busy its tracks are, or its memory timeline. */
export async function askOverview(place: Place, device: number | undefined, tracks: TraceTracks): Promise<Result<Placed<AreaCurves>>> {
  if (device !== undefined) {
    const memory = await askMemory(place, device)
    return memory.ok ? ok(memory.value[1]) : memory
  }
  const lanes = tracks.tracks.flatMap(({ firstLane, laneCount }) => (laneCount > 0 ? [firstLane] : [])).slice(0, maxTraceLanes)
  const { captureId, range, columns } = place
  if (lanes.length === 0) {
    const timeline = tracks.tracks.find(isMemoryTimeline)
    const stack = timeline && (await askStack(place, timeline))
    if (stack && !stack.ok) return stack
    return ok({ range, axis: 'time', device: 0, data: stackHeights(stack?.value[1].values ?? [], columns) })
  }
  const answer = await engine.call('trace.raster', { captureId, ...times(range), columns, lanes, colorBy: 'name' })
  return answer.ok ? ok({ range, axis: 'time', device: 0, data: busy(answer.value.fill, columns) }) : answer
}

/** Share of the busiest column, by column: how much of it the first lanes cover together. */
export function busy(fill: Uint8Array, columns: number): AreaCurves {
  const sums = new Float64Array(columns)
  for (let index = 0; index < fill.length; index++) sums[index % columns] = (sums[index % columns] ?? 0) + (fill[index] ?? 0)
  return sharesOf(sums)
}

/** Height of a memory timeline by column, as a share of its highest. */
export function stackHeights(values: readonly Float64Array[], columns: number): AreaCurves {
  const sums = new Float64Array(columns)
  for (const category of values) {
    for (const [column, bytes] of category.entries()) if (bytes > 0) sums[column] = (sums[column] ?? 0) + bytes
  }
  return sharesOf(sums)
}

function sharesOf(sums: Float64Array): AreaCurves {
  const most = sums.reduce((a, b) => Math.max(a, b), 1)
  return { allocated: { max: sums.map((sum) => (0.9 * sum) / most) }, reserved: { max: new Float64Array(sums.length) } }
}

/** Both ends of the flows of a slice, and the op that it belongs to. */
export async function askFlows(captureId: string, sliceId: number, opId: number | undefined): Promise<Result<TraceData['flows']>> {
  const [flows, op] = await Promise.all([
    engine.call('trace.flowsOf', { captureId, sliceIds: [sliceId] }),
    opId === undefined ? undefined : engine.call('trace.slice', { captureId, sliceId: opId }),
  ])
  if (!flows.ok) return flows
  const row: SliceRow | undefined = op?.ok ? op.value : undefined
  return ok({ sliceId, flows: flows.value.flows, op: row })
}
