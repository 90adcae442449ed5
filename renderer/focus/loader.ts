// Asks the engine about cursor, selection and annotations, whichever view is in front.
import type { CaptureSummary, DeviceSummary } from '../../preload/contract/capture.ts'
import { engine } from '../data/engine-client.ts'
import { Questions } from '../data/questions.ts'
import { askFilter, isFiltering } from '../state/filter.ts'
import { failureAtCursor } from '../state/go-to.ts'
import { deviceOf } from '../state/initial-view.ts'
import { type ViewState, viewOf, viewStates } from '../state/view-state.ts'
import { type FocusData, focusData } from './focus-data.ts'
import { askMoment } from './moments.ts'

type Ask = Questions<FocusData>

/** What belongs to the device before goes at once, and its questions may be asked anew. */
function followDevice(questions: Ask, captureId: string, device: number): void {
  const store = focusData(captureId)
  if (store.getState().device === device) return
  for (const name of ['annotations', 'cursor', 'passing']) questions.forget(name)
  store.setState({ device, cursor: undefined, passing: undefined, annotations: [], annotationsLeftOut: 0 })
}

/** An answer about a device, or nothing when another is in view by now. */
const ifInView = (captureId: string, device: number, patch: Partial<FocusData>): Partial<FocusData> =>
  focusData(captureId).getState().device === device ? patch : {}

function askAnnotations(questions: Ask, captureId: string, { device }: ViewState): void {
  questions.push('annotations', device, () =>
    questions.ask('annotations', 'timeline.annotations', { captureId, device }, ({ spans, total }) =>
      ifInView(captureId, device, { annotations: spans, annotationsLeftOut: Math.max(0, total - spans.length) }),
    ),
  )
}

function askSelection(questions: Ask, captureId: string, { selectedAllocation: allocationId }: ViewState): void {
  questions.push('details', allocationId ?? null, async () => {
    if (allocationId === undefined) return questions.keep('details', { details: undefined })
    const answer = await engine.call('allocation.details', { captureId, allocationId })
    if (answer.ok) questions.keep('details', { details: answer.value })
    else questions.failed('details', answer.error, { details: undefined })
  })
}

function askCursor(questions: Ask, captureId: string, { device, cursorEvent: event }: ViewState): void {
  questions.push('cursor', [device, event], async () => {
    if (event === undefined) return questions.keep('cursor', { cursor: undefined })
    const answer = await askMoment(captureId, device, event)
    if (answer.ok) questions.keep('cursor', ifInView(captureId, device, { cursor: answer.value }))
    else questions.failed('cursor', answer.error)
  })
}

/** A failure is told where the cursor stands on one; what is there stays until the next has come. */
function askMemoryError(questions: Ask, capture: CaptureSummary, view: ViewState): void {
  const { captureId } = capture
  const { device } = view
  const event = failureAtCursor(capture, view)?.event
  questions.push('memoryError', [device, event], async () => {
    if (event === undefined) return questions.keep('memoryError', { memoryError: undefined })
    const [row, report] = await Promise.all([
      engine.call('event.row', { captureId, device, event }),
      engine.call('space.report', { captureId, device, event }),
    ])
    if (!row.ok) questions.failed('memoryError', row.error)
    else if (!report.ok) questions.failed('memoryError', report.error)
    else if (row.value.row) questions.keep('memoryError', { memoryError: { device, row: row.value.row, totals: report.value.totals } })
  })
}

/** Counted over all of the history. A filter of a moment before stays until the next is counted. */
function askPassing(questions: Ask, captureId: string, device: DeviceSummary, { filter }: ViewState): void {
  questions.push('passing', [device.device, filter], async () => {
    if (!isFiltering(filter)) return questions.keep('passing', { passing: undefined })
    const asked = await askFilter(captureId)
    if (!asked.ok) return questions.failed('passing', asked.error)
    const all = {
      x0: -1,
      x1: device.eventCount,
      axis: 'event',
      order: 'allocation',
      y0: 0,
      y1: Math.max(1, device.allocationCount),
    } as const
    const input = { captureId, device: device.device, ...all, filter: asked.value, sort: 'size', limit: 1, offset: 0 } as const
    await questions.ask('passing', 'lifetimes.list', input, ({ count }) =>
      ifInView(captureId, device.device, { passing: { device: device.device, filter, count } }),
    )
  })
}

/** Starts loading for a capture in front; returns the stop. */
export function startFocus(capture: CaptureSummary): () => void {
  const { captureId } = capture
  const questions = new Questions(focusData(captureId))
  const update = () => {
    const view = viewOf(captureId)
    const device = view && deviceOf(capture, view.device)
    if (!view || !device) return
    followDevice(questions, captureId, device.device)
    askSelection(questions, captureId, view)
    if (device.eventCount === 0) return
    askAnnotations(questions, captureId, view)
    askCursor(questions, captureId, view)
    askPassing(questions, captureId, device, view)
    askMemoryError(questions, capture, view)
  }
  const stop = viewStates.subscribe((state, old) => state.byCapture[captureId] !== old.byCapture[captureId] && update())
  update()
  return () => {
    questions.stop()
    stop()
  }
}
