// `npm test`: everything of `npm run check`, then the app itself on a virtual screen. Ends with one line "N passed, N failed".
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { check } from './check.mjs'
import { electronEnvironment } from './electron.mjs'
import { canFakeDisplay, withVirtualDisplay } from './lib/display.mjs'
import { finishWith, isMain, root, run, say } from './lib/process.mjs'
import { playwrightCounts, reportFolder, Tally } from './lib/report.mjs'

async function testWindow(tally, electron) {
  say('— the app on a virtual screen (llvmpipe, then SwiftShader)')
  const report = 'playwright.json'
  rmSync(join(reportFolder, report), { force: true })
  const command = [process.execPath, [join(root, 'node_modules', '@playwright', 'test', 'cli.js'), 'test']]
  // A virtual screen also where there is a real one: windows that pop up would take the user's keyboard.
  const [program, args] = canFakeDisplay() ? withVirtualDisplay(...command) : command
  const { status } = await run(program, args, { env: electronEnvironment(electron) })
  tally.add('window tests', status, playwrightCounts(report))
}

async function main() {
  const tally = new Tally()
  const electron = await check(tally, ['electron', 'display', 'test'])
  if (electron !== null) await testWindow(tally, electron)
  return tally.close()
}

if (isMain(import.meta.url)) finishWith(main())
