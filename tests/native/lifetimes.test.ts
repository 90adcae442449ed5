// The heat map of lifetimes against the slow reference, cell by cell, and its conservation law: a column holds what the curve says.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writePickle } from '../fixtures/pickle-writer.ts'
import { programs, runProgram, snapshotOf } from '../fixtures/programs.ts'
import {
  addressHeight,
  everReserved,
  type HeatCell,
  type HeatView,
  heatCells,
  levelOf,
  measured,
  type Reserved,
  reservedLives,
} from '../reference/lifetimes.ts'
import { type RefReplay, replay } from '../reference/replay.ts'
import { type RefSnapshot, readReference, toSnapshot } from '../reference/snapshot.ts'
import { unpickle } from '../reference/unpickle.ts'
import { f64, readBatch } from '../support/batch.ts'
import { corpusFolder, corpusSnapshots } from '../support/corpus.ts'
import { IndexFile } from '../support/index-file.ts'
import { samplePath } from '../support/paths.ts'
import { someEvents } from '../support/random.ts'

interface Subject {
  readonly index: IndexFile
  readonly run: RefReplay
  readonly lives: readonly Reserved[]
  readonly timesNs: readonly number[]
}

async function subjectOf(index: IndexFile, file: RefSnapshot): Promise<Subject> {
  const timesNs = (await index.column('SELECT time_ns FROM event WHERE device = 0 ORDER BY event')).map(Number)
  return { index, run: replay(file, 0), lives: reservedLives(file, 0), timesNs }
}

const windows = fc.record({
  axis: fc.constantFrom('event', 'time'),
  order: fc.constantFrom('address', 'allocation', 'size'),
  measure: fc.constantFrom('bytes', 'allocated', 'freed', 'area', 'age'),
  scale: fc.constantFrom('linear', 'sqrt', 'log'),
  from: fc.double({ min: -0.2, max: 1, noNaN: true }),
  length: fc.double({ min: 1e-2, max: 1.3, noNaN: true }),
  columns: fc.integer({ min: 1, max: 40 }),
  rows: fc.integer({ min: 1, max: 30 }),
  bottom: fc.double({ min: -0.1, max: 0.9, noNaN: true }),
  height: fc.double({ min: 0.02, max: 1.2, noNaN: true }),
})
type Window = typeof windows extends fc.Arbitrary<infer T> ? T : never

function heightOf({ run, lives }: Subject, order: Window['order']): number {
  if (order === 'allocation') return run.allocations.length
  return order === 'size' ? 120 : addressHeight(everReserved(lives), Number.POSITIVE_INFINITY)
}

function viewOf(subject: Subject, window: Window): HeatView {
  const { axis, order, columns, rows } = window
  const positions = axis === 'event' ? Array.from({ length: subject.run.eventCount }, (_, event) => event) : subject.timesNs
  const end = (positions.at(-1) ?? 0) + 1
  const height = heightOf(subject, order)
  const [x0, y0] = [window.from * end, window.bottom * height]
  return { positions, order, columns, rows, x0, x1: x0 + window.length * end, y0, y1: y0 + window.height * height }
}

/** Less of a cell than this is a rounding error of its edge. */
const tiny = 1e-6

/** An event on the edge between two columns, but for a rounding error, belongs to either. */
function isOnAnEdge(view: HeatView): boolean {
  return view.positions.some((position) => {
    const column = ((position - view.x0) / (view.x1 - view.x0)) * view.columns
    return Math.abs(column - Math.round(column)) < tiny
  })
}

/** What was made before the first event has an age from that on only: the columns before it are compared in native/tests/query. */
const hasUnknownAges = (view: HeatView, { measure }: Window) => measure === 'age' && view.x0 < (view.positions[0] ?? 0)

async function expectHeatMap(subject: Subject, window: Window): Promise<void> {
  const view = viewOf(subject, window)
  fc.pre(!isOnAnEdge(view) && !hasUnknownAges(view, window))
  const { measure, scale, order } = window
  const [blob] = await subject.index.column('SELECT lifetime_raster(0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', [
    window.axis,
    view.x0,
    view.x1,
    view.columns,
    view.rows,
    order,
    view.y0,
    view.y1,
    measure,
    scale,
    '',
  ])
  const batch = readBatch(blob)
  const columns = heatCells(subject.run, subject.lives, view)
  const width = (view.x1 - view.x0) / view.columns
  expectTotals(f64(batch, 'column_total'), columns, (cell) => measured(cell, measure, width), measure === 'age')
  const values = columns.flat().map((cell) => measured(cell, measure, width))
  const largest = Math.max(...values)
  const maxOf = (row: number) => (measure === 'bytes' && order === 'address' ? bytesOfRow(view, row, heightOf(subject, order)) : largest)
  const cells = batch.get('cells') as Uint8Array
  columns.flat().forEach((cell, place) => {
    const [value = 0, max] = [values[place], maxOf(place % view.rows)]
    const text = `column ${Math.floor(place / view.rows)} row ${place % view.rows}: ${JSON.stringify(cell)}`
    const isState = measure !== 'allocated' && measure !== 'freed'
    expectCell(cells[place] ?? 0, cell, { level: levelOf(value, max, scale), value, max, isState, order, text })
  })
}

/** Bytes of addresses in a cell of a row: less than its height where that reaches beyond the first or the last. */
function bytesOfRow({ y0, y1, rows }: HeatView, row: number, end: number): number {
  const height = (y1 - y0) / rows
  return Math.max(0, Math.min(end, y1 - row * height) - Math.max(0, y1 - (row + 1) * height))
}

/** Sums in another order differ in their last digits. */
const isNear = (found: number, wanted: number) => Math.abs(found - wanted) <= 1e-5 * Math.max(1, Math.abs(wanted))

function expectTotals(found: Float64Array, columns: readonly HeatCell[][], measuredOf: (cell: HeatCell) => number, isMean: boolean): void {
  columns.forEach((cells, column) => {
    const alive = cells.reduce((sum, cell) => sum + cell.alive, 0)
    const wanted = isMean
      ? cells.reduce((sum, cell) => sum + cell.aged, 0) / Math.max(alive, Number.MIN_VALUE)
      : cells.reduce((sum, cell) => sum + measuredOf(cell), 0)
    expect(isNear(found[column] ?? Number.NaN, wanted), `column ${column}: ${found[column]} ≠ ${wanted}`).toBe(true)
  })
}

interface Wanted {
  readonly level: number
  readonly value: number
  readonly max: number
  readonly isState: boolean
  readonly order: string
  readonly text: string
}

/** What a cell without anything alive may be: 1 where more than half is reserved, or something waits for a stream. */
function emptyLevels({ pending, reserved }: HeatCell, isState: boolean, hasAddresses: boolean): number[] {
  if (isState && pending > tiny) return [1]
  if (!hasAddresses) return [0]
  return Math.abs(reserved - 0.5) < tiny ? [0, 1] : [reserved > 0.5 ? 1 : 0]
}

/** A value next to the edge between two levels may fall on either side. */
function expectCell(found: number, cell: HeatCell, { level, value, max, isState, order, text }: Wanted): void {
  if (!isState) expect(found >> 6, text).toBe(0)
  else if (!isNear(cell.pending, cell.alive)) expect(found >> 6, text).toBe(cell.pending > cell.alive ? 1 : 0)
  const allowed = value > 0 ? [Math.floor(level - 1e-3), Math.floor(level + 1e-3)] : []
  if (value <= tiny * max) allowed.push(...emptyLevels(cell, isState, order === 'address'))
  expect(allowed, text).toContain(found & 63)
}

/** Events that the ring buffer kept: with few, allocations are held or pending before the first. */
const kept = fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 1, max: 30 }))

test('heat maps of random programs', async () => {
  await fc.assert(
    fc.asyncProperty(programs(80), windows, kept, async (program, window, last) => {
      const bytes = writePickle(snapshotOf(runProgram(program), program.options, last), { protocol: 4 })
      const index = await IndexFile.ofBytes('lifetimes', bytes)
      try {
        const subject = await subjectOf(index, toSnapshot(unpickle(bytes)))
        if (subject.lives.length > 0 && subject.run.allocations.length > 0) await expectHeatMap(subject, window)
      } finally {
        await index.close()
      }
    }),
    { numRuns: 200 },
  )
})

test('heat maps of a real capture', async () => {
  const index = await IndexFile.of(samplePath('oom'))
  const subject = await subjectOf(index, readReference(samplePath('oom')))
  await fc.assert(
    fc.asyncProperty(windows, (window) => expectHeatMap(subject, window)),
    { numRuns: 40 },
  )
  await index.close()
})

const orders = ['address', 'address_sqrt', 'allocation', 'size', 'stack'] as const

/** Columns one event wide, all of y: their sum is the allocated curve after that event. */
async function expectConservation(index: IndexFile, device: number, events: readonly number[]): Promise<void> {
  for (const order of orders) {
    const [space] = await index.column('SELECT lifetime_space(?, ?)', [device, order])
    const { y1 } = JSON.parse(String(space)) as { y1: number }
    for (const event of events.filter((each) => each >= 0)) {
      const [blob] = await index.column("SELECT lifetime_raster(?, 'event', ?, ?, 1, 64, ?, 0, ?, 'bytes', 'linear', '')", [
        device,
        event,
        event + 1,
        order,
        y1,
      ])
      const [curve] = await index.column('SELECT allocated_bytes FROM memory_curve WHERE device = ? AND event = ?', [device, event])
      const total = f64(readBatch(blob), 'column_total')[0] ?? Number.NaN
      expect(isNear(total, Number(curve)), `${order} after event ${event}: ${total} ≠ ${curve}`).toBe(true)
    }
  }
}

const snapshots = corpusSnapshots()

// Said in the report, not passed over in silence.
if (snapshots.length === 0) test.skip(`no corpus at ${corpusFolder}: columns of real captures are not summed`, () => undefined)

describe.skipIf(snapshots.length === 0)('the sum over a column is the allocated curve', () => {
  test.each(snapshots.map((snapshot) => [snapshot.name, snapshot.path] as const))('%s', { timeout: 300_000 }, async (_, path) => {
    const index = await IndexFile.of(path)
    try {
      for (const row of await index.all('SELECT device, event_count FROM device WHERE event_count > 0')) {
        await expectConservation(index, Number(row.device), someEvents(7, Number(row.event_count), 4))
      }
    } finally {
      await index.close()
    }
  })
})
