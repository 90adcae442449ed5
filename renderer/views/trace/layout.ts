// Where the parts of the view lie, and the rows of memory, processes and tracks below each other. Heights are even: cells of lanes are
// two pixels high (see cells.ts).
import type { CounterSeries, TraceProcess, TraceTrack, TraceTracks } from '../../../preload/contract/queries.ts'
import { type AxisLayout, layoutAxis } from '../../plot/layout.ts'
import { categoryOf, isMemoryTimeline, type MemoryCategory } from './memory-categories.ts'

export const lanePx = 18
/** Between a row's edge and its lanes. */
export const rowPaddingPx = 2
export const memoryPx = 48
export const counterPx = 32
/** Of a stack of memory by category: room for a legend of all of them. */
export const categoriesPx = 160
export const processPx = 24
const leastGutterPx = 160
const mostGutterPx = 200
const gutterShare = 0.17
const rulerPx = 24
/** The tracks keep their room: a window of so many pixels has one row of marks. */
const perMarkRowPx = 140
/** Pinned rows take at most this share of the height; those beyond stay where they were. */
const mostPinnedShare = 0.6

/** Lays out the canvas column; `markRows`: rows that steps and annotations would fill. `overview` false leaves it out. */
export const layoutTrace = (widthPx: number, heightPx: number, markRows = 0, overview = true): AxisLayout =>
  layoutAxis(widthPx, heightPx, {
    gutterPx: Math.round(Math.min(mostGutterPx, Math.max(leastGutterPx, widthPx * gutterShare))),
    laneRows: Math.min(markRows, Math.max(1, Math.floor(heightPx / perMarkRowPx))),
    overview,
    rulerPx,
  })

interface Place {
  readonly key: string // m = memory of a device, p = process, t = track, c = series of a counter; and its number
  readonly yPx: number // among the pinned rows, or among the others
  readonly heightPx: number
  readonly isPinned: boolean
}

export interface MemoryRow extends Place {
  readonly kind: 'memory'
  readonly device: number
}

export interface ProcessRow extends Place {
  readonly kind: 'process'
  readonly process: TraceProcess
  readonly trackCount: number
  readonly isCollapsed: boolean
}

export interface TrackRow extends Place {
  readonly kind: 'track'
  readonly track: TraceTrack
  readonly process: TraceProcess | undefined
  readonly isCollapsed: boolean
  readonly laneCount: number // drawn: the first ones; 0 where there are only instants, which have a line all the same
}

export interface CounterRow extends Place {
  readonly kind: 'counter'
  readonly track: TraceTrack
  readonly process: TraceProcess | undefined
  readonly series: CounterSeries
}

/** All series of a memory timeline as one stack, the first at its bottom. */
export interface CategoriesRow extends Place {
  readonly kind: 'categories'
  readonly track: TraceTrack
  readonly process: TraceProcess | undefined
  readonly categories: readonly MemoryCategory[] // by series of the track
}

export type Row = MemoryRow | ProcessRow | TrackRow | CounterRow | CategoriesRow

export const memoryKey = (device: number): string => `m${device}`
export const processKey = (processId: number): string => `p${processId}`
export const trackKey = (trackId: number): string => `t${trackId}`
export const seriesKey = (seriesId: number): string => `c${seriesId}`

export interface RowsLook {
  readonly tracks: Pick<TraceTracks, 'processes' | 'tracks'>
  readonly devices: readonly number[] // those with memory events
  readonly collapsed: ReadonlySet<string>
  readonly pinned: readonly string[]
  readonly plotPx: number // height for all rows
}

export interface TraceRows {
  readonly pinned: readonly Row[]
  readonly rows: readonly Row[]
  readonly pinnedPx: number // height of the pinned rows
  readonly contentPx: number // height of the others
  readonly byKey: ReadonlyMap<string, Row>
}

type Unplaced = Row extends infer R ? (R extends Row ? Omit<R, 'yPx' | 'isPinned'> : never) : never

/** Every row, pinned ones first; each stands once. */
export function layoutRows({ tracks, devices, collapsed, pinned, plotPx }: RowsLook): TraceRows {
  const all = unplacedRows(tracks, devices, collapsed)
  const known = new Map(all.map((row) => [row.key, row]))
  const top: Row[] = []
  let pinnedPx = 0
  for (const key of new Set(pinned)) {
    const row = known.get(key)
    if (!row || row.kind === 'process' || pinnedPx + row.heightPx > plotPx * mostPinnedShare) continue
    top.push({ ...row, yPx: pinnedPx, isPinned: true })
    pinnedPx += row.heightPx
  }
  const isOnTop = new Set(top.map(({ key }) => key))
  const rows: Row[] = []
  let yPx = 0
  for (const row of all) {
    if (isOnTop.has(row.key) || isHidden(row, collapsed)) continue
    rows.push({ ...row, yPx, isPinned: false })
    yPx += row.heightPx
  }
  const byKey = new Map([...top, ...rows].map((row) => [row.key, row]))
  return { pinned: top, rows, pinnedPx, contentPx: yPx, byKey }
}

const isHidden = (row: Unplaced, collapsed: ReadonlySet<string>): boolean =>
  row.kind !== 'memory' && row.kind !== 'process' && row.process !== undefined && collapsed.has(processKey(row.process.processId))

/** Memory, then what belongs to no process, then each process with its tracks: the order of the tracks. */
function unplacedRows({ processes, tracks }: RowsLook['tracks'], devices: readonly number[], collapsed: ReadonlySet<string>): Unplaced[] {
  const rows: Unplaced[] = devices.map((device) => ({ kind: 'memory', key: memoryKey(device), device, heightPx: memoryPx }))
  const byId = new Map(processes.map((process) => [process.processId, process]))
  const counts = new Map<number | null, number>()
  for (const { processId } of tracks) counts.set(processId, (counts.get(processId) ?? 0) + 1)
  let current: number | null = null
  for (const track of tracks) {
    const process = track.processId === null ? undefined : byId.get(track.processId)
    if (process && process.processId !== current) {
      const key = processKey(process.processId)
      const trackCount = counts.get(process.processId) ?? 0
      rows.push({ kind: 'process', key, process, trackCount, isCollapsed: collapsed.has(key), heightPx: processPx })
      current = process.processId
    }
    rows.push(...rowsOfTrack(track, process, collapsed))
  }
  return rows
}

function rowsOfTrack(track: TraceTrack, process: TraceProcess | undefined, collapsed: ReadonlySet<string>): Unplaced[] {
  if (isMemoryTimeline(track)) {
    const categories = track.series.flatMap(({ name }) => categoryOf(name) ?? [])
    return [{ kind: 'categories', key: trackKey(track.trackId), track, process, categories, heightPx: categoriesPx }]
  }
  const counters = track.series.map(
    (series): Unplaced => ({ kind: 'counter', key: seriesKey(series.seriesId), track, process, series, heightPx: counterPx }),
  )
  if (track.laneCount === 0 && track.instantCount === 0) return counters
  const key = trackKey(track.trackId)
  const isCollapsed = track.laneCount > 1 && collapsed.has(key)
  const laneCount = isCollapsed ? 1 : track.laneCount
  const heightPx = Math.max(1, laneCount) * lanePx + 2 * rowPaddingPx
  return [{ kind: 'track', key, track, process, isCollapsed, laneCount, heightPx }, ...counters]
}

/** Where the rows lie on the canvas. */
interface PlotHeight {
  readonly yPx: number
  readonly heightPx: number
}

/** A row in sight, with its top on the canvas; parts of it may lie outside. */
export interface ShownRow {
  readonly row: Row
  readonly topPx: number
}

/** The scroll position nearest to one wished for. Even, as the heights are. */
export function clampScroll(scrollPx: number, { pinnedPx, contentPx }: Pick<TraceRows, 'pinnedPx' | 'contentPx'>, plotPx: number): number {
  const most = Math.max(0, contentPx - (plotPx - pinnedPx))
  return 2 * Math.round(Math.min(Math.max(0, scrollPx), most) / 2)
}

/** The rows in sight, pinned ones first. */
export function shownRows(rows: TraceRows, scrollPx: number, plot: PlotHeight): ShownRow[] {
  const pinned = rows.pinned.map((row) => ({ row, topPx: plot.yPx + row.yPx }))
  const to = scrollPx + plot.heightPx - rows.pinnedPx
  const shown: ShownRow[] = []
  for (let index = firstBelow(rows.rows, scrollPx); index < rows.rows.length; index++) {
    const row = rows.rows[index]
    if (!row || row.yPx >= to) break
    shown.push({ row, topPx: plot.yPx + rows.pinnedPx + row.yPx - scrollPx })
  }
  return [...pinned, ...shown]
}

/** Index of the first row that ends below a height. */
function firstBelow(rows: readonly Row[], yPx: number): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const row = rows[middle]
    if (row && row.yPx + row.heightPx <= yPx) low = middle + 1
    else high = middle
  }
  return low
}

/** The scroll position at which a stretch of the rows that are not pinned is in sight; the same one when it is already. */
export function scrollTo(
  yPx: number,
  heightPx: number,
  scrollPx: number,
  { pinnedPx }: Pick<TraceRows, 'pinnedPx'>,
  plotPx: number,
): number {
  const roomPx = plotPx - pinnedPx
  if (yPx >= scrollPx && yPx + heightPx <= scrollPx + roomPx) return scrollPx
  return yPx - Math.max(0, (roomPx - heightPx) / 2)
}

/** Lanes in sight of the rows given, at most `most`: those of pinned rows first. */
export function lanesOf(shown: readonly ShownRow[], { pinnedPx }: Pick<TraceRows, 'pinnedPx'>, plot: PlotHeight, most: number): number[] {
  const lanes: number[] = []
  for (const { row, topPx } of shown) {
    if (row.kind !== 'track') continue
    const fromPx = plot.yPx + (row.isPinned ? 0 : pinnedPx) - topPx - rowPaddingPx
    const toPx = plot.yPx + plot.heightPx - topPx - rowPaddingPx
    const end = Math.min(row.laneCount, Math.ceil(toPx / lanePx))
    for (let lane = Math.max(0, Math.floor(fromPx / lanePx)); lane < end && lanes.length < most; lane++)
      lanes.push(row.track.firstLane + lane)
  }
  return lanes
}
