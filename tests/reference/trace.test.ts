// The reference of traces against what the generated files are known to hold, and against Python's reader.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { traceFixtures } from '../fixtures/traces/index.ts'
import { appendix } from '../fixtures/traces/memory.ts'
import { root, scratchFolder } from '../support/paths.ts'
import { nanoseconds } from './decimal.ts'
import { readTrace } from './trace.ts'
import { memoryOf } from './trace-memory.ts'
import { nest, rowsOf } from './trace-nesting.ts'

const scratch = scratchFolder('trace-reference')
afterAll(() => scratch.remove())

test('times are exact where doubles are not', () => {
  expect(nanoseconds('1712345678901234.567')).toBe(1_712_345_678_901_234_567n)
  expect(nanoseconds('-0.0005')).toBe(-1n)
  expect(nanoseconds('1e3')).toBe(1_000_000n)
})

/** Fixtures without damage whose slices are all of threads. */
const healthy = traceFixtures.filter(({ findings, slices, bytes }) => {
  if (slices === null || findings.some(([code]) => code !== 'trace/overlap')) return false
  try {
    readTrace(bytes())
    return true
  } catch {
    return false // a dialect that is no JSON
  }
})

test.each(healthy.map((fixture) => [fixture.name, fixture] as const))('%s', (_, { bytes, slices, events }) => {
  const trace = readTrace(bytes())
  expect(trace.eventCount).toBe(events)
  const nested = [...rowsOf(trace.slices).values()].flatMap(nest)
  const lines = nested.map(({ slice, startNs, endNs }) => [slice.name, startNs, Number(endNs - startNs)] as const)
  const [first] = slices ?? []
  const [earliest = 0n] = lines.map(([, startNs]) => startNs).sort((a, b) => (a < b ? -1 : 1))
  const shifted = lines.map(([name, startNs, durNs]) => [name, Number(startNs - earliest) + (first?.[1] ?? 0), durNs] as const)
  expect(shifted.sort((a, b) => a[1] - b[1] || b[2] - a[2] || (a[0] < b[0] ? -1 : 1))).toEqual(slices)
})

test('the memory of the dossier’s example', () => {
  const [device] = memoryOf(readTrace(appendix.bytes()).memory)
  expect(device).toMatchObject({ floorBytes: 1_000_000, peakBytes: 1_004_096, allocated: [1_004_096, 1_000_000], addsUp: true })
})

test('Python sums the same', () => {
  const path = join(scratch.path, 'example.json')
  writeFileSync(path, appendix.bytes())
  const done = spawnSync('python3', [join(root, 'tests', 'reference', 'trace_sums.py'), path], { encoding: 'utf8' })
  expect(done.stderr).toBe('')
  const { categories } = JSON.parse(done.stdout) as { categories: Readonly<Record<string, readonly [number, number, string]>> }
  expect(categories.cpu_op).toEqual([2, 104_999, '1100001'])
  expect(Object.values(categories).reduce((total, [count]) => total + count, 0)).toBe(readTrace(readFileSync(path)).slices.length)
})
