// What a viewport of the time line shows, computed the slow way: every column looks at every allocation. native/README.md has the rules.
import { curveNames, type RefAllocation, type RefReplay } from './replay.ts'

export interface Viewport {
  /** Position of each event on the axis: its number, or its time in nanoseconds. */
  readonly positions: readonly number[]
  readonly x0: number
  readonly x1: number
  readonly columns: number
}

export interface ColumnCurves {
  readonly min: number
  readonly max: number
  readonly rep: number
}

export interface RefColumn {
  /** −1 = before the first event. */
  readonly repEvent: number
  readonly first: number
  readonly last: number
  readonly curves: Readonly<Record<(typeof curveNames)[number], ColumnCurves>>
}

const firstAtOrAfter = (positions: readonly number[], x: number) => {
  const found = positions.findIndex((position) => position >= x)
  return found < 0 ? positions.length : found
}

/** The columns of a viewport. */
export function viewportColumns(run: RefReplay, view: Viewport): RefColumn[] {
  const edge = (index: number) => firstAtOrAfter(view.positions, view.x0 + index * ((view.x1 - view.x0) / view.columns))
  return Array.from({ length: view.columns }, (_, index) => column(run, edge(index), edge(index + 1)))
}

function column(run: RefReplay, first: number, last: number): RefColumn {
  let repEvent = first - 1
  for (let event = first; event < last; event += 1) {
    if (event === first || (run.curves.allocated[event] ?? 0) > (run.curves.allocated[repEvent] ?? 0)) repEvent = event
  }
  const after = (name: (typeof curveNames)[number], event: number) => (event < 0 ? run.start[name] : (run.curves[name][event] ?? 0))
  const ofCurve = (name: (typeof curveNames)[number]): ColumnCurves => {
    let [min, max] = [after(name, first - 1), after(name, first - 1)]
    for (let event = first; event < last; event += 1) {
      min = Math.min(min, after(name, event))
      max = Math.max(max, after(name, event))
    }
    return { min, max, rep: after(name, repEvent) }
  }
  const [allocated, active, reserved, requested] = curveNames.map(ofCurve) as [ColumnCurves, ColumnCurves, ColumnCurves, ColumnCurves]
  return { repEvent, first, last, curves: { allocated, active, reserved, requested } }
}

const isAlive = (allocation: RefAllocation, event: number) =>
  allocation.allocEvent <= event && !allocation.pendingAtStart && (allocation.freeRequested === null || allocation.freeRequested > event)

export interface RasterRules {
  readonly rows: number
  readonly y0: number
  readonly y1: number
  /** allocation_id of the replay's first allocation: odd ones have the lighter shade. */
  readonly firstId: number
  /** Colour slot of an allocation at an event. */
  slot(index: number, event: number): number
}

/** Cells of a raster, column after column, lowest row first: a row shows the allocation over the byte at its centre. */
export function rasterCells(run: RefReplay, columns: readonly RefColumn[], rules: RasterRules): Uint8Array {
  const cells = new Uint8Array(columns.length * rules.rows)
  columns.forEach(({ repEvent }, index) => {
    cells.set(columnCells(run, repEvent, rules), index * rules.rows)
  })
  return cells
}

function columnCells(run: RefReplay, event: number, rules: RasterRules): Uint8Array {
  const owners = rowOwners(run, event, rules)
  return Uint8Array.from(owners, (owner, row) => {
    if (owner < 0) return 0
    const shade = (rules.firstId + owner) % 2 === 1 ? 64 : 0
    const height = owners.filter((other) => other === owner).length
    const isTop = owners[row + 1] !== owner && row + 1 < rules.rows
    return rules.slot(owner, event) | shade | (isTop && height >= 5 ? 128 : 0)
  })
}

/** Index of the allocation that each row shows, −1 where nothing is. */
function rowOwners(run: RefReplay, event: number, rules: RasterRules): number[] {
  const owners = Array<number>(rules.rows).fill(-1)
  const height = (rules.y1 - rules.y0) / rules.rows
  let bottom = 0
  run.allocations.forEach((allocation, index) => {
    if (!isAlive(allocation, event)) return
    const top = bottom + allocation.size
    for (let row = 0; row < rules.rows; row += 1) {
      const centre = Math.floor(rules.y0 + (row + 0.5) * height)
      if (centre >= bottom && centre < top) owners[row] = index
    }
    bottom = top
  })
  return owners
}
