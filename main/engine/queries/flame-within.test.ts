import { expect, test } from 'vitest'
import { madeWithin } from './flame-within.ts'

const span = (name: string, startNs: number, endNs: number) => ({ name, startNs, endNs })
const made = (...times: readonly number[]) => times.map((timeNs) => ({ timeNs, bytes: 10 }))

test('what is made counts for the innermost annotation that is open, and for none outside of all', () => {
  const spans = [span('step', 0, 100), span('backward', 20, 60), span('step', 200, 300)]
  expect(madeWithin(spans, made(-5, 0, 20, 59, 60, 99, 100, 250))).toEqual([
    { name: 'step', count: 4, bytes: 40 },
    { name: 'backward', count: 2, bytes: 20 },
  ])
})

test('annotations of threads that overlap hide each other only while both are open', () => {
  const spans = [span('a', 0, 50), span('b', 10, 80), span('open', 90, Number.POSITIVE_INFINITY)]
  expect(madeWithin(spans, made(5, 20, 60, 85, 1e9))).toEqual([
    { name: 'b', count: 2, bytes: 20 },
    { name: 'a', count: 1, bytes: 10 },
    { name: 'open', count: 1, bytes: 10 },
  ])
})
