// What commands do while the flame graph is in front. Declared with keys and titles in preload/contract/commands.ts.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { type CommandAction, registerCommands, runCommand } from '../../commands/registry.ts'
import { registerSelectionCommands } from '../../focus/commands.ts'
import { focusSearch } from '../../panels/search-focus.ts'
import { patchView, viewOf } from '../../state/view-state.ts'
import * as actions from './actions.ts'
import { flameState, isSigned } from './flame-state.ts'
import { saveProfile } from './save-profile.ts'

type Actions = Record<string, CommandAction>

/** Registers the commands for a capture in front; returns the removal. */
export function registerFlameCommands(capture: CaptureSummary): () => void {
  const removals = [
    registerSelectionCommands(capture),
    registerCommands({ ...moveCommands(capture), ...viewCommands(capture), ...searchCommands(capture) }),
  ]
  return () => {
    for (const remove of removals.reverse()) remove()
  }
}

function moveCommands(capture: CaptureSummary): Actions {
  const zoomIn = { run: () => actions.zoomIn(capture) }
  const zoomOut = { when: () => actions.isZoomed(capture), run: () => actions.zoomOut(capture) }
  return {
    'view.zoomIn': zoomIn,
    'view.zoomOut': zoomOut,
    'view.zoomFit': { run: () => actions.zoomOutTo(capture, 0) },
    'view.focusSelection': { run: () => actions.focusSelection(capture) },
    'select.up': { run: () => actions.walkRows(capture, 'up') },
    'select.down': { run: () => actions.walkRows(capture, 'down') },
    'select.left': { run: () => actions.walk(capture, 'before') },
    'select.right': { run: () => actions.walk(capture, 'after') },
    'go.up': {
      run: () => (actions.isZoomed(capture) ? actions.zoomOut(capture) : void runCommand('go.back')),
    },
  }
}

function viewCommands(capture: CaptureSummary): Actions {
  const id = capture.captureId
  const toggle = (field: 'showLegend' | 'showTable'): CommandAction => ({ run: () => patchView(id, { [field]: !viewOf(id)?.[field] }) })
  // Else they show what has come and gone, or a profile, which has no categories.
  const hasColors = () => capture.profile === null && !isSigned(flameState(id).getState().weight)
  return {
    'view.colorBy': { when: hasColors, run: () => actions.cycleColorBy(capture) },
    'view.colorBy.category': { when: hasColors, run: () => actions.setColorBy(capture, 'category') },
    'view.invert': { run: () => actions.invert(capture) },
    'view.flip': { when: () => flameState(id).getState().pivot === undefined, run: () => actions.flip(capture) },
    'view.order': { run: () => actions.cycleOrder(capture) },
    'view.legend': toggle('showLegend'),
    'view.table': toggle('showTable'),
    'file.exportFolded': { run: () => void saveProfile(capture, 'folded') },
    'file.exportD3': { run: () => void saveProfile(capture, 'd3') },
    'file.exportSpeedscope': { run: () => void saveProfile(capture, 'speedscope') },
    'file.exportPprof': { run: () => void saveProfile(capture, 'pprof') },
    'edit.copyDetails': { when: () => actions.canCopy(capture), run: () => void actions.copySelected(capture) },
    'go.escape': { when: () => actions.canStepBack(capture), run: () => actions.stepBack(capture) },
  }
}

function searchCommands(capture: CaptureSummary): Actions {
  const isSearching = () => flameState(capture.captureId).getState().search !== ''
  return {
    'go.search': { run: () => void focusSearch() },
    'go.nextHit': { when: isSearching, run: () => actions.stepThroughHits(capture, 1) },
    'go.previousHit': { when: isSearching, run: () => actions.stepThroughHits(capture, -1) },
  }
}
