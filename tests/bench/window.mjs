// What a user waits for in the window: from the drop of a file to its picture, and a frame while panning and zooming. Runs inside a virtual
// screen; prints one JSON line. `node tests/bench/window.mjs FILE [VIEW,VIEW…]`: the views whose frames are measured.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron } from '@playwright/test'
import { electronEnvironment, resolveElectron } from '../../scripts/electron.mjs'
import { isSuperuser, root } from '../../scripts/lib/process.mjs'

const [file, measured = ''] = process.argv.slice(2)
const panMs = 2500
const zoomMs = 1000

/** The key that shows a view; its canvas has the test id name-canvas. */
const viewKeys = { timeline: '1', lifetimes: '2', blocks: '3' }
const sandboxSwitch = isSuperuser() ? ['--no-sandbox'] : []

/** Milliseconds from the drop of `path` on the page to the first drawn picture, of whichever view comes back with the session. */
async function dropToPicture(page, path) {
  const picture = page.evaluate(
    () =>
      new Promise((resolve) => {
        let droppedAt
        addEventListener('drop', () => (droppedAt = performance.now()), { capture: true, once: true })
        const observer = new MutationObserver(() => {
          if (droppedAt === undefined || !document.querySelector('[data-testid$=-canvas][data-drawn=yes]')) return
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

/** Milliseconds between frames while a key is held. */
async function framesWhile(page, key, forMs) {
  const gaps = page.evaluate(
    (ms) =>
      new Promise((resolve) => {
        const times = []
        const end = performance.now() + ms
        const tick = (now) => {
          times.push(now)
          if (now < end) requestAnimationFrame(tick)
          else resolve(times.slice(1).map((time, at) => time - times[at]))
        }
        requestAnimationFrame(tick)
      }),
    forMs,
  )
  await page.keyboard.down(key)
  const found = await gaps
  await page.keyboard.up(key)
  return found
}

/** Median and 95th percentile of a frame while D is held, zoomed in so that there is somewhere to go, and while W zooms in from all. */
async function frames(page, view) {
  await page.keyboard.press(viewKeys[view])
  const canvas = page.getByTestId(`${view}-canvas`)
  await page.waitForSelector(`[data-testid=${view}-canvas][data-drawn=yes]`)
  await canvas.focus()
  await page.keyboard.press('0')
  for (let i = 0; i < 4; i++) await page.keyboard.press('w')
  await page.evaluate(() => window.__tidemarkIdle?.())
  const panned = await framesWhile(page, 'd', panMs)
  await page.keyboard.press('0')
  const zoomed = await framesWhile(page, 'w', zoomMs)
  await page.keyboard.press('0')
  const gaps = [...panned, ...zoomed].sort((a, b) => a - b)
  return { median: gaps[Math.floor(gaps.length / 2)], p95: gaps[Math.floor(gaps.length * 0.95)] }
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
  await page.waitForFunction(() => window.__tidemarkIdle !== undefined) // a drop on a page that is not there yet is lost
  await page.evaluate(() => window.__tidemarkIdle())
  const openMs = await dropToPicture(page, file)
  const frameMs = {}
  for (const view of measured.split(',').filter(Boolean)) frameMs[view] = await frames(page, view)
  await page.keyboard.press('Control+w')
  await page.evaluate(() => window.__tidemarkIdle?.())
  const reopenMs = await dropToPicture(page, file)
  await app.close()
  rmSync(own, { recursive: true, force: true })
  process.stdout.write(`${JSON.stringify({ openMs, reopenMs, frameMs })}\n`)
}

await main()
