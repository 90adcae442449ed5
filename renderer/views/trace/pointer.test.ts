import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { ShownRow } from './layout.ts'
import type { Hit } from './model.ts'
import { TracePointer } from './pointer.ts'
import { traceData } from './trace-data.ts'

const store = traceData('p')
let pointer: TracePointer

beforeEach(() => {
  vi.stubGlobal('window', new EventTarget())
  const host = new EventTarget() as HTMLElement
  pointer = new TracePointer({ captureId: 'p' } as CaptureSummary, host, () => undefined, vi.fn())
})
afterEach(() => {
  pointer.stop()
  vi.unstubAllGlobals()
})

const heading = (key: string): Hit => ({ region: 'head', row: { row: { key } } as ShownRow, part: 'name' })

it('a row chosen by key stays so when rows are scrolled under a resting pointer, until that moves to another heading', () => {
  pointer.hover(heading('first'), { xPx: 5, yPx: 40 })
  store.setState({ chosenRow: 'chosen' })
  pointer.hover(heading('scrolled here'), { xPx: 5, yPx: 40 })
  expect(store.getState().chosenRow).toBe('chosen')
  pointer.hover(heading('scrolled here'), { xPx: 6, yPx: 41 })
  expect(store.getState().chosenRow).toBe('chosen')
  pointer.hover(heading('moved to'), { xPx: 6, yPx: 70 })
  expect(store.getState().chosenRow).toBeUndefined()
})
