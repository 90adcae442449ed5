// What the timeline's own commands do. Declared with keys and titles in preload/contract/commands.ts.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { type CommandAction, registerCommands } from '../../commands/registry.ts'
import { registerRangeCommands } from '../../focus/commands.ts'
import { patchView, viewOf } from '../../state/view-state.ts'
import * as actions from './actions.ts'

/** Registers the commands for a capture in front; returns the removal. */
export function registerTimelineCommands(capture: CaptureSummary): () => void {
  const id = capture.captureId
  const toggle = (field: 'showLegend' | 'showTable'): CommandAction => ({ run: () => patchView(id, { [field]: !viewOf(id)?.[field] }) })
  const removals = [
    registerRangeCommands(capture),
    registerCommands({
      'view.colorBy': { run: () => actions.cycleColorBy(capture) },
      'view.colorBy.stack': { run: () => actions.setColorBy(capture, 'stack') },
      'view.colorBy.size': { run: () => actions.setColorBy(capture, 'size') },
      'view.colorBy.age': { run: () => actions.setColorBy(capture, 'age') },
      'view.colorBy.stream': { run: () => actions.setColorBy(capture, 'stream') },
      'view.colorBy.pool': { run: () => actions.setColorBy(capture, 'pool') },
      'view.colorBy.category': { run: () => actions.setColorBy(capture, 'category') },
      'view.fitHeight': { run: () => actions.toggleFitHeight(capture) },
      'view.legend': toggle('showLegend'),
      'view.table': toggle('showTable'),
      'select.left': { run: () => actions.stepCursor(capture, -1) },
      'select.right': { run: () => actions.stepCursor(capture, 1) },
      'select.up': { run: () => void actions.selectNeighbour(capture, 1) },
      'select.down': { run: () => void actions.selectNeighbour(capture, -1) },
      'go.escape': { when: () => actions.canStepBack(capture), run: () => actions.stepBack(capture) },
    }),
  ]
  return () => {
    for (const remove of removals) remove()
  }
}
