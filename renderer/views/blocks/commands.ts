// What commands do while the block map is in front. Declared with keys and titles in preload/contract/commands.ts.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { BlockColor } from '../../../preload/contract/queries.ts'
import { type CommandAction, registerCommands } from '../../commands/registry.ts'
import { registerMotionCommands, registerSelectionCommands } from '../../focus/commands.ts'
import { registerAddressFinder } from '../../state/go-to.ts'
import { patchView, viewOf } from '../../state/view-state.ts'
import * as actions from './actions.ts'

type Actions = Record<string, CommandAction>

/** Registers the commands for a capture in front; returns the removal. */
export function registerBlockCommands(capture: CaptureSummary): () => void {
  const removals = [
    registerSelectionCommands(capture),
    registerMotionCommands({ zoomBy: (factor) => actions.zoomBy(capture, factor), panBy: (share) => actions.panBy(capture, share) }),
    registerCommands({ ...moveCommands(capture), ...viewCommands(capture), ...colorCommands(capture) }),
    registerAddressFinder((address, what) => actions.goToAddress(capture, address, what)),
    actions.endWaiting,
  ]
  return () => {
    for (const remove of removals.reverse()) remove()
  }
}

function moveCommands(capture: CaptureSummary): Actions {
  return {
    'view.zoomFit': { run: () => actions.fitAll(capture) },
    'view.focusSelection': { run: () => actions.focusSelection(capture) },
    'select.left': { run: () => void actions.selectNeighbour(capture, -1) },
    'select.right': { run: () => void actions.selectNeighbour(capture, 1) },
  }
}

function viewCommands(capture: CaptureSummary): Actions {
  const id = capture.captureId
  const toggle = (field: 'showLegend' | 'showTable'): CommandAction => ({ run: () => patchView(id, { [field]: !viewOf(id)?.[field] }) })
  return {
    'view.order': { run: () => actions.cycleOrder(capture) },
    'view.rowsHigher': { run: () => actions.stepRows(capture, 1) },
    'view.rowsLower': { run: () => actions.stepRows(capture, -1) },
    'view.legend': toggle('showLegend'),
    'view.table': toggle('showTable'),
    'go.escape': { when: () => actions.canStepBack(capture), run: () => actions.stepBack(capture) },
  }
}

function colorCommands(capture: CaptureSummary): Actions {
  const by = (colorBy: BlockColor): CommandAction => ({ run: () => actions.setColorBy(capture, colorBy) })
  return {
    'view.colorBy': { run: () => actions.cycleColorBy(capture) },
    'view.colorBy.stack': by('stack'),
    'view.colorBy.size': by('size'),
    'view.colorBy.age': by('age'),
    'view.colorBy.stream': by('stream'),
    'view.colorBy.pool': by('pool'),
    'view.colorBy.category': by('category'),
  }
}
