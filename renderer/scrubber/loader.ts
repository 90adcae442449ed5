// Asks for the scrubber's curves and for the state at the event shown.
import type { CaptureSummary, DeviceSummary } from '../../preload/contract/capture.ts'
import { maxSidePx } from '../../preload/contract/queries.ts'
import { Questions } from '../data/questions.ts'
import { eventsInside } from '../focus/axis-ranges.ts'
import { askMoment } from '../focus/moments.ts'
import { deviceOf } from '../state/initial-view.ts'
import { shownEvent } from '../state/moment.ts'
import { type ViewState, viewOf, viewStates } from '../state/view-state.ts'
import { type ScrubberData, scrubberData } from './scrubber-data.ts'

function askCurves(questions: Questions<ScrubberData>, captureId: string, { device, eventCount }: DeviceSummary): void {
  const { layout } = scrubberData(captureId).getState()
  if (!layout) return
  const range = { x0: 0, x1: eventCount }
  const columns = Math.min(Math.floor(layout.plot.widthPx), eventCount, maxSidePx)
  const input = { captureId, device, axis: 'event', ...range, columns } as const
  questions.push('curves', input, () =>
    questions.ask('curves', 'timeline.curves', input, (data) => ({ curves: { range, axis: 'event', device, data } })),
  )
}

function askState(questions: Questions<ScrubberData>, captureId: string, device: number, event: number): void {
  questions.push('moment', [device, event], async () => {
    const answer = await askMoment(captureId, device, event)
    if (answer.ok) questions.keep('moment', { moment: { ...answer.value, device } })
    else questions.failed('moment', answer.error)
  })
}

/** The selected range may be one of times; the scrubber's axis is that of events. */
function askMarked(questions: Questions<ScrubberData>, captureId: string, device: DeviceSummary, { axis, selectedRange }: ViewState): void {
  questions.push('marked', [device.device, axis, selectedRange ?? null], async () => {
    const events = selectedRange && (await eventsInside({ captureId, device }, axis, selectedRange))
    questions.keep('marked', { marked: events && { device: device.device, events } })
  })
}

/** Starts loading for a capture; returns the stop. */
export function startScrubberLoader(capture: CaptureSummary): () => void {
  const { captureId } = capture
  const store = scrubberData(captureId)
  const questions = new Questions(store)
  const update = () => {
    const view = viewOf(captureId)
    const device = view && deviceOf(capture, view.device)
    if (!device || device.eventCount === 0) return
    askCurves(questions, captureId, device)
    askState(questions, captureId, device.device, shownEvent(view, device))
    askMarked(questions, captureId, device, view)
  }
  const stops = [
    viewStates.subscribe((state, old) => state.byCapture[captureId] !== old.byCapture[captureId] && update()),
    store.subscribe((data, old) => data.layout !== old.layout && update()),
  ]
  update()
  return () => {
    questions.stop()
    for (const stop of stops) stop()
  }
}
