// Runs a test in an app of its own, keeps a picture of the window when it fails, and always quits.
import { join } from 'node:path'
import { test } from '@playwright/test'
import { outFolder, type Scratch, scratchFolder } from './files.ts'
import { type App, type LaunchOptions, launch } from './launch.ts'

const fileName = (title: string): string => `${title.replaceAll(/[^\p{L}\d]+/gu, '-').slice(0, 80)}.png`

/** Keeps a picture of the window under tests/.out/failures when the running test has failed. */
async function pictureOfFailure(app: App, which: 'own' | 'shared'): Promise<void> {
  const path = join(outFolder, 'failures', `${which}-${fileName(test.info().title)}`)
  await app.page.screenshot({ path, timeout: 5_000 }).catch(() => undefined)
}

/** Launches, runs, quits. */
export async function withApp(options: LaunchOptions, run: (app: App) => Promise<void>): Promise<void> {
  const app = await launch(options)
  try {
    await run(app)
  } catch (error) {
    await pictureOfFailure(app, 'own')
    throw error
  } finally {
    await app.close()
  }
}

/** One app for all tests of a file, started before the first. */
export function sharedApp(options: LaunchOptions = {}): () => App {
  let app: App | undefined
  test.beforeAll(async () => {
    app = await launch(options)
  })
  test.afterEach(async () => {
    if (app && test.info().status !== test.info().expectedStatus) await pictureOfFailure(app, 'shared')
  })
  test.afterAll(async () => app?.close())
  return () => {
    if (!app) throw new Error('the app has not started')
    return app
  }
}

/** One folder for all tests of a file, deleted after the last. */
export function sharedScratch(): Scratch {
  const scratch = scratchFolder()
  test.afterAll(() => scratch.remove())
  return scratch
}
