// Tables of a trace as CSV files.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scratchFolder, traceSamplePath } from '../support/paths.ts'
import { capturesIn, EngineClient, expectValue } from './engine-client.ts'
import { memoryEvents } from './trace-truth.ts'

const scratch = scratchFolder('trace-csv')
const madePath = join(scratch.path, 'made.json')
let engine: EngineClient

beforeAll(() => {
  engine = new EngineClient(capturesIn(join(scratch.path, 'cache')), { trace: traceSamplePath, made: madePath })
})
afterAll(async () => {
  await engine.close()
  scratch.remove()
})

test('memory by op is written with all its ops, as the table has them', async () => {
  const { captureId } = await engine.open('trace')
  const range = { device: 0, fromEvent: 0, toEvent: memoryEvents(1).length }
  const path = join(scratch.path, 'ops.csv')
  expectValue(await engine.captures.writeTraceCsv(captureId, { table: 'opMemory', ...range }, path))
  const [head, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n')
  const { rows } = await engine.value('trace.opMemory', { captureId, ...range, limit: 1000 })
  expect(head).toBe('op,calls,allocations,self_bytes,total_bytes,freed_inside_bytes,kept_bytes,largest_bytes')
  const numbersOf = (line: string) => line.split(',').slice(-7, -5).map(Number)
  expect(lines.map(numbersOf)).toEqual(rows.map(({ calls, allocations }) => [calls, allocations]))
  expect(lines.length).toBeGreaterThan(0)
})

test('slices say which have no end in the file, and instants are written in order of time', async () => {
  const at = { pid: 1, tid: 1, cat: 'c' }
  const events = [
    { ph: 'B', name: 'open', ts: 5, ...at },
    { ph: 'X', name: 'done', ts: 0, dur: 2, ...at },
    { ph: 'i', name: 'late', ts: 9, s: 't', ...at },
    { ph: 'i', name: 'early', ts: 1, s: 't', ...at },
  ]
  writeFileSync(madePath, JSON.stringify({ traceEvents: events }))
  const { captureId } = await engine.open('made')
  const rowsOf = async (table: 'slices' | 'instants') => {
    const path = join(scratch.path, `${table}.csv`)
    const range = { tracks: null, fromNs: 0, toNs: 1e6 }
    expectValue(
      await engine.captures.writeTraceCsv(captureId, table === 'slices' ? { table, names: null, ...range } : { table, ...range }, path),
    )
    const [head = '', ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n')
    const columns = head.split(',')
    return lines.map((line) => Object.fromEntries(line.split(',').map((value, index) => [columns[index] ?? '', value])))
  }
  expect((await rowsOf('slices')).map((row) => [row.name, row.is_unfinished])).toEqual([
    ['done', '0'],
    ['open', '1'],
  ])
  expect((await rowsOf('instants')).map((row) => [row.name, row.category, row.time_ns])).toEqual([
    ['early', 'c', '1000'],
    ['late', 'c', '9000'],
  ])
})
