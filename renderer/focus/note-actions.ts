// What the user does with notes and the mark of the moment. Commands, flags, panels and the side bar call these.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { AllocationDetails } from '../../preload/contract/queries.ts'
import { engine } from '../data/engine-client.ts'
import { formatBytes } from '../i18n/format.ts'
import { noteText as t } from '../i18n/part-texts.ts'
import { allocationTitle } from '../plot/legend.ts'
import type { Flag } from '../plot/note-flags.ts'
import { spanOf } from '../plot/scales.ts'
import { goToAllocation, goToEvent } from '../state/go-to.ts'
import { chooseDevice, deviceOf } from '../state/initial-view.ts'
import { deleteNote, type Note, type NotePlace, noteStates, notesOf, setMark } from '../state/notes.ts'
import { showDialog, showMessage } from '../state/shell.ts'
import { patchView, type Range, type ViewState, viewOf } from '../state/view-state.ts'
import { announce } from '../widgets/announce.ts'
import { shownRange } from './home.ts'
import { isPlaceOf, placeOnAxis } from './note-marks.ts'
import { showRange } from './range-actions.ts'
import { selectedDetails } from './selection-actions.ts'

const marginShare = 1 // on either side, of a range that is brought into sight

async function allocationPlace(capture: CaptureSummary, { device, selectedAllocation }: ViewState): Promise<NotePlace | undefined> {
  if (selectedAllocation === undefined) return undefined
  const known = selectedDetails(capture)
  const input = { captureId: capture.captureId, allocationId: selectedAllocation }
  const answer = known ? undefined : await engine.call('allocation.details', input)
  const details = known ?? (answer?.ok ? answer.value : undefined)
  return details && placeOfAllocation(device, details)
}

const placeOfAllocation = (device: number, details: AllocationDetails): NotePlace => ({
  kind: 'allocation',
  device,
  allocationId: details.allocationId,
  name: `${allocationTitle(details)} · ${formatBytes(details.sizeBytes)}`,
})

/**
 * What a mark or a note is about now: the selected range, the selected allocation, the cursor, else what is in sight. `own`: a stretch of
 * the axis that the view in front has selected otherwise.
 */
async function placeNow(capture: CaptureSummary, own: Range | undefined): Promise<NotePlace | undefined> {
  const view = viewOf(capture.captureId)
  if (!view) return undefined
  const { device, axis, cursorEvent } = view
  const rangePlace = ({ x0, x1 }: Range): NotePlace => ({ kind: 'range', device, axis, x0, x1 })
  if (view.selectedRange ?? own) return rangePlace(view.selectedRange ?? own ?? view.full)
  const allocation = await allocationPlace(capture, view)
  if (allocation) return allocation
  if (cursorEvent !== undefined && cursorEvent >= 0) return { kind: 'range', device, axis: 'event', x0: cursorEvent, x1: cursorEvent + 1 }
  const { mark } = noteStates(capture.captureId).getState()
  const shown = shownRange(capture, view)
  return mark ?? rangePlace({ x0: Math.max(shown.x0, view.full.x0), x1: Math.min(shown.x1, view.full.x1) })
}

/** Marks for the moment what is selected. A stretch that was not selected as a range is one now, so that its numbers are told. */
export async function markNow(capture: CaptureSummary, own?: Range): Promise<void> {
  const { captureId } = capture
  const place = await placeNow(capture, own)
  const view = viewOf(captureId)
  if (!place || !view) return
  setMark(captureId, place)
  if (place.kind === 'range' && place.axis === view.axis && spanOf(place) > 1 && !view.selectedRange)
    patchView(captureId, { selectedRange: { x0: place.x0, x1: place.x1 } })
  announce(t('marked'))
}

/** Asks for the text of a note about what is selected. */
export async function askNote(capture: CaptureSummary, own?: Range): Promise<void> {
  const about = await placeNow(capture, own)
  if (about) showDialog({ kind: 'note', about })
}

/** Asks for the text of a note about an allocation of the device in view. */
export function askAllocationNote({ captureId }: CaptureSummary, details: AllocationDetails): void {
  const device = viewOf(captureId)?.device
  if (device !== undefined) showDialog({ kind: 'note', about: placeOfAllocation(device, details) })
}

/** Asks for another text of a note. */
export const editNote = (about: Note): void => showDialog({ kind: 'note', about })

/** Deletes a note and says that it can be undone. */
export function removeNote(captureId: string, { id }: Note): void {
  deleteNote(captureId, id)
  announce(t('deleted'))
}

/** Brings a note's place into sight and selects it. */
export async function goToNote(capture: CaptureSummary, { place }: Note): Promise<void> {
  const { captureId } = capture
  const before = viewOf(captureId)
  if (!before) return
  if (!isPlaceOf(capture, place, before)) {
    if (!deviceOf(capture, place.device)) return showMessage(t('notFound'), 'error')
    chooseDevice(capture, place.device, before.axis)
  }
  if (place.kind === 'allocation') {
    const answer = await engine.call('allocation.details', { captureId, allocationId: place.allocationId })
    if (!answer.ok) return showMessage(t('notFound'), 'error')
    patchView(captureId, { selectedRange: undefined })
    return goToAllocation(captureId, answer.value)
  }
  if (place.axis === 'event' && spanOf(place) <= 1) {
    patchView(captureId, { selectedRange: undefined, selectedAllocation: undefined })
    return goToEvent(captureId, Math.floor(place.x0))
  }
  const range = await placeOnAxis(capture, place, before.axis)
  const view = viewOf(captureId)
  if (!range || !view || view.axis !== before.axis) return showMessage(t('notFound'), 'error')
  patchView(captureId, { selectedRange: range })
  const shown = shownRange(capture, view)
  const margin = spanOf(range) * marginShare
  if (range.x1 <= shown.x0 || range.x0 >= shown.x1) showRange(capture, { x0: range.x0 - margin, x1: range.x1 + margin })
}

/** A click on a flag: goes to its first note; keeps the mark of the moment. */
export function clickFlag(capture: CaptureSummary, { marks: [first] }: Flag): void {
  const note = notesOf(capture.captureId).find(({ id }) => id === first.noteId)
  if (note) void goToNote(capture, note)
  else editFlag(capture, first.noteId)
}

/** A double click on a flag: changes what its note says. */
export function editFlag(capture: CaptureSummary, noteId: string | undefined): void {
  const { notes, mark } = noteStates(capture.captureId).getState()
  const about = noteId === undefined ? mark : notes.find(({ id }) => id === noteId)
  if (about) showDialog({ kind: 'note', about })
}
