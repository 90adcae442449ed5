// What the timeline's commands do. Declared with keys and titles in preload/contract/commands.ts.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { AllocationDetails } from '../../../preload/contract/queries.ts'
import { type CommandAction, registerCommands } from '../../commands/registry.ts'
import { copyText } from '../../state/copy-text.ts'
import { goToEvent, neighbourOom } from '../../state/go-to.ts'
import { patchView, viewOf } from '../../state/view-state.ts'
import { announce } from '../../widgets/announce.ts'
import * as actions from './actions.ts'
import { detailsText } from './details-text.ts'
import { HeldKeys } from './motion.ts'
import { timelineText } from './texts.ts'
import { timelineData } from './timeline-data.ts'

const stepZoom = 1.5
const stepPan = 0.2

/** Registers the commands for a capture in front; returns the removal. */
export function registerTimelineCommands(capture: CaptureSummary): () => void {
  const held = new HeldKeys(capture)
  const remove = registerCommands({
    ...motionCommands(capture, held),
    ...viewCommands(capture),
    ...goCommands(capture),
    ...selectCommands(capture),
    ...copyCommands(capture),
  })
  return () => {
    remove()
    held.stop()
  }
}

type Actions = Record<string, CommandAction>

/** The four keys are held; the same commands from menu or palette, and + and −, move one step. */
function motionCommands(capture: CaptureSummary, held: HeldKeys): Actions {
  const moved = (code: 'KeyW' | 'KeyA' | 'KeyS' | 'KeyD', once: () => void): CommandAction => ({
    run: () => {
      const { event } = window
      if (event instanceof KeyboardEvent && event.code === code) held.press(code, event.shiftKey)
      else once()
    },
  })
  const zoomIn = moved('KeyW', () => actions.zoomBy(capture, stepZoom))
  const zoomOut = moved('KeyS', () => actions.zoomBy(capture, 1 / stepZoom))
  const panLeft = moved('KeyA', () => actions.panBy(capture, -stepPan))
  const panRight = moved('KeyD', () => actions.panBy(capture, stepPan))
  return {
    'view.zoomIn': zoomIn,
    'view.zoomOut': zoomOut,
    'view.panLeft': panLeft,
    'view.panRight': panRight,
    'view.zoomInFast': moved('KeyW', () => actions.zoomBy(capture, stepZoom ** 3)),
    'view.zoomOutFast': moved('KeyS', () => actions.zoomBy(capture, stepZoom ** -3)),
    'view.panLeftFast': moved('KeyA', () => actions.panBy(capture, -3 * stepPan)),
    'view.panRightFast': moved('KeyD', () => actions.panBy(capture, 3 * stepPan)),
  }
}

function viewCommands(capture: CaptureSummary): Actions {
  const id = capture.captureId
  const toggle = (field: 'showLegend' | 'showTable'): CommandAction => ({ run: () => patchView(id, { [field]: !viewOf(id)?.[field] }) })
  return {
    'view.zoomFit': { run: () => actions.fitAll(capture) },
    'view.focusSelection': { run: () => void actions.focusSelection(capture) },
    'view.switchAxis': {
      when: () => capture.hasTimes,
      run: () => void actions.switchAxis(capture, viewOf(id)?.axis === 'time' ? 'event' : 'time'),
    },
    'view.colorBy': { run: () => actions.cycleColorBy(capture) },
    'view.colorBy.stack': { run: () => actions.setColorBy(capture, 'stack') },
    'view.colorBy.size': { run: () => actions.setColorBy(capture, 'size') },
    'view.colorBy.age': { run: () => actions.setColorBy(capture, 'age') },
    'view.colorBy.stream': { run: () => actions.setColorBy(capture, 'stream') },
    'view.colorBy.pool': { run: () => actions.setColorBy(capture, 'pool') },
    'view.fitHeight': { run: () => actions.toggleFitHeight(capture) },
    'view.legend': toggle('showLegend'),
    'view.table': toggle('showTable'),
  }
}

function goCommands(capture: CaptureSummary): Actions {
  const id = capture.captureId
  const ooms = (): boolean => (actions.currentDevice(capture)?.ooms.length ?? 0) > 0
  const toOom = (direction: 1 | -1): CommandAction => ({
    when: ooms,
    run: () => {
      const event = neighbourOom(capture, direction)
      if (event !== undefined) void goToEvent(id, event)
    },
  })
  const uses = (): boolean => (timelineData(id).getState().details?.useCount ?? 0) > 1
  return {
    'go.peak': { when: () => (actions.currentDevice(capture)?.peakEvent ?? -1) >= 0, run: () => actions.goToPeak(capture) },
    'go.nextOom': toOom(1),
    'go.previousOom': toOom(-1),
    'go.nextItem': { when: uses, run: () => actions.selectUse(capture, 1) },
    'go.previousItem': { when: uses, run: () => actions.selectUse(capture, -1) },
    'go.markRange': { run: () => void actions.markRange(capture) },
    'go.selectionToRange': { when: () => viewOf(id)?.selectedAllocation !== undefined, run: () => void actions.selectionToRange(capture) },
    'go.allocEvent': toLifeEnd(capture, 'allocEvent'),
    'go.freeEvent': toLifeEnd(capture, 'freeRequestedEvent'),
    'go.aliveAtEnd': { when: () => (actions.currentDevice(capture)?.eventCount ?? 0) > 0, run: () => actions.goToEnd(capture) },
    'go.escape': { when: () => actions.canStepBack(capture), run: () => void actions.stepBack(capture) },
  }
}

const toLifeEnd = (capture: CaptureSummary, end: 'allocEvent' | 'freeRequestedEvent'): CommandAction => ({
  when: () => typeof actions.selectedDetails(capture)?.[end] === 'number',
  run: () => actions.goToLifeEnd(capture, end),
})

function copyCommands(capture: CaptureSummary): Actions {
  const copy = (textOf: (details: AllocationDetails) => string): CommandAction => ({
    when: () => actions.selectedDetails(capture) !== undefined,
    run: () => {
      const details = actions.selectedDetails(capture)
      if (details) void copyAndSay(textOf(details))
    },
  })
  return {
    'edit.copyAddress': copy(({ address }) => address),
    'edit.copyDetails': copy((details) => detailsText(details, timelineText)),
  }
}

/** Puts a text on the clipboard and says so to assistive technology. */
async function copyAndSay(text: string): Promise<void> {
  if (await copyText(text)) announce(timelineText('details.copied'))
}

function selectCommands(capture: CaptureSummary): Actions {
  return {
    'select.left': { run: () => actions.stepCursor(capture, -1) },
    'select.right': { run: () => actions.stepCursor(capture, 1) },
    'select.up': { run: () => void actions.selectNeighbour(capture, 1) },
    'select.down': { run: () => void actions.selectNeighbour(capture, -1) },
    'select.extendLeft': { run: () => actions.extendRange(capture, -1) },
    'select.extendRight': { run: () => actions.extendRange(capture, 1) },
  }
}
