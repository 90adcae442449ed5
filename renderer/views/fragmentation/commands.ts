// What commands do while this view is in front. Declared with keys and titles in preload/contract/commands.ts.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { type CommandAction, registerCommands } from '../../commands/registry.ts'
import { registerRangeCommands } from '../../focus/commands.ts'
import { stepBy, stepToFirst, stepToLast } from '../../state/step.ts'
import { patchView, viewOf } from '../../state/view-state.ts'
import * as actions from './actions.ts'

/** Registers the commands for a capture in front; returns the removal. The curves are the scrubber here, so the keys step its moment. */
export function registerFragmentationCommands(capture: CaptureSummary): () => void {
  const id = capture.captureId
  const toggle = (field: 'showLegend' | 'showTable'): CommandAction => ({ run: () => patchView(id, { [field]: !viewOf(id)?.[field] }) })
  const step = (events: number): CommandAction => ({ run: () => stepBy(capture, events) })
  const removals = [
    registerRangeCommands(capture),
    registerCommands({
      'view.legend': toggle('showLegend'),
      'view.table': toggle('showTable'),
      'select.left': step(-1),
      'select.right': step(1),
      'select.up': step(-1),
      'select.down': step(1),
      'go.previousEvent': step(-1),
      'go.nextEvent': step(1),
      'go.firstEvent': { run: () => stepToFirst(capture) },
      'go.lastEvent': { run: () => stepToLast(capture) },
      'go.escape': { when: () => actions.canStepBack(capture), run: () => actions.stepBack(capture) },
    }),
  ]
  return () => {
    for (const remove of removals) remove()
  }
}
