// What commands do while the console is in front. Declared with keys and titles in preload/contract/commands.ts.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { registerCommands } from '../../commands/registry.ts'
import { registerSelectionCommands } from '../../focus/commands.ts'
import * as selection from '../../focus/selection-actions.ts'
import { isRunning, runStatement, stopStatement } from './actions.ts'
import { focusEditor, openExamples } from './editor-focus.ts'
import { sqlState } from './sql-state.ts'

/** Registers the commands for a capture in front; returns the removal. */
export function registerSqlCommands(capture: CaptureSummary): () => void {
  const { captureId } = capture
  const removals = [
    registerSelectionCommands(capture),
    registerCommands({
      'sql.run': { when: () => sqlState(captureId).getState().text.trim() !== '', run: () => void runStatement(capture) },
      'sql.stop': { when: () => isRunning(capture), run: () => stopStatement(capture) },
      'sql.example': { run: openExamples },
      'sql.edit': { run: focusEditor },
      'go.search': { run: focusEditor },
      'go.escape': {
        when: () => isRunning(capture) || selection.canStepBack(capture),
        run: () => (isRunning(capture) ? stopStatement(capture) : selection.stepBack(capture)),
      },
    }),
  ]
  return () => {
    for (const remove of removals.reverse()) remove()
  }
}
