// What commands do while the page is in front. Declared with keys and titles in preload/contract/commands.ts.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { registerCommands } from '../../commands/registry.ts'
import { copyDiagnosis } from '../../diagnosis/save.ts'
import { shownPage } from './diagnosis-data.ts'

/** Registers the commands for a capture in front; returns the removal. */
export function registerDiagnosisCommands(capture: CaptureSummary): () => void {
  const page = () => shownPage(capture)
  return registerCommands({
    'edit.copyMarkdown': {
      when: () => page() !== undefined,
      run: () => {
        const shown = page()
        if (shown) void copyDiagnosis(shown, capture)
      },
    },
  })
}
