// What commands do while the table is in front. Declared with keys and titles in preload/contract/commands.ts.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { type CommandAction, registerCommands } from '../../commands/registry.ts'
import { registerSelectionCommands } from '../../focus/commands.ts'
import { switchAxis } from '../../focus/range-actions.ts'
import { patchView, viewOf } from '../../state/view-state.ts'
import * as actions from './actions.ts'
import { allocationsData } from './allocations-data.ts'

/** Registers the commands for a capture in front; returns the removal. */
export function registerAllocationsCommands(capture: CaptureSummary): () => void {
  const id = capture.captureId
  const walk = (rows: number): CommandAction => ({ run: () => void actions.walkBy(capture, rows) })
  const page = () => allocationsData(id).getState().shown
  const removals = [
    registerSelectionCommands(capture),
    registerCommands({
      'select.up': walk(-1),
      'select.down': walk(1),
      'view.scrollUp': { run: () => actions.scrollTo(capture, allocationsData(id).getState().first - page()) },
      'view.scrollDown': { run: () => actions.scrollTo(capture, allocationsData(id).getState().first + page()) },
      'view.legend': { run: () => patchView(id, { showLegend: !viewOf(id)?.showLegend }) },
      'view.switchAxis': {
        when: () => capture.hasTimes,
        run: () => void switchAxis(capture, viewOf(id)?.axis === 'time' ? 'event' : 'time'),
      },
      'edit.copyDetails': { when: () => actions.canCopy(capture), run: () => void actions.copyRow(capture, 'text') },
      'edit.copyMarkdown': { when: () => actions.canCopy(capture), run: () => void actions.copyRow(capture, 'markdown') },
    }),
  ]
  return () => {
    for (const remove of removals.reverse()) remove()
  }
}
