import { afterEach, expect, it, vi } from 'vitest'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { fail, ok } from '../../../preload/contract/errors.ts'
import { engine } from '../../data/engine-client.ts'
import { initialView } from '../../state/initial-view.ts'
import { patchView, setView } from '../../state/view-state.ts'
import { startLoader } from './loader.ts'
import { timelineData } from './timeline-data.ts'

const device = { device: 0, eventCount: 1000, ooms: [], firstTimeNs: 0, lastTimeNs: 999e3, peakEvent: 500 }
const capture = { captureId: 't', hasTimes: true, findings: [], devices: [device] } as unknown as CaptureSummary
const spanIs = (ns: number) => vi.waitFor(() => expect(timelineData('t').getState().span).toEqual({ device: 0, ns }))
let stop = () => {}

afterEach(() => {
  stop()
  setView('t', undefined)
  vi.restoreAllMocks()
})

it('knows the time from the first visible event to the last, whatever the width of the window', async () => {
  vi.stubGlobal('window', { devicePixelRatio: 1 })
  vi.spyOn(engine, 'call').mockImplementation(((method: string, { event }: { event: number }) =>
    Promise.resolve(method === 'timeline.timeOf' ? ok({ timeNs: event * 1000 }) : fail('query/failed', 'not asked here'))) as never)
  setView('t', { ...initialView(capture), axis: 'event' })
  stop = startLoader(capture)
  await spanIs(999_000)
  patchView('t', { visible: { x0: 100, x1: 200 } })
  await spanIs(99_000)
})
