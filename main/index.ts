// Start order of the app. What must happen before Electron is ready comes first.
import { join } from 'node:path'
import { app, session } from 'electron'
import { registerAppScheme, serveApp } from './app-protocol.ts'
import { Application } from './application.ts'
import { runExportJob } from './export-job.ts'
import { type Launch, parseLaunch } from './launch-arguments.ts'
import { hardenApp, hardenSession } from './security.ts'

const launch = parseLaunch(process.argv, {
  appPath: app.isPackaged ? undefined : app.getAppPath(),
  workingFolder: process.cwd(),
})

/** Serves the bundle and locks the session down: true for every page, also the hidden one. */
function prepareSession(): void {
  hardenSession(session.defaultSession)
  serveApp(session.defaultSession, join(app.getAppPath(), 'out', 'renderer'))
}

function runWithWindow(first: Launch): void {
  // Files of a second start arrive as absolute paths: it knows its own working folder.
  if (!app.requestSingleInstanceLock({ files: first.files })) {
    app.quit()
    return
  }
  const early: string[] = [...first.files]
  let application: Application | undefined
  const open = (files: readonly string[]) => {
    if (application) void application.requests.openAll(files)
    else early.push(...files)
  }
  // macOS opens files by event, possibly before the app is ready.
  app.on('open-file', (event, path) => {
    event.preventDefault()
    open([path])
  })
  app.on('second-instance', (_event, _argv, _workingFolder, data) => {
    application?.show()
    open(filesOf(data))
  })
  app.on('activate', () => application?.show())
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  app.on('quit', () => application?.stop())
  void app.whenReady().then(() => {
    prepareSession()
    application = new Application()
    application.start()
    open(early.splice(0))
  })
}

function filesOf(data: unknown): string[] {
  const files = typeof data === 'object' && data !== null && 'files' in data ? data.files : undefined
  return Array.isArray(files) ? files.filter((file): file is string => typeof file === 'string') : []
}

function runWithoutWindow(orderFile: string): void {
  void app.whenReady().then(() => {
    prepareSession()
    runExportJob(orderFile)
  })
}

registerAppScheme()
hardenApp()
if (launch.exportJob === undefined) runWithWindow(launch)
else runWithoutWindow(launch.exportJob)
