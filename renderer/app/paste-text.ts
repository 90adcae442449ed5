// A text from the clipboard, read as the text of an error or a log.
import { failuresText as t } from '../failures/texts.ts'
import { failureSentence } from '../i18n/texts.ts'
import { showMessage } from '../state/shell.ts'
import { attachText } from './attach-sources.ts'
import { askShell } from './bridge.ts'
import { diagnosedInFront } from './decide-files.ts'
import { openText } from './open-captures.ts'

let pasted = 0
/** Characters of a text that is read with a capture: it is kept and asked with its page. */
const longestJoined = 500_000

/** Reads the text of the clipboard with the diagnosis in front where it tells of that failure, else opens what fails in it, or says that nothing does. */
export async function pasteText(): Promise<void> {
  const answer = await askShell('clipboard.readText', {})
  if (!answer.ok) return showMessage(failureSentence(answer.error), 'error')
  const { text } = answer.value
  if (text.trim() === '') return showMessage(t('paste.empty'), 'error')
  const front = diagnosedInFront()
  if (front && text.length <= longestJoined && (await attachText(front.capture, text))) return
  const token = `pasted-${Date.now()}-${++pasted}` // of no file
  openText({ token, name: t('pasted'), folder: '', sizeBytes: 0, failures: { tokens: [], text } })
}
