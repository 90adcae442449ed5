// The order in which the window comes to life.
import { startKeys } from '../commands/key-dispatch.ts'
import { runCommand } from '../commands/registry.ts'
import { startFollowing } from '../join/follow.ts'
import { startPairs } from '../join/pairs.ts'
import { useShell } from '../state/shell.ts'
import { startTheme } from '../theme/theme.ts'
import { onShell } from './bridge.ts'
import { startEngineLink } from './engine-link.ts'
import { startExportJobs } from './export-job.ts'
import { startIdleHook } from './idle.ts'
import { startKeptTabs } from './kept-tabs.ts'
import { openFiles, showRefused } from './open-captures.ts'
import { startReportJobs } from './report-job.ts'
import { startSessionFiles } from './session-file.ts'
import { startSessions } from './sessions.ts'
import { startSettings } from './settings.ts'
import { registerShellCommands } from './shell-commands.ts'
import { hasView, ownLooks } from './views.ts'

/** Connects the window to everything outside it, then tells the main process that it listens. */
export async function start(): Promise<void> {
  startTheme()
  startEngineLink()
  startExportJobs()
  startReportJobs()
  startIdleHook()
  registerShellCommands()
  startSessions({ looks: ownLooks, isOffered: hasView })
  startSessionFiles()
  startPairs()
  startFollowing()
  onShell('open.requested', (files) => void openFiles(files))
  onShell('open.refused', ({ name, code, message }) => showRefused(name, { code, message }))
  onShell('menu.command', ({ id }) => void runCommand(id))
  await startSettings()
  startKeys(useShell.getState().info?.platform === 'darwin')
  startKeptTabs()
  window.tidemark?.ready()
}
