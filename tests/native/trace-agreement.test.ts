// Traces against the independent reference: random ones, the shipped sample, and the corpus when it is here.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { randomTraces, traceText } from '../fixtures/traces/random-traces.ts'
import { readTrace } from '../reference/trace.ts'
import { f64, readBatch } from '../support/batch.ts'
import { corpusTraces } from '../support/corpus.ts'
import { IndexFile } from '../support/index-file.ts'
import { root, traceSamplePath } from '../support/paths.ts'
import { expectMemoryAgreement, expectTraceAgreement } from './trace-agree.ts'

const count = async (index: IndexFile, code: string) => (await index.column('SELECT count FROM finding WHERE code = ?', [code]))[0] ?? 0

/** What the columns of a heat map of lifetimes hold together is the mean of the curve over each, by whole events. */
async function expectHeatMapConserved(index: IndexFile): Promise<void> {
  for (const { device, event_count: events } of await index.all('SELECT device, event_count FROM device WHERE event_count > 0')) {
    for (const order of ['allocation', 'size', 'stack']) {
      const [{ y1 }] = (await index.column('SELECT lifetime_space(?, ?)', [Number(device), order])).map((text) => JSON.parse(String(text)))
      const [blob] = await index.column('SELECT lifetime_raster(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', [
        ...[Number(device), 'event', 0, Number(events), Number(events), 16],
        ...[order, 0, Number(y1), 'bytes', 'linear', ''],
      ])
      const curve = await index.column('SELECT allocated_bytes FROM memory_curve WHERE device = ? ORDER BY event', [Number(device)])
      const totals = [...f64(readBatch(blob), 'column_total')]
      for (const [event, bytes] of curve.entries()) expect(totals[event]).toBeCloseTo(Number(bytes), 1)
    }
  }
}

test('random traces lose no slice, keep lanes apart and sum up', async () => {
  await fc.assert(
    fc.asyncProperty(randomTraces, async (random) => {
      const bytes = Buffer.from(traceText(random))
      const trace = readTrace(bytes)
      const index = await IndexFile.ofTraceBytes('random-trace', bytes)
      try {
        expect(await count(index, 'trace/overlap')).toBe(await expectTraceAgreement(index, trace))
        await expectMemoryAgreement(index, trace)
        await expectHeatMapConserved(index)
        const asyncs = await index.all(
          "SELECT count(*) AS n, coalesce(sum(dur_ns), 0) AS total FROM slice JOIN track USING (track_id) WHERE kind = 'async'",
        )
        expect(asyncs).toEqual([{ n: random.asyncs.length, total: random.asyncs.reduce((sum, { durNs }) => sum + durNs, 0) }])
      } finally {
        await index.close()
      }
    }),
    { numRuns: 200 },
  )
})

async function agreeOnFile(path: string): Promise<void> {
  const index = await IndexFile.ofTrace(path)
  try {
    const trace = readTrace(readFileSync(path))
    expect(await count(index, 'trace/overlap')).toBe(await expectTraceAgreement(index, trace))
    const devices = await expectMemoryAgreement(index, trace)
    expect(devices.every(({ addsUp }) => addsUp)).toBe(true)
    await expectHeatMapConserved(index)
  } finally {
    await index.close()
  }
}

test('the shipped sample', () => agreeOnFile(traceSamplePath))

/** By Python's own reader and decimal numbers: [slices, nanoseconds] by category. */
async function expectPythonSums(path: string): Promise<void> {
  const done = spawnSync('python3', [join(root, 'tests', 'reference', 'trace_sums.py'), path], { encoding: 'utf8', maxBuffer: 1 << 26 })
  expect(done.stderr).toBe('')
  const told = JSON.parse(done.stdout) as { events: number; categories: Readonly<Record<string, readonly [number, number, string]>> }
  const index = await IndexFile.ofTrace(path)
  try {
    const rows = await index.all('SELECT name, slice_count, total_ns FROM trace_category WHERE slice_count > 0')
    expect(new Map(rows.map((row) => [row.name, [row.slice_count, row.total_ns]]))).toEqual(
      new Map(Object.entries(told.categories).map(([name, [slices, total]]) => [name, [slices, total]])),
    )
    expect(await index.column('SELECT event_count FROM capture')).toEqual([told.events])
  } finally {
    await index.close()
  }
}

const traces = corpusTraces()
const mostForTypeScript = 40 << 20
const isSmall = (path: string) => existsSync(path) && statSync(path).size < mostForTypeScript

describe.skipIf(traces.length === 0)('real traces', () => {
  test.each(traces.filter(([, path]) => isSmall(path)))('%s, slice by slice', async (_, path) => agreeOnFile(path))
  test.each(traces)('%s, by category as Python sums it', { timeout: 600_000 }, async (_, path) => expectPythonSums(path))
})
