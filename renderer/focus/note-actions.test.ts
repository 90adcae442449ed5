import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { engine } from '../data/engine-client.ts'
import { initialView } from '../state/initial-view.ts'
import { type Note, type NotePlace, noteStates, setNotes } from '../state/notes.ts'
import { useShell } from '../state/shell.ts'
import { patchView, setView, viewOf } from '../state/view-state.ts'
import { focusData } from './focus-data.ts'
import { askNote, goToNote, markNow } from './note-actions.ts'
import { startNoteMarks } from './note-marks.ts'
import { canStepBack, stepBack } from './selection-actions.ts'

vi.mock('../widgets/announce.ts', () => ({ announce: () => undefined }))

const device = (id: number) => ({ device: id, eventCount: 1000, firstTimeNs: 0, lastTimeNs: 10_000, ooms: [] })
const capture = { captureId: 'c', trace: null, hasTimes: true, findings: [], devices: [device(0), device(1)] } as unknown as CaptureSummary
const details = {
  allocationId: 7,
  allocEvent: 300,
  allocTimeNs: 3000,
  sizeBytes: 2 ** 20,
  title: 'forward linear.py:1',
  place: '',
  stackId: 1,
}
// Ten nanoseconds an event.
const answers: Record<string, (input: { event: number; timeNs: number }) => unknown> = {
  'allocation.details': () => details,
  'timeline.eventAt': ({ timeNs }) => ({ event: Math.floor(timeNs / 10) }),
  'timeline.timeOf': ({ event }) => ({ timeNs: event * 10 }),
}
vi.spyOn(engine, 'call').mockImplementation((async (method: string, input: { event: number; timeNs: number }) =>
  answers[method] ? { ok: true, value: answers[method](input) } : { ok: false, error: { code: 'query/failed', message: method } }) as never)

const markOf = (): NotePlace | undefined => noteStates('c').getState().mark
const note = (place: NotePlace): Note => ({ id: 'n', text: 'here', place, made: 0 })
const range = (x0: number, x1: number, of = 0, axis: 'event' | 'time' = 'event'): NotePlace => ({ kind: 'range', device: of, axis, x0, x1 })

beforeEach(() => {
  setNotes('c', [])
  setView('c', initialView(capture))
  useShell.setState({ dialog: undefined })
})

describe('a mark', () => {
  it('is about the selected range, else the allocation, else the cursor, else what is in sight', async () => {
    const seen = []
    patchView('c', { selectedRange: { x0: 10, x1: 20 }, selectedAllocation: 7, cursorEvent: 5 })
    for (const gone of ['selectedRange', 'selectedAllocation', 'cursorEvent'] as const) {
      await markNow(capture)
      seen.push(markOf())
      patchView('c', { [gone]: undefined })
    }
    expect(seen).toMatchObject([range(10, 20), { kind: 'allocation', device: 0, allocationId: 7 }, range(5, 6)])
    stepBack(capture)
    await markNow(capture)
    expect(markOf()).toEqual(range(0, 1000))
  })

  it('is what Esc takes away first, and what a note is about while nothing is selected', async () => {
    patchView('c', { cursorEvent: 5 })
    await markNow(capture)
    stepBack(capture)
    expect([markOf(), viewOf('c')?.cursorEvent]).toEqual([undefined, 5])
    await markNow(capture)
    patchView('c', { cursorEvent: undefined })
    expect(canStepBack(capture)).toBe(true)
    await askNote(capture)
    expect(useShell.getState().dialog).toEqual({ kind: 'note', about: range(5, 6) })
  })

  it('may be of what the view in front has selected by itself', async () => {
    await markNow(capture, { x0: 1, x1: 9 })
    expect(markOf()).toEqual(range(1, 9))
    expect(viewOf('c')?.selectedRange).toEqual({ x0: 1, x1: 9 }) // so that its numbers are told
  })
})

describe('a note', () => {
  it('leads to its device, its range and into sight', async () => {
    patchView('c', { visible: { x0: 0, x1: 50 } })
    await goToNote(capture, note(range(400, 500, 1)))
    expect(viewOf('c')).toMatchObject({ device: 1, selectedRange: { x0: 400, x1: 500 } })
    patchView('c', { visible: { x0: 0, x1: 50 } })
    await goToNote(capture, note(range(400, 500, 1)))
    const { visible } = viewOf('c') ?? initialView(capture)
    expect([visible.x0 <= 400, visible.x1 >= 500, visible.x1 - visible.x0 < 1000]).toEqual([true, true, true])
  })

  it('leads to its event or its allocation, whatever was selected', async () => {
    patchView('c', { selectedRange: { x0: 1, x1: 2 } })
    await goToNote(capture, note(range(640, 641)))
    expect(viewOf('c')).toMatchObject({ cursorEvent: 640, selectedRange: undefined })
    patchView('c', { selectedRange: { x0: 1, x1: 2 } })
    await goToNote(capture, note({ kind: 'allocation', device: 0, allocationId: 7, name: 'forward' }))
    expect(viewOf('c')).toMatchObject({ cursorEvent: 300, selectedAllocation: 7, selectedRange: undefined })
  })

  it('of a device that is not there changes nothing and says so', async () => {
    const before = viewOf('c')
    await goToNote(capture, note(range(1, 2, 9)))
    expect(viewOf('c')).toBe(before)
    expect(useShell.getState().messages.at(-1)?.severity).toBe('error')
  })

  it('lies on either axis, and on no other device', async () => {
    setNotes('c', [
      { ...note(range(100, 200)), id: 'a' },
      { ...note(range(100, 200, 1)), id: 'b' },
      { ...note({ kind: 'allocation', device: 0, allocationId: 7, name: 'forward' }), id: 'c' },
    ])
    const stop = startNoteMarks(capture)
    const marks = () => focusData('c').getState().noteMarks ?? []
    await vi.waitFor(() => expect(marks()).toHaveLength(2))
    expect(marks()).toMatchObject([
      { noteId: 'a', number: 1, x0: 100, x1: 200 },
      { noteId: 'c', number: 3, x0: 300, x1: 301 },
    ])
    patchView('c', { axis: 'time', full: { x0: 0, x1: 10_000 } })
    expect(marks()).toEqual([])
    await vi.waitFor(() => expect(marks()).toHaveLength(2))
    expect(marks()).toMatchObject([
      { noteId: 'a', x0: 1000, x1: 1991 },
      { noteId: 'c', x0: 3000, x1: 3000 },
    ])
    stop()
  })
})
