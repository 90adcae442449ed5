import { expect, it } from 'vitest'
import { placeSpans } from '../plot/annotations.ts'
import { neighbourSpan, rangeOfSpan } from './step-marks.ts'

const span = (name: string, startNs: number, endNs: number | null) => ({ name, startNs, endNs, startEvent: 0, endEvent: 0 })
const place = (...spans: ReturnType<typeof span>[]) => placeSpans(spans, 'time', 1000, 4)
const shown = { x0: 0, x1: 1000 }

it('goes from step to step, past the annotations inside them', () => {
  const spans = place(span('ProfilerStep#2', 300, 600), span('ProfilerStep#1', 0, 300), span('load', 10, 20))
  const from = (x0: number, x1: number, direction: 1 | -1) => neighbourSpan(spans, { selectedRange: { x0, x1 }, shown }, direction)?.step
  expect(from(0, 300, 1)).toBe(2)
  expect(from(300, 600, -1)).toBe(1)
  expect(from(300, 600, 1)).toBeUndefined()
  expect(from(10, 20, 1)).toBe(2)
})

it('begins with the first or the last in sight, and takes the outermost annotations where there are no steps', () => {
  const spans = place(span('a', 0, 100), span('b', 200, 300), span('c', 210, 220), span('d', 900, 950))
  const first = (direction: 1 | -1, x0: number, x1: number) =>
    neighbourSpan(spans, { selectedRange: undefined, shown: { x0, x1 } }, direction)?.span.name
  expect([first(1, 150, 800), first(-1, 150, 800), first(1, 0, 50)]).toEqual(['b', 'b', 'a'])
})

it('selects what lies inside the capture of a mark that does not end', () => {
  const [open] = place(span('open', -50, null))
  expect(open && rangeOfSpan(open, { x0: 0, x1: 1000 })).toEqual({ x0: 0, x1: 1000 })
})

it('selects something of a mark without a length', () => {
  expect(rangeOfSpan({ x0: 40, x1: 40 }, { x0: 0, x1: 1000 })).toEqual({ x0: 40, x1: 41 })
})
