// What the view's own commands do. Declared with keys and titles in preload/contract/commands.ts.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { type CommandAction, registerCommands } from '../../commands/registry.ts'
import { registerRangeCommands } from '../../focus/commands.ts'
import { canStepBack } from '../../focus/selection-actions.ts'
import { stepBy } from '../../state/step.ts'
import { patchView, viewOf } from '../../state/view-state.ts'
import * as actions from './actions.ts'
import { isSingle } from './assemble.ts'
import { lifetimesData } from './lifetimes-data.ts'

const stepZoom = 1.5
const stepPan = 0.2

/** Registers the commands for a capture in front; returns the removal. */
export function registerLifetimesCommands(capture: CaptureSummary): () => void {
  const id = capture.captureId
  const toggle = (field: 'showLegend' | 'showTable'): CommandAction => ({ run: () => patchView(id, { [field]: !viewOf(id)?.[field] }) })
  const hasColors = () => isSingle(lifetimesData(id).getState()) // cells show amounts
  const removals = [
    registerRangeCommands(capture),
    registerCommands({
      'view.zoomFit': { run: () => actions.fitBoth(capture) },
      'view.focusSelection': { run: () => void actions.focusBoth(capture) },
      'view.colorBy': { when: hasColors, run: () => actions.cycleColorBy(capture) },
      'view.colorBy.stack': { when: hasColors, run: () => actions.setColorBy(capture, 'stack') },
      'view.colorBy.category': { when: hasColors, run: () => actions.setColorBy(capture, 'category') },
      'view.order': { run: () => actions.cycleOrder(capture) },
      'view.rowsHigher': { run: () => actions.zoomYBy(capture, stepZoom) },
      'view.rowsLower': { run: () => actions.zoomYBy(capture, 1 / stepZoom) },
      'view.scrollUp': { when: () => actions.isYZoomed(capture), run: () => actions.panYBy(capture, -stepPan) },
      'view.scrollDown': { when: () => actions.isYZoomed(capture), run: () => actions.panYBy(capture, stepPan) },
      'view.legend': toggle('showLegend'),
      'view.table': toggle('showTable'),
      'select.left': { run: () => stepBy(capture, -1) },
      'select.right': { run: () => stepBy(capture, 1) },
      'select.up': { run: () => void actions.selectNeighbour(capture, -1) },
      'select.down': { run: () => void actions.selectNeighbour(capture, 1) },
      'go.escape': { when: () => canStepBack(capture), run: () => actions.stepBack(capture) },
    }),
  ]
  return () => {
    for (const remove of removals) remove()
  }
}
