// What the window may know of app and system.
import { app } from 'electron'
import type { ShellOutput } from '../preload/contract/shell.ts'

export const appInfo = (): ShellOutput<'app.info'> => ({
  version: app.getVersion(),
  electron: process.versions.electron,
  platform: process.platform,
  systemLanguage: app.getLocale(),
})
