// Curves and rasters of viewports against the slow reference, at random windows.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writePickle } from '../fixtures/pickle-writer.ts'
import { programs, runProgram, snapshotOf } from '../fixtures/programs.ts'
import { curveNames, type RefReplay, replay } from '../reference/replay.ts'
import { type RefSnapshot, readReference, toSnapshot } from '../reference/snapshot.ts'
import { unpickle } from '../reference/unpickle.ts'
import { rasterCells, type Viewport, viewportColumns } from '../reference/viewport.ts'
import { f64, readBatch } from '../support/batch.ts'
import { IndexFile } from '../support/index-file.ts'
import { samplePath } from '../support/paths.ts'

interface Subject {
  readonly index: IndexFile
  readonly run: RefReplay
  readonly timesNs: readonly number[]
  readonly ids: readonly number[]
  readonly slots: readonly number[]
}

async function subjectOf(index: IndexFile, file: RefSnapshot, device = 0): Promise<Subject> {
  const run = replay(file, device)
  const timesNs = (await index.column('SELECT time_ns FROM event WHERE device = ? ORDER BY event', [device])).map(Number)
  const rows = await index.all('SELECT allocation_id, slot FROM allocation WHERE device = ? ORDER BY allocation_id', [device])
  return { index, run, timesNs, ids: rows.map((row) => Number(row.allocation_id)), slots: rows.map((row) => Number(row.slot)) }
}

const axes = ['event', 'time'] as const
const windows = fc.record({
  axis: fc.constantFrom(...axes),
  from: fc.double({ min: -0.2, max: 1, noNaN: true }),
  length: fc.double({ min: 1e-3, max: 1.3, noNaN: true }),
  columns: fc.integer({ min: 1, max: 60 }),
  rows: fc.integer({ min: 1, max: 50 }),
  bottom: fc.double({ min: -0.2, max: 0.9, noNaN: true }),
  height: fc.double({ min: 0.01, max: 1.2, noNaN: true }),
  colorBy: fc.constantFrom('size', 'age', 'stack'),
})
type Window = typeof windows extends fc.Arbitrary<infer T> ? T : never

function viewOf({ run, timesNs }: Subject, window: Window): Viewport {
  const positions = window.axis === 'event' ? Array.from({ length: run.eventCount }, (_, event) => event) : timesNs
  const end = (positions.at(-1) ?? 0) + 1
  return { positions, x0: window.from * end, x1: (window.from + window.length) * end, columns: window.columns }
}

const arguments_ = (axis: string, view: Viewport) => [axis, view.x0, view.x1, view.columns] as const

async function expectCurves(subject: Subject, window: Window) {
  const view = viewOf(subject, window)
  const wanted = viewportColumns(subject.run, view)
  const [blob] = await subject.index.column('SELECT timeline_curves(?, ?, ?, ?, ?)', [subject.run.device, ...arguments_(window.axis, view)])
  const batch = readBatch(blob)
  expect([...f64(batch, 'rep_event')]).toEqual(wanted.map((column) => column.repEvent))
  expect([...f64(batch, 'first_event')]).toEqual(wanted.map((column) => column.first))
  expect([...f64(batch, 'last_event')]).toEqual(wanted.map((column) => column.last))
  for (const name of curveNames) {
    for (const part of ['min', 'max', 'rep'] as const) {
      expect([...f64(batch, `${name}_${part}`)], `${name}_${part}`).toEqual(wanted.map((column) => column.curves[name][part]))
    }
  }
}

function slotOf(subject: Subject, colorBy: Window['colorBy']) {
  return (index: number, event: number): number => {
    const allocation = subject.run.allocations[index]
    if (allocation === undefined) throw new Error('no such allocation')
    if (colorBy === 'size') return Math.min(32, Math.max(1, Math.floor(Math.log2(allocation.size)) - 8))
    if (colorBy === 'stack') return subject.slots[index] ?? 0
    if (allocation.allocEvent < 0) return 32
    const ageNs = (subject.timesNs[event] ?? 0) - (subject.timesNs[allocation.allocEvent] ?? 0)
    return 1 + Math.min(31, Math.floor(Math.log2(1 + Math.floor(ageNs / 1000))))
  }
}

async function expectRaster(subject: Subject, window: Window) {
  const view = viewOf(subject, window)
  const columns = viewportColumns(subject.run, view)
  const highest = Math.max(1024, ...columns.map((column) => column.curves.allocated.max))
  const [y0, y1] = [window.bottom * highest, (window.bottom + window.height) * highest]
  const [blob] = await subject.index.column('SELECT timeline_raster(?, ?, ?, ?, ?, ?, ?, ?, ?)', [
    subject.run.device,
    ...arguments_(window.axis, view),
    window.rows,
    y0,
    y1,
    window.colorBy,
  ])
  const rules = { rows: window.rows, y0, y1, firstId: subject.ids[0] ?? 0, slot: slotOf(subject, window.colorBy) }
  const cells = readBatch(blob).get('cells')
  expect(Buffer.from(cells as Uint8Array).toString('hex')).toBe(Buffer.from(rasterCells(subject.run, columns, rules)).toString('hex'))
}

test('viewports of random programs', async () => {
  await fc.assert(
    fc.asyncProperty(programs(80), windows, fc.integer({ min: 20, max: 400 }), async (program, window, kept) => {
      const bytes = writePickle(snapshotOf(runProgram(program), program.options, kept), { protocol: 4 })
      const index = await IndexFile.ofBytes('viewport', bytes)
      try {
        const subject = await subjectOf(index, toSnapshot(unpickle(bytes)))
        if (subject.run.eventCount === 0) return
        await expectCurves(subject, window)
        if (subject.run.exact) await expectRaster(subject, window)
      } finally {
        await index.close()
      }
    }),
    { numRuns: 150 },
  )
})

describe('viewports of real captures', () => {
  test.each(['ft_lora', 'oom'] as const)('%s', async (name) => {
    const index = await IndexFile.of(samplePath(name))
    const subject = await subjectOf(index, readReference(samplePath(name)))
    await fc.assert(
      fc.asyncProperty(windows, async (window) => {
        await expectCurves(subject, window)
        await expectRaster(subject, window)
      }),
      { numRuns: 40 },
    )
    await index.close()
  })
})
