// The trace: tracks, selection by click and key, flows, search, areas, tables and exports, compared with SQL on the same capture.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { PNG } from 'pngjs'
import { homeRange, pxToX } from '../../renderer/plot/scales.ts'
import { layoutTrace } from '../../renderer/views/trace/layout.ts'
import { numberOf, query } from './cli.ts'
import { root } from './files.ts'
import { dropFiles, waitUntilIdle } from './launch.ts'
import { inkOf } from './pixels.ts'
import { closeAllTabs, countText, factOf, messageOf, numberIn, press, runByPalette, statusOf, tabNamed, textOf, trailOf } from './steps.ts'
import { sharedApp, sharedScratch } from './with-app.ts'

const file = join(root, 'resources', 'samples', 'trace_lora.json.gz')
const app = sharedApp()
const scratch = sharedScratch()

test.beforeEach(async () => {
  const { page } = app()
  await page.mouse.move(2, 2)
  await closeAllTabs(page)
  await dropFiles(page, [file])
  await expect(tabNamed(page, 'trace_lora.json.gz')).toHaveAttribute('aria-selected', 'true', { timeout: 60_000 })
  await expect(canvasOf(page)).toHaveAttribute('data-drawn', 'yes', { timeout: 60_000 })
  await waitUntilIdle(page)
})

const canvasOf = (page: Page): Locator => page.getByTestId('trace-canvas')
const nameOf = (page: Page): Locator => page.locator('[data-region=details] .trace-name')
const searchBox = (page: Page): Locator => page.getByRole('textbox', { name: 'Search slices by name' })
const foundOf = (page: Page): Locator => page.getByTestId('trace-found')
const sql = (text: string): number => numberOf(app().cacheFolder, file, text)
const summaryFact = (page: Page, label: string): Locator =>
  page.getByRole('region', { name: 'Trace', exact: true }).locator('.row').filter({ hasText: label }).locator('dd')

/** Nanoseconds in the tooltip of a fact. */
async function exactOf(page: Page, label: string): Promise<number> {
  return numberIn((await factOf(page, label).getAttribute('title')) ?? '')
}

async function searchFor(page: Page, text: string): Promise<void> {
  await searchBox(page).fill(text)
  await expect(foundOf(page)).toBeVisible()
  await waitUntilIdle(page)
}

/** A point of the canvas by shares of its width and height. */
async function pointAt(page: Page, x: number, y: number): Promise<{ readonly x: number; readonly y: number }> {
  const box = await canvasOf(page).boundingBox()
  if (!box) throw new Error('there is no canvas')
  return { x: box.x + x * box.width, y: box.y + y * box.height }
}

/** The time under a point while everything is in sight. */
async function timeUnder(page: Page, x: number): Promise<{ readonly ns: number; readonly perPx: number }> {
  const box = await canvasOf(page).boundingBox()
  if (!box) throw new Error('there is no canvas')
  const { plot } = layoutTrace(box.width, box.height)
  const visible = homeRange({ x0: 0, x1: sql('SELECT duration_ns FROM capture') }, false)
  const at = (px: number) => pxToX({ visible, plot }, px - box.x)
  return { ns: at(x), perPx: at(x + 1) - at(x) }
}

test('a trace opens in its own view, its tracks and slices counted', async () => {
  const { page } = app()
  await expect(page.locator('[data-region=views] [aria-current=page]')).toContainText('Trace')
  await expect(summaryFact(page, 'Slices')).toHaveText(countText(sql('SELECT count(*) FROM slice')))
  await expect(summaryFact(page, 'Tracks')).toHaveText(countText(sql('SELECT count(*) FROM track')))
  const [longest] = query(
    app().cacheFolder,
    file,
    'SELECT name, sum(dur_ns) AS total FROM slice GROUP BY name ORDER BY total DESC, name LIMIT 1',
  )
  const first = page.getByTestId('trace-legend').getByRole('button').first()
  expect((await first.getAttribute('title'))?.startsWith(String(longest?.name))).toBe(true)
})

test('every view of a trace tells the same duration, and only views that have something to show are led to', async () => {
  const { page } = app()
  const duration = async () => /Duration\s*([\d.]+\s*[mµn]?s)/.exec(await textOf(statusOf(page)))?.[1]
  const ofTrace = await duration()
  expect(ofTrace).toMatch(/^110/)
  await expect(page.getByText('Equals the recorded totals')).toBeVisible()
  await press(page, '1', 'k', 'ArrowDown')
  expect(await duration()).toBe(ofTrace)
  const showIn = page.locator('[data-region=details]').getByRole('region', { name: 'Show in' })
  await expect(showIn.getByRole('button')).toHaveText(['Lifetimes', 'Flame', 'Trace', 'Allocations'])
  await press(page, '2')
  expect(await duration()).toBe(ofTrace)
})

test('beside a selected range the choices of Lifetimes leave the trail whole', async () => {
  const { page, electron } = app()
  const resize = (width: number, height: number) =>
    electron.evaluate(({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height), {
      width,
      height,
    })
  await resize(1600, 1000)
  await press(page, 'n', '2')
  await expect(trailOf(page)).toContainText('Selected')
  expect(await trailOf(page).evaluate((trail) => [trail, ...trail.children].every((part) => part.scrollWidth <= part.clientWidth))).toBe(
    true,
  )
  await resize(1280, 800)
})

test('a click selects the slice under it, arrows its neighbours', async () => {
  const { page } = app()
  const point = await pointAt(page, 0.22, 0.55)
  const { ns, perPx } = await timeUnder(page, point.x)
  await page.mouse.click(point.x, point.y)
  await expect(nameOf(page)).toBeVisible()
  await waitUntilIdle(page)
  const [start, end] = [await exactOf(page, 'Start'), await exactOf(page, 'End')]
  expect(start).toBeLessThanOrEqual(ns + 3 * perPx)
  expect(end).toBeGreaterThanOrEqual(ns - 3 * perPx)
  await press(page, 'ArrowUp')
  const around = { start: await exactOf(page, 'Start'), end: await exactOf(page, 'End') }
  expect(around.start).toBeLessThanOrEqual(start)
  expect(around.end).toBeGreaterThanOrEqual(end)
  expect(around).not.toEqual({ start, end })
  await press(page, 'ArrowDown')
  expect(await exactOf(page, 'Start')).toBeGreaterThanOrEqual(around.start)
  expect(await exactOf(page, 'End')).toBeLessThanOrEqual(around.end)
  await press(page, 'Escape')
  await expect(nameOf(page)).toBeHidden()
})

test('a kernel leads to the call that launched it, and the flow leads back', async () => {
  const { page } = app()
  await searchFor(page, 'gemm')
  await searchBox(page).press('Enter')
  await waitUntilIdle(page)
  const kernel = await textOf(nameOf(page))
  await expect(factOf(page, 'Category')).toHaveText('kernel')
  await expect(factOf(page, 'Grid')).toHaveText(/^\d[\d,]* × \d[\d,]* × \d/)
  await page.getByTestId('trace-launch').getByRole('button').first().click()
  await expect(nameOf(page)).toHaveText(/^cu(da)?Launch/)
  await waitUntilIdle(page)
  await canvasOf(page).focus()
  await press(page, ']')
  await expect(nameOf(page)).toHaveText(kernel)
})

test('the search counts all slices whose name holds the text and goes through them', async () => {
  const { page } = app()
  const count = countText(sql("SELECT count(*) FROM slice WHERE name LIKE '%gemm%'"))
  await canvasOf(page).focus()
  await press(page, 'Control+F')
  await expect(searchBox(page)).toBeFocused()
  await searchFor(page, 'gemm')
  await expect(foundOf(page)).toHaveText(`${count} slices`)
  await searchBox(page).press('Enter')
  await expect(foundOf(page)).toHaveText(`1 of ${count}`)
  const first = await exactOf(page, 'Start')
  await press(page, 'F3', 'F3')
  await expect(foundOf(page)).toHaveText(`3 of ${count}`)
  expect(await exactOf(page, 'Start')).toBeGreaterThan(first)
  await searchBox(page).press('Shift+Enter')
  await expect(foundOf(page)).toHaveText(`2 of ${count}`)
  await searchFor(page, 'no such name')
  await expect(foundOf(page)).toHaveText('No name contains this')
  await press(page, 'Escape')
  await expect(searchBox(page)).toHaveValue('')
})

test('a range has the sums of all its slices and of memory', async () => {
  const { page } = app()
  await canvasOf(page).focus()
  await press(page, 'm')
  const area = page.getByTestId('trace-area')
  await expect(factOf(page, 'Slices')).toHaveText(countText(sql('SELECT count(*) FROM slice')))
  // Of what lies inside the range: the profiler's own span begins before everything else.
  const inside = 'SELECT sum(min(start_ns + dur_ns, (SELECT duration_ns FROM capture)) - max(start_ns, 0)) FROM slice'
  expect(await exactOf(page, 'Total time')).toBe(sql(inside))
  const memory = page.getByTestId('trace-memory-0').locator('.row').filter({ hasText: 'Peak' }).locator('dd')
  expect(numberIn((await memory.getAttribute('title')) ?? '')).toBe(sql('SELECT peak_allocated_bytes FROM device WHERE device = 0'))
  await expect(page.getByTestId('trace-area-memory')).not.toContainText('not of the selected tracks alone')
  await area.getByRole('button', { name: 'Category', exact: true }).click()
  await waitUntilIdle(page)
  const kernels = area
    .getByTestId('trace-groups')
    .locator('tbody tr')
    .filter({ hasText: /^kernel/ })
    .locator('td')
    .first()
  await expect(kernels).toContainText(countText(sql("SELECT count(*) FROM slice WHERE category = 'kernel'")))
})

test('dragging over tracks selects only these', async () => {
  const { page } = app()
  const [from, to] = [await pointAt(page, 0.4, 0.5), await pointAt(page, 0.6, 0.55)]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await page.mouse.up()
  await waitUntilIdle(page)
  expect(numberIn(await textOf(factOf(page, 'Tracks')))).toBeLessThan(sql('SELECT count(*) FROM track'))
  expect(numberIn(await textOf(factOf(page, 'Slices')))).toBeLessThan(sql('SELECT count(*) FROM slice'))
  await expect(page.getByTestId('trace-area-memory')).toContainText('not of the selected tracks alone')
})

test('folding leaves the first lane of each track', async () => {
  const { page } = app()
  const lanes = async () => numberIn(/Lanes\s+([\d,]+)/.exec(await textOf(statusOf(page)))?.[0] ?? '')
  const before = await lanes()
  await canvasOf(page).focus()
  await press(page, 'Shift+H')
  await expect.poll(lanes).toBeLessThan(before)
  expect(await lanes()).toBeLessThanOrEqual(sql('SELECT count(*) FROM track WHERE lane_count > 0'))
  await page.getByRole('button', { name: 'Unfold all' }).click()
  await expect.poll(lanes).toBe(before)
})

test('a legend entry makes the others step back, and Esc brings them back', async () => {
  const { page } = app()
  const entry = page.getByTestId('trace-legend').getByRole('button').first()
  await entry.click()
  await expect(entry).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByTestId('trace-legend').locator('li.dimmed').first()).toBeVisible()
  await canvasOf(page).focus()
  await press(page, 'Escape')
  await expect(entry).toHaveAttribute('aria-pressed', 'false')
})

test('the table lists every slice in sight, the longest first when asked to, and selects', async () => {
  const { page } = app()
  await canvasOf(page).focus()
  await press(page, 't')
  const table = page.getByTestId('trace-slice-table')
  await expect(table).toHaveAttribute('aria-rowcount', String(sql('SELECT count(*) FROM slice') + 1))
  await table.getByRole('button', { name: 'Duration' }).click()
  await waitUntilIdle(page)
  const first = table.locator('tbody tr[aria-rowindex="2"]')
  expect(numberIn((await first.locator('td').last().getAttribute('title')) ?? '')).toBe(sql('SELECT max(dur_ns) FROM slice'))
  const name = await textOf(first.getByRole('button'))
  await first.getByRole('button').click()
  await expect(nameOf(page)).toHaveText(name)
  await expect(first).toHaveClass(/selected/)
})

test('memory by op and steps stand in the table twin', async () => {
  const { page } = app()
  await canvasOf(page).focus()
  await press(page, 't')
  await page.getByRole('button', { name: 'Memory by op', exact: true }).click()
  await expect(page.getByTestId('trace-op-table').locator('tbody th').first()).toBeVisible()
  await page.getByRole('button', { name: 'Steps', exact: true }).click()
  const step = page
    .getByTestId('trace-step-table')
    .getByRole('button', { name: /^ProfilerStep#/ })
    .first()
  await step.click()
  await expect(page.getByTestId('trace-area')).toBeVisible()
})

test('memory by op says in words that nothing happened in the range', async () => {
  const { page } = app()
  const [quiet] = query(
    app().cacheFolder,
    file,
    `SELECT name FROM slice WHERE category = 'cuda_runtime' AND NOT EXISTS (SELECT 1 FROM memory_event
     WHERE device = 0 AND time_ns BETWEEN start_ns AND start_ns + dur_ns) ORDER BY dur_ns DESC LIMIT 1`,
  )
  await searchFor(page, String(quiet?.name))
  await canvasOf(page).focus()
  await press(page, 't')
  await page.getByTestId('trace-slice-table').getByRole('button', { name: 'Duration' }).click()
  await waitUntilIdle(page)
  await page.getByTestId('trace-slice-table').locator('tbody th button').first().click()
  await waitUntilIdle(page)
  await canvasOf(page).focus()
  await press(page, 'r')
  await page.getByRole('button', { name: 'Memory by op', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Trace as a table' })).toContainText('No memory events in this time')
})

test('where the file is gone, a slice says why it has no arguments and keeps the rest', async () => {
  const { page } = app()
  const path = scratch.copy(file, 'gone.json.gz')
  await dropFiles(page, [path])
  await expect(tabNamed(page, 'gone.json.gz')).toHaveAttribute('aria-selected', 'true', { timeout: 60_000 })
  await expect(canvasOf(page)).toHaveAttribute('data-drawn', 'yes')
  scratch.discard(path)
  await searchFor(page, 'gemm')
  await searchBox(page).press('Enter')
  await expect(page.getByTestId('trace-args').getByRole('status')).toContainText('Open it from where it is now')
  await expect(factOf(page, 'Category')).toHaveText('kernel')
  await expect(factOf(page, 'Grid')).toBeHidden()
})

/** Answers the next save dialogs with this path. */
async function saveTo(path: string): Promise<void> {
  await app().electron.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath })
  }, path)
}

async function exportImage(page: Page, format: 'png' | 'svg', path: string): Promise<void> {
  await saveTo(path)
  await page.keyboard.press('Control+E')
  const dialog = page.getByRole('dialog', { name: 'Export image' })
  await dialog.getByLabel('Format').selectOption(format)
  await dialog.getByLabel('Width').fill('1600')
  await dialog.getByLabel('Height').fill('1000')
  await dialog.getByRole('button', { name: 'Save…' }).click()
  await expect(dialog).toBeHidden({ timeout: 60_000 })
  await expect(messageOf(page, `Saved ${basename(path)}`)).toBeVisible()
}

test('pictures and tables go to files', async () => {
  const { page } = app()
  const [png, svg, csv] = ['trace.png', 'trace.svg', 'trace.csv'].map((name) => join(scratch.path, name)) as [string, string, string]
  await exportImage(page, 'png', png)
  const picture = PNG.sync.read(readFileSync(png))
  expect([picture.width, picture.height]).toEqual([1600, 1000])
  expect(inkOf(picture, { x: 300, y: 300, width: 800, height: 500 }).colours).toBeGreaterThan(20)
  await exportImage(page, 'svg', svg)
  expect(readFileSync(svg, 'utf8')).toContain('trace_lora')
  await saveTo(csv)
  await runByPalette(page, 'Export as CSV…')
  await expect(messageOf(page, 'Saved trace.csv')).toBeVisible()
  const lines = readFileSync(csv, 'utf8').trimEnd().split('\n')
  expect(lines.length).toBe(sql('SELECT count(*) FROM slice') + 1)
})

/** Serious and critical problems of what is on screen, as "rule: element". */
async function problems(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`))
}

for (const theme of ['Dark', 'Light'] as const) {
  test(`the view has no accessibility problem in the ${theme.toLowerCase()} theme`, async () => {
    const { page } = app()
    await runByPalette(page, `${theme} Theme`)
    await searchFor(page, 'gemm')
    await searchBox(page).press('Enter')
    await waitUntilIdle(page)
    expect(await problems(page), 'a slice').toEqual([])
    await canvasOf(page).focus()
    await press(page, 'Escape', 'Escape', 'm', 't')
    await expect(page.getByTestId('trace-area')).toBeVisible()
    expect(await problems(page), 'an area and the table').toEqual([])
  })
}

const slice = (name: string, ts: number, pid = 1) => ({ ph: 'X', name, ts, dur: 9, pid, tid: 1 })
const legendOf = (page: Page): Locator => page.getByRole('region', { name: 'Names', exact: true })

async function openTrace(page: Page, name: string, traceEvents: readonly object[]): Promise<void> {
  await dropFiles(page, [scratch.write(name, JSON.stringify({ traceEvents }))])
  await expect(tabNamed(page, name)).toHaveAttribute('aria-selected', 'true', { timeout: 60_000 })
  await expect(canvasOf(page)).toHaveAttribute('data-drawn', 'yes', { timeout: 60_000 })
  await waitUntilIdle(page)
}

test('a slice without a name is called so, not a slice without a category', async () => {
  const { page } = app()
  await openTrace(page, 'nameless.json', [slice('', 0), slice('b', 10)])
  await expect(legendOf(page)).toContainText('no name')
  await expect(legendOf(page)).not.toContainText('no category')
})

test('tracks that have no row are counted', async () => {
  const { page } = app()
  const events = Array.from({ length: 20_003 }, (_, index) => slice('a', index, index))
  await openTrace(page, 'wide.json', events)
  const summary = page.getByRole('region', { name: 'Trace', exact: true })
  await expect(summary).toContainText('3 tracks and 0 counters have no row')
})

test('a trace of names alone says that there is nothing to draw', async () => {
  const { page } = app()
  await openTrace(page, 'names-only.json', [{ ph: 'M', name: 'process_name', pid: 1, tid: 0, args: { name: 'p' } }])
  await expect(page.getByRole('region', { name: 'Trace', exact: true })).toContainText('Nothing to draw')
})
