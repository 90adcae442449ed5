// A text from the clipboard, read as the text of an error or a log.
import { failuresText as t } from '../failures/texts.ts'
import { failureSentence } from '../i18n/texts.ts'
import { showMessage } from '../state/shell.ts'
import { askShell } from './bridge.ts'
import { openText } from './open-captures.ts'

let pasted = 0

/** Opens what fails in the text of the clipboard, or says that nothing does. */
export async function pasteText(): Promise<void> {
  const answer = await askShell('clipboard.readText', {})
  if (!answer.ok) return showMessage(failureSentence(answer.error), 'error')
  const { text } = answer.value
  if (text.trim() === '') return showMessage(t('paste.empty'), 'error')
  const token = `pasted-${Date.now()}-${++pasted}` // of no file
  openText({ token, name: t('pasted'), folder: '', sizeBytes: 0, failures: { tokens: [], text } })
}
