// Starts the built app with the Electron that scripts/electron.mjs resolved, away from the user's own data.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, type ElectronApplication, expect, type Page, test } from '@playwright/test'

export interface App {
  readonly electron: ElectronApplication
  /** The first window, loaded and idle. */
  readonly page: Page
  /** Folder of the indexes of this run. */
  readonly cacheFolder: string
  /** Quits the app and removes its folders. */
  close(): Promise<void>
}

export interface LaunchOptions {
  /** Files on the command line. */
  readonly files?: readonly string[]
  /** Further command-line switches. */
  readonly switches?: readonly string[]
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>
  /** Folders of an earlier run, to see what the app remembers; they are then kept at the end. In folders of its own it keeps no sessions: each capture opens as at first. */
  readonly folders?: { readonly cache: string; readonly userData: string }
}

/** llvmpipe is what Chromium takes when the blocklist does not forbid it; SwiftShader is what it falls back to by itself. */
const glSwitches = () => (test.info().project.name === 'swiftshader' ? [] : ['--ignore-gpu-blocklist'])

/** Opens the app and waits for its first window to be idle. */
export async function launch(options: LaunchOptions = {}): Promise<App> {
  const own = mkdtempSync(join(tmpdir(), 'tidemark-e2e-'))
  const cache = options.folders?.cache ?? join(own, 'cache')
  const userData = options.folders?.userData ?? join(own, 'user')
  if (!options.folders) forgetSessions(userData)
  const electron = await _electron.launch({
    args: [...glSwitches(), `--user-data-dir=${userData}`, '--lang=en-US', ...(options.switches ?? []), '.', ...(options.files ?? [])],
    env: { ...definedEnvironment(), TIDEMARK_CACHE: cache, ...options.env },
  })
  const page = await electron.firstWindow()
  await waitUntilIdle(page)
  return {
    electron,
    page,
    cacheFolder: cache,
    close: async () => {
      await electron.close()
      rmSync(own, { recursive: true, force: true })
    },
  }
}

function forgetSessions(userData: string): void {
  mkdirSync(userData, { recursive: true })
  writeFileSync(join(userData, 'settings.json'), JSON.stringify({ keepSessions: false }))
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined))
}

declare global {
  interface Window {
    /** Set by the app: resolves when no question to the engine is open and the last frame is drawn. */
    __tidemarkIdle?: () => Promise<void>
  }
}

/** Waits until the window has nothing left to load or draw. */
export async function waitUntilIdle(page: Page): Promise<void> {
  // Not waitForFunction: it needs eval in the page, which the app's content security policy forbids.
  await expect.poll(() => page.evaluate(() => typeof window.__tidemarkIdle)).toBe('function')
  await page.evaluate(() => window.__tidemarkIdle?.())
}

/** Drops files from the system on the window, the way a file manager does it: the app sees real paths. */
export async function dropFiles(page: Page, files: readonly string[], at = { x: 640, y: 400 }): Promise<void> {
  await dragFilesOver(page, files, at)
  await dispatchDrag(page, 'drop', files, at)
}

/** Holds files over the window without letting go, to see the drop target. */
export async function dragFilesOver(page: Page, files: readonly string[], at = { x: 640, y: 400 }): Promise<void> {
  await dispatchDrag(page, 'dragEnter', files, at)
  await dispatchDrag(page, 'dragOver', files, at)
}

async function dispatchDrag(page: Page, type: 'dragEnter' | 'dragOver' | 'drop', files: readonly string[], at: { x: number; y: number }) {
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('Input.dispatchDragEvent', { type, x: at.x, y: at.y, data: { items: [], files: [...files], dragOperationsMask: 1 } })
  await protocol.detach()
}
