// What a user waits for in the window: from the drop of a file to its picture, and a frame while panning. Runs inside a virtual screen;
// prints one JSON line. `node tests/bench/window.mjs FILE PAN`: PAN = pan to also measure frames, view by view.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron } from '@playwright/test'
import { electronEnvironment, resolveElectron } from '../../scripts/electron.mjs'
import { isSuperuser, root } from '../../scripts/lib/process.mjs'

const [file, pan] = process.argv.slice(2)
const panMs = 3000

/** What is panned, in this order: the view's name, the test id of its canvas, and what brings it to the screen (nothing when it is there). */
const views = [{ name: 'timeline', canvas: 'timeline-canvas', show: async () => undefined }]
const sandboxSwitch = isSuperuser() ? ['--no-sandbox'] : []

/** Milliseconds from the drop of `path` on the page to the first drawn picture. */
async function dropToPicture(page, path) {
  const picture = page.evaluate(
    () =>
      new Promise((resolve) => {
        let droppedAt
        addEventListener('drop', () => (droppedAt = performance.now()), { capture: true, once: true })
        const observer = new MutationObserver(() => {
          if (droppedAt === undefined || !document.querySelector('[data-testid=timeline-canvas][data-drawn=yes]')) return
          observer.disconnect()
          resolve(performance.now() - droppedAt)
        })
        observer.observe(document.body, { subtree: true, childList: true, attributes: true })
      }),
  )
  const protocol = await page.context().newCDPSession(page)
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop']) await protocol.send('Input.dispatchDragEvent', { type, x: 640, y: 400, data })
  return await picture
}

/** Median milliseconds between frames while D is held, zoomed in once so that there is somewhere to go. */
async function panFrames(page, { canvas, show }) {
  await show(page)
  await page.getByTestId(canvas).focus()
  await page.keyboard.press('0')
  for (let i = 0; i < 4; i++) await page.keyboard.press('w')
  const frames = page.evaluate(
    (forMs) =>
      new Promise((resolve) => {
        const times = []
        const end = performance.now() + forMs
        const tick = (now) => {
          times.push(now)
          if (now < end) requestAnimationFrame(tick)
          else resolve(times.slice(1).map((time, at) => time - times[at]))
        }
        requestAnimationFrame(tick)
      }),
    panMs,
  )
  await page.keyboard.down('d')
  const gaps = (await frames).sort((a, b) => a - b)
  await page.keyboard.up('d')
  return gaps[Math.floor(gaps.length / 2)]
}

async function main() {
  const own = mkdtempSync(join(tmpdir(), 'tidemark-bench-'))
  const electron = await resolveElectron()
  const env = { ...electronEnvironment(electron), TIDEMARK_CACHE: join(own, 'cache') }
  const app = await _electron.launch({
    executablePath: electron.binary,
    cwd: root,
    args: [...sandboxSwitch, '--ignore-gpu-blocklist', `--user-data-dir=${join(own, 'user')}`, '.'],
    env,
  })
  const page = await app.firstWindow()
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1280, 800))
  await page.evaluate(() => window.__tidemarkIdle?.())
  const openMs = await dropToPicture(page, file)
  const frameMs = {}
  for (const view of pan === 'pan' ? views : []) frameMs[view.name] = await panFrames(page, view)
  await page.keyboard.press('Control+w')
  await page.evaluate(() => window.__tidemarkIdle?.())
  const reopenMs = await dropToPicture(page, file)
  await app.close()
  rmSync(own, { recursive: true, force: true })
  process.stdout.write(`${JSON.stringify({ openMs, reopenMs, frameMs })}\n`)
}

await main()
