// Asks for the session that a colleague sent.
import { basename } from 'node:path'
import { type BrowserWindow, dialog } from 'electron'
import type { ShellOutput } from '../preload/contract/shell.ts'
import { readSessionDocument } from './session-files.ts'

/** Asks for the file of a session and reads it. */
export async function openSessionDocument(window: BrowserWindow | undefined): Promise<ShellOutput<'session.openFile'>> {
  const options: Electron.OpenDialogOptions = { properties: ['openFile'], filters: [{ name: 'JSON', extensions: ['json'] }] }
  const { filePaths } = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options))
  const [path] = filePaths
  if (path === undefined) return { name: null, document: null }
  return { name: basename(path), document: readSessionDocument(path) }
}
