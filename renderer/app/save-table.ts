// Tables that a view made itself, as CSV files.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { Result } from '../../preload/contract/errors.ts'
import { translate } from '../i18n/language.ts'
import { failureSentence } from '../i18n/texts.ts'
import { showMessage } from '../state/shell.ts'
import { askShell } from './bridge.ts'

/** The name of a capture without what tells its format. */
export const baseName = (capture: CaptureSummary): string =>
  capture.sourceName.replace(/(\.(pickle|pkl|json|gz|tidemark|folded|collapsed|d3|speedscope|pb|heap|heapprofile))+$/i, '')

/** Says that a file was saved, or why not; nothing where no place was chosen. True when it was saved. `note`: what it does not have, in words. */
export function tellSaved(saved: Result<{ readonly savedName: string | null }>, note = ''): boolean {
  if (!saved.ok) {
    showMessage(failureSentence(saved.error), 'error')
    return false
  }
  const { savedName } = saved.value
  if (savedName !== null) showMessage([translate('export.saved', { name: savedName }), note].filter((part) => part !== '').join(' · '))
  return savedName !== null
}

/** Asks where to write a table, and says how it went. `name`: what is in it; `note`: what it does not have, in words. */
export const saveTable = (capture: CaptureSummary, name: string, text: string, note?: string): Promise<void> =>
  saveTableAs(`${baseName(capture)}-${name}.csv`, text, note)

/** As `saveTable`, of a table that is not of one capture. */
export async function saveTableAs(suggestedName: string, text: string, note?: string): Promise<void> {
  const saved = await askShell('export.saveTable', { suggestedName, text })
  tellSaved(saved, note)
}
