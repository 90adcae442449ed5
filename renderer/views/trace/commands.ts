// What the view's own commands do. Declared with keys and titles in preload/contract/commands.ts.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { type CommandAction, registerCommands } from '../../commands/registry.ts'
import { noteCommands, registerRangeCommands } from '../../focus/commands.ts'
import type { Marks } from '../../focus/step-marks.ts'
import { patchView, viewOf } from '../../state/view-state.ts'
import * as actions from './actions.ts'
import { marksNow } from './assemble.ts'
import { canCopy, copySelected } from './copy.ts'
import { headParts } from './draw-heads.ts'
import type { Row } from './layout.ts'
import * as rowKeys from './row-keys.ts'
import * as steps from './steps.ts'
import { traceData } from './trace-data.ts'

const pageShare = 0.8

/** Registers the commands for a capture in front; returns the removal. */
export function registerTraceCommands(capture: CaptureSummary): () => void {
  const marks: Marks = {
    spans: (view) => marksNow(view, traceData(capture.captureId).getState()),
    select: (range) => actions.selectArea(capture, range, undefined),
  }
  const removals = [registerRangeCommands(capture, marks), registerCommands({ ...viewCommands(capture), ...selectionCommands(capture) })]
  return () => {
    for (const remove of removals) remove()
  }
}

function viewCommands(capture: CaptureSummary): Record<string, CommandAction> {
  const id = capture.captureId
  const toggle = (field: 'showLegend' | 'showTable'): CommandAction => ({ run: () => patchView(id, { [field]: !viewOf(id)?.[field] }) })
  const onRow = (isOf: (row: Row) => boolean, run: () => void): CommandAction => ({
    when: () => {
      const row = rowKeys.currentRow(capture)
      return row !== undefined && isOf(row)
    },
    run,
  })
  const page = () => (traceData(id).getState().layout?.plot.heightPx ?? 0) * pageShare
  return {
    'view.focusSelection': { run: () => actions.focusSelected(capture) },
    'view.switchAxis': { when: () => false, run: () => undefined }, // tracks are drawn over time alone
    'view.colorBy': { run: () => actions.cycleColorBy(capture) },
    'view.nextRow': { run: () => rowKeys.chooseRow(capture, 1) },
    'view.previousRow': { run: () => rowKeys.chooseRow(capture, -1) },
    'view.pinRow': onRow(
      (row) => headParts(row).pins,
      () => rowKeys.pinCurrent(capture),
    ),
    'view.foldRow': onRow(
      (row) => rowKeys.foldKey(row) !== undefined,
      () => rowKeys.foldCurrent(capture),
    ),
    'edit.copyDetails': { when: () => canCopy(capture), run: () => void copySelected(capture) },
    'view.foldAll': { run: () => actions.toggleAllFolded(capture) },
    'view.scrollUp': { when: () => actions.canScroll(capture), run: () => actions.scrollBy(capture, -page()) },
    'view.scrollDown': { when: () => actions.canScroll(capture), run: () => actions.scrollBy(capture, page()) },
    'view.legend': toggle('showLegend'),
    'view.table': toggle('showTable'),
    ...noteCommands(capture, () => actions.sliceRange(capture)),
    'go.escape': { when: () => actions.canStepBack(capture), run: () => actions.stepBack(capture) },
  }
}

function selectionCommands(capture: CaptureSummary): Record<string, CommandAction> {
  const hasSlice = () => actions.selectedRow(capture) !== undefined
  return {
    'select.left': { run: () => void steps.selectInLane(capture, -1) },
    'select.right': { run: () => void steps.selectInLane(capture, 1) },
    'select.extendLeft': { run: () => actions.extendArea(capture, -1) },
    'select.extendRight': { run: () => actions.extendArea(capture, 1) },
    'select.up': { run: () => void steps.selectAcross(capture, -1) },
    'select.down': { run: () => void steps.selectAcross(capture, 1) },
    'go.previousItem': { when: hasSlice, run: () => void steps.selectOnTrack(capture, -1) },
    'go.nextItem': { when: hasSlice, run: () => void steps.selectOnTrack(capture, 1) },
    'go.allocEvent': { when: () => steps.canFollow(capture, -1), run: () => void steps.followFlow(capture, -1) },
    'go.freeEvent': { when: () => steps.canFollow(capture, 1), run: () => void steps.followFlow(capture, 1) },
    'go.selectionToRange': { when: hasSlice, run: () => actions.sliceToRange(capture) },
  }
}
