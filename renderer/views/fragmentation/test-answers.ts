// Answers of the engine for tests of this view: eight events of a device with one failure, in mebibytes.
import type { DeviceSummary } from '../../../preload/contract/capture.ts'
import type { SpaceCurves, SpaceReport, SpaceTotals } from '../../../preload/contract/queries.ts'
import type { Placed } from '../../plot/placed.ts'

export const mebi = 2 ** 20
const f64 = (...values: number[]) => new Float64Array(values)
const curve = (scale: number, ...values: number[]) => {
  const scaled = f64(...values.map((value) => value * scale))
  return { min: scaled, max: scaled, rep: scaled }
}

export const range = { x0: 0, x1: 8 }
const columns = {
  repEvent: f64(0, 1, 2, 3, 4, 5, 6, 7),
  firstEvent: f64(0, 1, 2, 3, 4, 5, 6, 7),
  lastEvent: f64(1, 2, 3, 4, 5, 6, 7, 8),
  repTimeNs: f64(0, 1e6, 2e6, 3e6, 4e6, 5e6, 6e6, 7e6),
  reserved: curve(mebi, 20, 40, 40, 40, 40, 40, 40, 40),
  active: curve(mebi, 20, 30, 40, 30, 20, 12, 12, 12),
  allocated: curve(mebi, 20, 30, 40, 26, 20, 12, 12, 12),
  requested: curve(mebi, 19, 29, 38, 28, 19, 11, 11, 11),
  inactiveSplit: curve(mebi, 0, 0, 0, 10, 20, 24, 24, 24),
  largestFree: curve(mebi, 0, 10, 0, 6, 8, 7, 7, 7),
  returnable: curve(mebi, 0, 10, 0, 0, 0, 4, 4, 4),
  freeBlocks: curve(1, 0, 1, 0, 2, 4, 7, 7, 7),
} satisfies SpaceCurves

export const curves: Placed<SpaceCurves> = { range, axis: 'event', device: 0, data: columns }

export const device: DeviceSummary = {
  device: 0,
  deviceType: 'cuda',
  eventCount: 8,
  allocationCount: 5,
  neverFreedCount: 1,
  noStackCount: 0,
  firstTimeNs: 0,
  lastTimeNs: 7e6,
  reservedBytes: 40 * mebi,
  allocatedBytes: 12 * mebi,
  activeBytes: 12 * mebi,
  requestedBytes: 11 * mebi,
  inactiveSplitBytes: 24 * mebi,
  largestFreeBytes: 7 * mebi,
  peakAllocatedBytes: 40 * mebi,
  peakEvent: 2,
  peakTimeNs: 2e6,
  peakReservedBytes: 40 * mebi,
  exact: true,
  oomCount: 1,
  ooms: [{ event: 6, timeNs: 6e6, sizeBytes: 9 * mebi, deviceFreeBytes: null }],
}

const totals = (change: Partial<SpaceTotals>): SpaceTotals => ({
  segments: 1,
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
})

const large = totals({
  reservedBytes: 30 * mebi,
  activeBytes: 10 * mebi,
  freeBytes: 20 * mebi,
  freeBlockCount: 5,
  largestFreeBytes: 7 * mebi,
})
const small = totals({ reservedBytes: 2 * mebi, activeBytes: mebi, freeBytes: mebi, freeBlockCount: 1, largestFreeBytes: mebi })
const graph = totals({ reservedBytes: 8 * mebi, activeBytes: mebi, freeBytes: 7 * mebi, freeBlockCount: 1, largestFreeBytes: 7 * mebi })
const bin = (fromBytes: number, toBytes: number, count: number) => ({ fromBytes, toBytes, count, bytes: fromBytes * count })

export const report: SpaceReport = {
  totals: totals({
    segments: 3,
    reservedBytes: 40 * mebi,
    allocatedBytes: 12 * mebi,
    activeBytes: 12 * mebi,
    requestedBytes: 11 * mebi,
    freeBytes: 28 * mebi,
    freeBlockCount: 7,
    largestFreeBytes: 7 * mebi,
    inactiveSplitBytes: 24 * mebi,
    returnableBytes: 4 * mebi,
  }),
  groups: [
    { pool: '(0,0)', stream: '0', segmentType: 'small', ...small },
    { pool: '(1,0)', stream: '7', segmentType: 'large', ...graph },
    { pool: '(0,0)', stream: '0', segmentType: 'large', ...large },
  ],
  freeSizes: [bin(mebi, 1_246_974, 1), bin(4 * mebi, 4_987_896, 4), bin(7_053_951, 8 * mebi, 2)],
  requestSizes: [bin(4 * mebi, 4_987_896, 90), bin(8 * mebi, 9_975_793, 8), bin(16 * mebi, 19_951_585, 2)],
  pins: [],
}
