// Tables of a trace as CSV files.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scratchFolder, traceSamplePath } from '../support/paths.ts'
import { capturesIn, EngineClient, expectValue } from './engine-client.ts'
import { memoryEvents } from './trace-truth.ts'

const scratch = scratchFolder('trace-csv')
let engine: EngineClient

beforeAll(() => {
  engine = new EngineClient(capturesIn(join(scratch.path, 'cache')), { trace: traceSamplePath })
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
