// Where the notes of a capture, and the mark of the moment, lie on the axis that is shown.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { Axis } from '../../preload/contract/queries.ts'
import { engine } from '../data/engine-client.ts'
import type { RulerMark } from '../plot/note-flags.ts'
import { deviceOf } from '../state/initial-view.ts'
import { type NotePlace, noteStates } from '../state/notes.ts'
import { type Range, type ViewState, viewOf, viewStates } from '../state/view-state.ts'
import { onOtherAxis } from './axis-ranges.ts'
import { focusData } from './focus-data.ts'

/** True where a place lies on what is shown: the times of a trace are those of all its devices. */
export const isPlaceOf = (
  capture: Pick<CaptureSummary, 'trace'>,
  place: NotePlace,
  { device, axis }: Pick<ViewState, 'device' | 'axis'>,
): boolean => place.device === device || (capture.trace !== null && axis === 'time' && place.kind === 'range' && place.axis === 'time')

/** A place on an axis of its device; undefined where it has none there, or the engine gives no answer. */
export async function placeOnAxis(capture: CaptureSummary, place: NotePlace, axis: Axis): Promise<Range | undefined> {
  const { captureId } = capture
  if (place.kind === 'range') {
    const range = { x0: place.x0, x1: place.x1 }
    const device = deviceOf(capture, place.device)
    if (place.axis === axis) return range
    return device && capture.hasTimes ? onOtherAxis({ captureId, device }, place.axis, range) : undefined
  }
  const answer = await engine.call('allocation.details', { captureId, allocationId: place.allocationId })
  if (!answer.ok) return undefined
  const { allocEvent, allocTimeNs } = answer.value
  const x = axis === 'event' ? (allocEvent ?? 0) : allocTimeNs
  return x === null ? undefined : { x0: x, x1: axis === 'event' ? x + 1 : x }
}

/** The marks of notes as pictures show them. */
export const keptMarks = (captureId: string): readonly RulerMark[] =>
  (focusData(captureId).getState().noteMarks ?? []).filter(({ noteId }) => noteId !== undefined)

/** Keeps the marks of a capture in front up to date; answers the stop. */
export function startNoteMarks(capture: CaptureSummary): () => void {
  const { captureId } = capture
  const known = new Map<string, Range>()
  let turn = 0
  const find = async (place: NotePlace, axis: Axis): Promise<Range | undefined> => {
    const key = JSON.stringify([place, axis])
    const found = known.get(key) ?? (await placeOnAxis(capture, place, axis))
    if (found) known.set(key, found)
    return found
  }
  const update = async () => {
    const view = viewOf(captureId)
    if (!view) return
    const mine = ++turn
    const { notes, mark } = noteStates(captureId).getState()
    const all = notes.map(({ id, text, place }, index) => ({ noteId: id as string | undefined, number: index + 1, text, place }))
    if (mark) all.push({ noteId: undefined, number: 0, text: '', place: mark })
    const here = all.filter(({ place }) => isPlaceOf(capture, place, view))
    const found = await Promise.all(here.map(({ place }) => find(place, view.axis)))
    if (mine !== turn) return
    const marks = here.flatMap(({ place: _, ...mark }, index): RulerMark[] => {
      const range = found[index]
      return range ? [{ ...mark, ...range }] : []
    })
    focusData(captureId).setState({ noteMarks: marks })
  }
  const stops = [
    noteStates(captureId).subscribe(() => void update()),
    viewStates.subscribe(({ byCapture: { [captureId]: view } }, { byCapture: { [captureId]: old } }) => {
      if (view?.device === old?.device && view?.axis === old?.axis) return
      focusData(captureId).setState({ noteMarks: [] }) // those of another device or axis lie elsewhere
      void update()
    }),
  ]
  void update()
  return () => {
    turn = Number.NaN // no answer counts any more
    for (const stop of stops) stop()
  }
}
