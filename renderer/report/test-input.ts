// A report's input made by hand: a device that ran out of memory.
import type { CaptureSummary, DeviceSummary } from '../../preload/contract/capture.ts'
import type { AllocationRow, SpaceTotals } from '../../preload/contract/queries.ts'
import type { ReportDevice, ReportMoment, ReportStack } from '../../preload/contract/report.ts'
import type { ReportInput } from './input.ts'

const mib = 2 ** 20

export const device: DeviceSummary = {
  device: 0,
  deviceType: 'cuda',
  eventCount: 100,
  allocationCount: 40,
  neverFreedCount: 2,
  noStackCount: 0,
  firstTimeNs: 0,
  lastTimeNs: 2e9,
  reservedBytes: 100 * mib,
  allocatedBytes: 80 * mib,
  activeBytes: 80 * mib,
  requestedBytes: 79 * mib,
  inactiveSplitBytes: 20 * mib,
  largestFreeBytes: 12 * mib,
  peakAllocatedBytes: 90 * mib,
  peakEvent: 70,
  peakTimeNs: 1e9,
  peakReservedBytes: 100 * mib,
  exact: true,
  oomCount: 1,
  ooms: [{ event: 99, timeNs: 2e9, sizeBytes: 16 * mib, deviceFreeBytes: 4 * mib }],
}

export const capture: CaptureSummary = {
  captureId: 'a',
  kind: 'torch_snapshot',
  sourceName: 'run.pickle',
  sourceBytes: 1000,
  formatDetail: 'pickle protocol 4',
  fingerprint: 'f00d',
  fromCache: false,
  indexBytes: 1,
  startUnixUs: 1_790_000_000_000_000,
  durationNs: 2e9,
  eventCount: 100,
  hasHistory: true,
  hasBlocks: true,
  trace: null,
  profile: null,
  hasTimes: true,
  devices: [device],
  streams: ['0'],
  pools: ['(0,0)'],
  settings: { expandable_segments: false },
  findings: [],
}

export const stack = (title: string, bytes: number, stackId = 1): ReportStack => ({
  stackId,
  count: 2,
  bytes,
  title,
  place: 'model.py:7',
  frames: [{ name: 'train', filename: '/home/somebody/secret/project/train.py', line: 12, kind: 'own' }],
  leftOut: 3,
})

export const totals: SpaceTotals = {
  segments: 5,
  expandableSegments: 0,
  reservedBytes: 100 * mib,
  allocatedBytes: 80 * mib,
  activeBytes: 80 * mib,
  requestedBytes: 79 * mib,
  freeBytes: 20 * mib,
  blockCount: 30,
  freeBlockCount: 4,
  largestFreeBytes: 12 * mib,
  inactiveSplitBytes: 20 * mib,
  returnableBytes: 0,
}

const row: AllocationRow = {
  allocationId: 1,
  address: '0x7f0000000000',
  version: 0,
  requestedBytes: mib,
  sizeBytes: mib,
  stream: '0',
  pool: '(0,0)',
  segmentAddress: null,
  allocEvent: null,
  freeRequestedEvent: null,
  freeCompletedEvent: null,
  allocTimeNs: null,
  freeTimeNs: null,
  stackId: 1,
  slot: 0,
  categoryName: 'unknown',
  title: 'forward',
  place: 'model.py:7',
}

export const moment = (event: number, change: Partial<ReportMoment> = {}): ReportMoment => ({
  event,
  timeNs: 1e9,
  allocatedBytes: 80 * mib,
  reservedBytes: 100 * mib,
  aliveCount: 12,
  stacks: [stack('forward', 50 * mib, 1), stack('attention', 20 * mib, 2), stack('loss', 10 * mib, 3)],
  largest: [row],
  space: { totals, groups: [{ pool: '(0,0)', stream: '0', segmentType: 'large', ...totals }], pins: [] },
  ...change,
})

const range = { min: 0, minEvent: -1, mean: 10.4, max: 90 * mib, maxEvent: 70 }

export const facts: ReportDevice = {
  curves: { allocated: range, active: range, reserved: range, requested: range },
  made: { count: 40, bytes: 400 * mib },
  freed: { count: 38, bytes: 300 * mib },
  neverFreed: { count: 2, bytes: 80 * mib },
  temporary: { count: 30, bytes: 200 * mib },
  annotations: [{ name: 'ProfilerStep', count: 4 }],
  annotationCount: 4,
  peak: moment(70),
  failure: {
    moment: moment(99),
    sizeBytes: 16 * mib,
    deviceFreeBytes: 4 * mib,
    title: 'backward',
    place: 'loss.py:3',
    stack: { frames: [], leftOut: 0 },
    fit: null,
  },
  dump: null,
}

export const input: ReportInput = {
  capture,
  device,
  facts,
  pictures: [{ view: 'timeline', svg: '<svg><desc>peak &amp; more</desc>é</svg>', isAsInWindow: false }],
  notes: ['First note.\n\nSecond paragraph.'],
  shortPaths: true,
  madeAtMs: Date.UTC(2026, 10, 30),
  version: '1.2.3',
  temporaryEvents: 40,
}
