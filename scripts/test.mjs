// `npm test`: everything of `npm run check`, and beside it the app itself on a virtual screen. Ends with one line "N passed, N failed".
import { rmSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { check, prepare } from './check.mjs'
import { finishWith, isMain, say } from './lib/process.mjs'
import { playwrightCounts, reportFolder, Tally } from './lib/report.mjs'
import { runWindows } from './lib/windows.mjs'

async function testWindow(tally, electron) {
  say('— the app on a virtual screen (llvmpipe, then SwiftShader)')
  const report = 'playwright.json'
  rmSync(join(reportFolder, report), { force: true })
  const { status } = await runWindows(electron, ['llvmpipe', 'swiftshader'], 'window tests: ')
  tally.add('window tests', status, playwrightCounts(report))
}

const lowPriority = 10

async function main() {
  const tally = new Tally()
  const electron = await prepare(tally, ['electron', 'display', 'test'])
  if (electron === null) return tally.close()
  const windows = testWindow(tally, electron)
  // Windows wait for answers with limits of time, so they come first: what starts from here on only takes the time that they leave.
  setPriority(lowPriority)
  await Promise.all([windows, check(tally, electron)])
  return tally.close()
}

if (isMain(import.meta.url)) finishWith(main())
