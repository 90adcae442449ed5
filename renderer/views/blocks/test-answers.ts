// Answers of the engine as tests of this view need them.
import type { BlockRaster, Segments, SpaceReport, SpaceTotals } from '../../../preload/contract/queries.ts'

export const mebi = 2 ** 20
export const f64 = (...values: number[]) => new Float64Array(values)

/** Segments of so many MiB with so many MiB free at their start. */
export function segmentsOf(totals: readonly number[], free: readonly number[]): Segments {
  const bytes = (values: readonly number[]) => f64(...values.map((value) => value * mebi))
  const used = totals.map((total, index) => total - (free[index] ?? 0))
  return {
    leftOut: 0,
    addresses: totals.map((_, index) => `0x7f86${(0x56000000 + index * 0x10000000).toString(16)}`),
    totalBytes: bytes(totals),
    allocatedBytes: bytes(used),
    activeBytes: bytes(used),
    requestedBytes: bytes(used),
    freeBytes: bytes(free),
    largestFreeBytes: bytes(free),
    largestFreeOffset: f64(...free.map((each) => (each > 0 ? 0 : -1))),
    returnableBytes: bytes(totals.map(() => 0)),
    blockCount: f64(...totals.map(() => 2)),
    freeBlockCount: f64(...free.map((each) => (each > 0 ? 1 : 0))),
    streams: totals.map(() => '0'),
    pools: totals.map(() => '(0,0)'),
    isSmall: f64(...totals.map(() => 0)),
    isExpandable: f64(...totals.map(() => 0)),
  }
}

/** A report of these totals; what is not given is nothing. */
export function reportOf(change: Partial<SpaceTotals>): SpaceReport {
  const totals: SpaceTotals = {
    segments: 0,
    expandableSegments: 0,
    reservedBytes: 0,
    allocatedBytes: 0,
    activeBytes: 0,
    requestedBytes: 0,
    freeBytes: 0,
    blockCount: 0,
    freeBlockCount: 0,
    largestFreeBytes: 0,
    inactiveSplitBytes: 0,
    returnableBytes: 0,
    ...change,
  }
  return { totals, groups: [], freeSizes: [], requestSizes: [], pins: [] }
}

/** A raster without lines of its own. */
export function rasterAnswer(cells: BlockRaster['cells'], columns: number, lines: number, boxes: BlockRaster['boxes'] = null): BlockRaster {
  const none = f64()
  return {
    columns,
    lines,
    cells,
    lineSegment: none,
    lineOffset: none,
    lineBytes: none,
    boxes,
    allLines: lines,
    blockCount: boxes?.line.length ?? 9999,
    longestBytes: 240 * mebi,
  }
}
