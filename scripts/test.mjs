// `npm test`: everything of `npm run check`, then the app itself on a virtual screen. Ends with one line "N passed, N failed".
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { check } from './check.mjs'
import { finishWith, isMain, say } from './lib/process.mjs'
import { playwrightCounts, reportFolder, Tally } from './lib/report.mjs'
import { runWindows } from './lib/windows.mjs'

async function testWindow(tally, electron) {
  say('— the app on a virtual screen (llvmpipe, then SwiftShader)')
  const report = 'playwright.json'
  rmSync(join(reportFolder, report), { force: true })
  const { status } = await runWindows(electron, ['llvmpipe', 'swiftshader'])
  tally.add('window tests', status, playwrightCounts(report))
}

async function main() {
  const tally = new Tally()
  const electron = await check(tally, ['electron', 'display', 'test'])
  if (electron !== null) await testWindow(tally, electron)
  return tally.close()
}

if (isMain(import.meta.url)) finishWith(main())
