// The clipboard for texts.
import { translate } from '../i18n/language.ts'
import { showMessage } from './shell.ts'

/** Puts a text on the clipboard; a refusal is told with what to do instead. True when it is there. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    showMessage(translate('clipboard.refused'), 'error')
    return false
  }
}
