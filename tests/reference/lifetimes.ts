// The heat map of lifetimes the slow way: every cell looks at every allocation. native/README.md has the rules.
import type { RefAllocation, RefReplay } from './replay.ts'
import { reservationsOf } from './reservations.ts'
import type { RefSnapshot } from './snapshot.ts'

/** A stretch of addresses over the events between its reservation and its release. */
export interface Reserved {
  readonly address: number
  readonly end: number
  /** −1 = before the first event. */
  readonly from: number
  /** Infinity = never. */
  readonly to: number
}

/** Every life of a stretch of reserved addresses. Addresses as numbers: below 2^53. */
export function reservedLives(file: RefSnapshot, device: number): Reserved[] {
  const events = file.traces[device] ?? []
  const segments = file.segments.filter((segment) => segment.device === device)
  const { start } = reservationsOf(events, segments, null)
  const toLife = (address: bigint, size: number, from: number): Reserved => ({
    address: Number(address),
    end: Number(address) + size,
    from,
    to: Number.POSITIVE_INFINITY,
  })
  let open = start.ranges.map(({ address, size }) => toLife(address, size, -1))
  const closed: Reserved[] = []
  events.forEach(({ action, address, size }, index) => {
    if (action === 'segment_alloc' || action === 'segment_map') open.push(toLife(address, size, index))
    if (action !== 'segment_free' && action !== 'segment_unmap') return
    const [from, to] = [Number(address), Number(address) + size]
    const isHit = (life: Reserved) => life.address < to && life.end > from
    const hit = open.filter(isHit)
    open = open.filter((life) => !isHit(life))
    for (const life of hit) {
      closed.push({ ...life, address: Math.max(life.address, from), end: Math.min(life.end, to), to: index })
      if (life.address < from) open.push({ ...life, end: from })
      if (life.end > to) open.push({ ...life, address: to })
    }
  })
  return [...closed, ...open]
}

/** The union of what was ever reserved: stretches without gaps, lowest first. */
export function everReserved(lives: readonly Reserved[]): { readonly address: number; readonly end: number }[] {
  const stretches: { address: number; end: number }[] = []
  for (const { address, end } of [...lives].sort((a, b) => a.address - b.address)) {
    const last = stretches.at(-1)
    if (last !== undefined && address <= last.end) last.end = Math.max(last.end, end)
    else stretches.push({ address, end })
  }
  return stretches
}

/** y in bytes of an address: all that was ever reserved below it. */
export function addressHeight(stretches: readonly { readonly address: number; readonly end: number }[], address: number): number {
  return stretches.reduce((sum, stretch) => sum + Math.max(0, Math.min(stretch.end, address) - stretch.address), 0)
}

export type Order = 'address' | 'allocation' | 'size'
export type Measure = 'bytes' | 'allocated' | 'freed' | 'area' | 'age'

export interface HeatView {
  /** Position of each event on the axis: its number, or its time in nanoseconds. */
  readonly positions: readonly number[]
  readonly x0: number
  readonly x1: number
  readonly columns: number
  readonly rows: number
  readonly order: Order
  readonly y0: number
  readonly y1: number
}

export interface HeatCell {
  readonly alive: number
  readonly pending: number
  /** Bytes × the part of the column × the mean age there. */
  readonly aged: number
  readonly made: number
  readonly freed: number
  /** Address order: the share of the cell's area in which memory is reserved. */
  readonly reserved: number
}

interface Bar {
  readonly allocation: RefAllocation
  readonly start: number
  readonly freed: number
  readonly completed: number
  readonly y0: number
  readonly y1: number
}

/** An allocation as a rectangle. */
function barOf(allocation: RefAllocation, index: number, view: HeatView, stretches: ReturnType<typeof everReserved>): Bar {
  const at = (event: number | null) =>
    event === null ? Number.POSITIVE_INFINITY : event < 0 ? Number.NEGATIVE_INFINITY : (view.positions[event] ?? 0)
  const heights = {
    address: () => addressHeight(stretches, Number(allocation.address)),
    allocation: () => index,
    size: () => Math.floor(4 * Math.log2(allocation.size) - 36),
  }
  const y0 = heights[view.order]()
  return {
    allocation,
    start: at(allocation.allocEvent),
    freed: allocation.pendingAtStart ? Number.NEGATIVE_INFINITY : at(allocation.freeRequested),
    completed: at(allocation.freeCompleted),
    y0,
    y1: y0 + (view.order === 'address' ? allocation.size : 1),
  }
}

const overlap = (from: number, to: number, low: number, high: number) => Math.max(0, Math.min(to, high) - Math.max(from, low))

/** Cells column after column, the largest y first. */
export function heatCells(run: RefReplay, lives: readonly Reserved[], view: HeatView): HeatCell[][] {
  const stretches = everReserved(lives)
  const bars = run.allocations.map((allocation, index) => barOf(allocation, index, view, stretches))
  const width = (view.x1 - view.x0) / view.columns
  const height = (view.y1 - view.y0) / view.rows
  const firstX = view.positions[0] ?? 0
  const position = (event: number) =>
    event < 0 ? Number.NEGATIVE_INFINITY : event === Number.POSITIVE_INFINITY ? event : (view.positions[event] ?? 0)
  const reserved = lives.map((life) => ({
    from: position(life.from),
    to: position(life.to),
    y0: addressHeight(stretches, life.address),
    y1: addressHeight(stretches, life.end),
  }))
  return Array.from({ length: view.columns }, (_, column) => {
    const [x0, x1] = [view.x0 + column * width, view.x0 + (column + 1) * width]
    const seen = bars.filter((bar) => bar.start < x1 && bar.completed >= x0)
    const there = reserved.map((life) => ({ ...life, x: overlap(life.from, life.to, x0, x1) / width })).filter(({ x }) => x > 0)
    return Array.from({ length: view.rows }, (_, row) => {
      const [y0, y1] = [view.y1 - (row + 1) * height, view.y1 - row * height]
      const isThere = there.reduce((sum, { x, y0: from, y1: to }) => sum + (x * overlap(from, to, y0, y1)) / height, 0)
      return { ...sumCell(seen, { x0, x1, y0, y1 }, firstX), reserved: isThere }
    })
  })
}

/** `firstX`: from where the age of what was made before the first event counts. */
function sumCell(
  bars: readonly Bar[],
  { x0, x1, y0, y1 }: { x0: number; x1: number; y0: number; y1: number },
  firstX: number,
): Omit<HeatCell, 'reserved'> {
  const cell = { alive: 0, pending: 0, aged: 0, made: 0, freed: 0 }
  const isIn = (x: number) => x >= x0 && x < x1
  for (const { allocation, start, freed, completed, y0: bottom, y1: top } of bars) {
    const bytes = (allocation.size * overlap(bottom, top, y0, y1)) / (top - bottom)
    if (bytes === 0) continue
    const alive = (bytes * overlap(start, freed, x0, x1)) / (x1 - x0)
    cell.alive += alive
    cell.pending += (bytes * overlap(Math.max(start, freed), completed, x0, x1)) / (x1 - x0)
    if (alive > 0) cell.aged += alive * ((Math.max(start, x0) + Math.min(freed, x1)) / 2 - Math.max(start, firstX))
    if (isIn(start)) cell.made += bytes
    if (isIn(freed)) cell.freed += bytes
  }
  return cell
}

/** What a measure shows of a cell. Ages are means over the bytes alive. */
export function measured(cell: HeatCell, measure: Measure, columnWidth: number): number {
  const values = {
    bytes: cell.alive,
    allocated: cell.made,
    freed: cell.freed,
    area: cell.alive * columnWidth,
    age: cell.alive > 0 ? cell.aged / cell.alive : 0,
  }
  return values[measure]
}

const curves = {
  linear: (share: number) => share,
  sqrt: (share: number) => Math.sqrt(share),
  log: (share: number) => Math.max(0, 1 + Math.log10(share) / 6),
} as const
export type Scale = keyof typeof curves

/** Where a value stands among the levels 2 … 63, as a broken number: its whole part is the level. */
export const levelOf = (value: number, max: number, scale: Scale): number => 2 + 61.999 * curves[scale](Math.min(1, value / max))
