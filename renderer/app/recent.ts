// The list of recent files, kept by the main process.
import { useShell } from '../state/shell.ts'
import { askShell } from './bridge.ts'

/** Asks for the list anew: files come and go outside the window. */
export async function refreshRecent(): Promise<void> {
  const answer = await askShell('files.recent', {})
  if (answer.ok) useShell.setState({ recent: answer.value.recent })
}
