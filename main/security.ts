// What pages may do: nothing but show our own bundle. Every rule here has a test.
import { app, type IpcMainEvent, type IpcMainInvokeEvent, type Session, type WebContents } from 'electron'
import { isAllowedRequest, isOwnPage } from './app-url.ts'

const allowedPermission = 'clipboard-sanitized-write'

/** True when an IPC message comes from the top frame of one of our own pages. */
export function isTrustedSender(event: IpcMainEvent | IpcMainInvokeEvent): boolean {
  const frame = event.senderFrame
  return frame !== null && frame === event.sender.mainFrame && isOwnPage(frame.url)
}

/** Denies every permission but writing an image to the clipboard, and every request that is not to our bundle. */
export function hardenSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(permission === allowedPermission))
  session.setPermissionCheckHandler((_contents, permission) => permission === allowedPermission)
  session.setDevicePermissionHandler(() => false)
  session.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !isAllowedRequest(details.url) }))
  session.on('will-download', (event) => event.preventDefault())
}

function hardenContents(contents: WebContents): void {
  contents.on('will-navigate', (event) => event.preventDefault())
  contents.on('will-frame-navigate', (event) => event.preventDefault())
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
}

/** Applies the rules to every page that will ever exist. Call before the app is ready. */
export function hardenApp(): void {
  // enableSandbox would take back the --no-sandbox that a launcher running as root must give.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
  app.on('web-contents-created', (_event, contents) => hardenContents(contents))
}
