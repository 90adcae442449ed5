// What the commands of range, cursor and selection do, for every view. Declared with keys and titles in preload/contract/commands.ts.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { AllocationDetails } from '../../preload/contract/queries.ts'
import { type CommandAction, registerCommands } from '../commands/registry.ts'
import { panelText } from '../i18n/part-texts.ts'
import { detailsText } from '../panels/details-text.ts'
import { copyText } from '../state/copy-text.ts'
import { goToFailure, neighbourOom } from '../state/go-to.ts'
import { type Range, viewOf } from '../state/view-state.ts'
import { announce } from '../widgets/announce.ts'
import { focusData } from './focus-data.ts'
import { HeldKeys, type Motion } from './held-keys.ts'
import * as notes from './note-actions.ts'
import * as range from './range-actions.ts'
import * as selection from './selection-actions.ts'
import { deviceMarks, type Marks, selectNeighbourSpan } from './step-marks.ts'

const stepZoom = 1.5
const stepPan = 0.2

type Actions = Record<string, CommandAction>

/** Registers the commands of a horizontal axis for a view that has one, which may have marks of its own; returns the removal. */
export function registerRangeCommands(capture: CaptureSummary, marks: Marks = deviceMarks(capture)): () => void {
  const id = capture.captureId
  const removeMotion = registerMotionCommands({
    zoomBy: (factor) => range.zoomBy(capture, factor),
    panBy: (share) => range.panBy(capture, share),
  })
  const remove = registerCommands({
    'view.zoomFit': { run: () => range.fitAll(capture) },
    'view.focusSelection': { run: () => void range.focusSelection(capture) },
    'view.switchAxis': {
      when: () => capture.hasTimes,
      run: () => void range.switchAxis(capture, viewOf(id)?.axis === 'time' ? 'event' : 'time'),
    },
    'go.selectionToRange': { when: () => viewOf(id)?.selectedAllocation !== undefined, run: () => void range.selectionToRange(capture) },
    ...stepCommands(capture, marks),
    'select.extendLeft': { run: () => range.extendRange(capture, -1) },
    'select.extendRight': { run: () => range.extendRange(capture, 1) },
  })
  return () => {
    remove()
    removeMotion()
  }
}

function stepCommands(capture: CaptureSummary, marks: Marks): Actions {
  const to = (direction: 1 | -1): CommandAction => ({
    when: () => {
      const view = viewOf(capture.captureId)
      return view !== undefined && marks.spans(view).length > 0
    },
    run: () => selectNeighbourSpan(capture, marks, direction),
  })
  return { 'go.nextStep': to(1), 'go.previousStep': to(-1) }
}

/** Registers what zooms and pans, for a view with a motion of its own; returns the removal. */
export function registerMotionCommands(motion: Motion): () => void {
  const held = new HeldKeys(motion)
  const remove = registerCommands(motionCommands(motion, held))
  return () => {
    remove()
    held.stop()
  }
}

/** Registers the commands of cursor and selection for a capture in front; returns the removal. */
export function registerSelectionCommands(capture: CaptureSummary): () => void {
  return registerCommands({ ...goCommands(capture), ...copyCommands(capture), ...noteCommands(capture) })
}

/** The four keys are held; the same commands from menu or palette, and + and −, move one step. */
function motionCommands(motion: Motion, held: HeldKeys): Actions {
  const moved = (code: 'KeyW' | 'KeyA' | 'KeyS' | 'KeyD', once: () => void): CommandAction => ({
    run: () => {
      const { event } = window
      if (event instanceof KeyboardEvent && event.code === code) held.press(code, event.shiftKey)
      else once()
    },
  })
  const zoomIn = moved('KeyW', () => motion.zoomBy(stepZoom))
  const zoomOut = moved('KeyS', () => motion.zoomBy(1 / stepZoom))
  const panLeft = moved('KeyA', () => motion.panBy(-stepPan))
  const panRight = moved('KeyD', () => motion.panBy(stepPan))
  return {
    'view.zoomIn': zoomIn,
    'view.zoomOut': zoomOut,
    'view.panLeft': panLeft,
    'view.panRight': panRight,
    'view.zoomInFast': moved('KeyW', () => motion.zoomBy(stepZoom ** 3)),
    'view.zoomOutFast': moved('KeyS', () => motion.zoomBy(stepZoom ** -3)),
    'view.panLeftFast': moved('KeyA', () => motion.panBy(-3 * stepPan)),
    'view.panRightFast': moved('KeyD', () => motion.panBy(3 * stepPan)),
  }
}

function goCommands(capture: CaptureSummary): Actions {
  const id = capture.captureId
  const ooms = (): boolean => (selection.currentDevice(capture)?.ooms.length ?? 0) > 0
  const toOom = (direction: 1 | -1): CommandAction => ({
    when: ooms,
    run: () => {
      const event = neighbourOom(capture, direction)
      if (event !== undefined) void goToFailure(id, event)
    },
  })
  const uses = (): boolean => (focusData(id).getState().details?.useCount ?? 0) > 1
  return {
    'go.peak': { when: () => (selection.currentDevice(capture)?.peakEvent ?? -1) >= 0, run: () => selection.goToPeak(capture) },
    'go.nextOom': toOom(1),
    'go.previousOom': toOom(-1),
    'go.nextItem': { when: uses, run: () => selection.selectUse(capture, 1) },
    'go.previousItem': { when: uses, run: () => selection.selectUse(capture, -1) },
    'go.allocEvent': toLifeEnd(capture, 'allocEvent'),
    'go.freeEvent': toLifeEnd(capture, 'freeRequestedEvent'),
    'go.aliveAtEnd': { when: () => (selection.currentDevice(capture)?.eventCount ?? 0) > 0, run: () => selection.goToEnd(capture) },
    'go.escape': { when: () => selection.canStepBack(capture), run: () => selection.stepBack(capture) },
  }
}

/** What a mark or a note is about: `own` is what the view in front has selected by itself. */
export const noteCommands = (capture: CaptureSummary, own: () => Range | undefined = () => undefined): Actions => ({
  'go.markRange': { run: () => void notes.markNow(capture, own()) },
  'edit.addNote': { run: () => void notes.askNote(capture, own()) },
})

const toLifeEnd = (capture: CaptureSummary, end: 'allocEvent' | 'freeRequestedEvent'): CommandAction => ({
  when: () => typeof selection.selectedDetails(capture)?.[end] === 'number',
  run: () => selection.goToLifeEnd(capture, end),
})

function copyCommands(capture: CaptureSummary): Actions {
  const copy = (textOf: (details: AllocationDetails) => string): CommandAction => ({
    when: () => selection.selectedDetails(capture) !== undefined,
    run: () => {
      const details = selection.selectedDetails(capture)
      if (details) void copyAndSay(textOf(details))
    },
  })
  return {
    'edit.copyAddress': copy(({ address }) => address),
    'edit.copyDetails': copy((details) => detailsText(details)),
  }
}

/** Puts a text on the clipboard and says so to assistive technology. */
async function copyAndSay(text: string): Promise<void> {
  if (await copyText(text)) announce(panelText('details.copied'))
}
