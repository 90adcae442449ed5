import { expect, it } from 'vitest'
import { marksOf } from './spans.ts'

const span = (name: string, trackId: number, startNs: number) => ({ name, trackId, startNs, endNs: startNs + 5 })

it('takes the steps of the thread that has most of them, and the annotations of every thread', () => {
  const spans = [span('ProfilerStep#1', 4, 0), span('ProfilerStep#1', 2, 1), span('load', 4, 2), span('ProfilerStep#2', 2, 9)]
  expect(marksOf(spans).map(({ name, startNs }) => [name, startNs])).toEqual([
    ['ProfilerStep#1', 1],
    ['load', 2],
    ['ProfilerStep#2', 9],
  ])
})
