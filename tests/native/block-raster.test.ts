// The picture of blocks against the slow reference, cell by cell, and its boxes against the blocks themselves.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writePickle } from '../fixtures/pickle-writer.ts'
import { programs, runProgram, snapshotOf } from '../fixtures/programs.ts'
import { type Line, lineCell, linesOf } from '../reference/block-lines.ts'
import { Playback } from '../reference/playback.ts'
import { replay } from '../reference/replay.ts'
import { type RefSnapshot, readReference, toSnapshot } from '../reference/snapshot.ts'
import { unpickle } from '../reference/unpickle.ts'
import { f64, readBatch } from '../support/batch.ts'
import { IndexFile } from '../support/index-file.ts'
import { samplePath } from '../support/paths.ts'

const MiB = 1 << 20

/** Cells of whole bytes, so that both sides divide exactly. */
const windows = fc.record({
  event: fc.double({ min: 0, max: 1, noNaN: true }),
  order: fc.constantFrom('address', 'size'),
  lineBytes: fc.constantFrom(0, MiB, 2 * MiB, 20 * MiB, 24 * MiB + 512),
  from: fc.integer({ min: 0, max: 8000 }),
  cellBytes: fc.constantFrom(64, 512, 4096, 65536, 700 * 512),
  columns: fc.integer({ min: 1, max: 40 }),
  line0: fc.nat(5),
  lines: fc.integer({ min: 1, max: 20 }),
})
type Window = typeof windows extends fc.Arbitrary<infer T> ? T : never

async function expectRaster(index: IndexFile, file: RefSnapshot, window: Window): Promise<void> {
  const run = replay(file, 0)
  const event = Math.floor(window.event * run.eventCount) - 1
  const segments = new Playback(file, run).after(event)
  const { order, lineBytes, cellBytes, columns, line0 } = window
  const x0 = window.from * 512
  const all = linesOf(segments, order, lineBytes)
  const lines = all.slice(line0, line0 + window.lines)
  fc.pre(lines.length > 0)
  const place = [x0, x0 + columns * cellBytes, columns, line0, lines.length]
  const [blob] = await index.column("SELECT block_raster(0, ?, ?, ?, ?, ?, ?, ?, ?, 'state', '')", [event, order, lineBytes, ...place])
  const batch = readBatch(blob)
  const cells = batch.get('cells') as Uint8Array
  expect([...f64(batch, 'line_offset')]).toEqual(lines.map((line) => line.offset))
  expect([...f64(batch, 'line_bytes')]).toEqual(lines.map((line) => line.bytes))
  expect(JSON.parse(String(batch.get('meta')))).toMatchObject({ lines: all.length, longest: Math.max(...all.map((line) => line.bytes)) })
  lines.forEach((line, row) => {
    for (let column = 0; column < columns; column += 1) {
      const from = x0 + column * cellBytes
      const [found, cell] = [cells[row * columns + column] ?? 0, lineCell(line, from, from + cellBytes)]
      if (!isRight(found, cell)) expect.fail(`line ${row} column ${column} is ${found}: ${JSON.stringify(cell)}`)
    }
  })
  expectBoxes(batch, lines, x0, x0 + columns * cellBytes)
}

/** Blocks with equal parts of a cell may either give it its slot. */
function isRight(found: number, { bytes, active, most }: ReturnType<typeof lineCell>): boolean {
  if (active === 0) return found === (bytes === 0 ? 0 : 1)
  const slots = [...(most.allocated >= most.pending ? [1] : []), ...(most.pending >= most.allocated ? [2] : [])]
  return found >> 5 === Math.ceil((7 * active) / bytes) && slots.includes(found & 31)
}

/** Boxes are the blocks in sight, line by line, each at its place. */
function expectBoxes(batch: ReturnType<typeof readBatch>, lines: readonly Line[], x0: number, x1: number): void {
  const states = { free: 0, allocated: 1, pending: 2 }
  const wanted = lines.flatMap(({ segment, offset, bytes }, row) =>
    segment.blocks
      .map((block) => [row, Number(block.address - segment.address) - offset, block.size, states[block.held]] as const)
      .filter(([, start, size]) => x0 < bytes && start < Math.min(x1, bytes) && start + size > x0),
  )
  const columns = ['box_line', 'box_offset', 'box_bytes', 'box_state'].map((name) => f64(batch, name))
  const found = Array.from(columns[0] ?? [], (_, box) => columns.map((column) => column[box]))
  expect(found).toEqual(wanted)
}

test('block maps of random programs', async () => {
  await fc.assert(
    fc.asyncProperty(programs(80), windows, async (program, window) => {
      const bytes = writePickle(snapshotOf(runProgram(program), program.options), { protocol: 4 })
      const index = await IndexFile.ofBytes('block-raster', bytes)
      try {
        await expectRaster(index, toSnapshot(unpickle(bytes)), window)
      } finally {
        await index.close()
      }
    }),
    { numRuns: 100 },
  )
})

test('block maps of a real capture', async () => {
  const index = await IndexFile.of(samplePath('oom'))
  const file = readReference(samplePath('oom'))
  await fc.assert(
    fc.asyncProperty(windows, (window) => expectRaster(index, file, window)),
    { numRuns: 30 },
  )
  await index.close()
})
