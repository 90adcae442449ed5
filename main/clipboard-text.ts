// The clipboard for the window: pages get no leave to read it by themselves.
import { clipboard } from 'electron'
import { mostPastedText, type ShellOutput } from '../preload/contract/shell.ts'

/** Its text; of a long one the end. Current Electron answers later, old ones at once. */
export async function readClipboard(): Promise<ShellOutput<'clipboard.readText'>> {
  const text = await clipboard.readText()
  return { text: text.slice(-mostPastedText) }
}
