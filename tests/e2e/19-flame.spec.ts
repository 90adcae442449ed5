// The flame graph: which functions hold the memory, by key and mouse, compared with SQL on the same capture.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { PNG } from 'pngjs'
import { variants } from '../fixtures/variants.ts'
import { corpusFile } from '../support/corpus.ts'
import { numberOf, query } from './cli.ts'
import { ftLora, root, samplePath } from './files.ts'
import { dropFiles, waitUntilIdle } from './launch.ts'
import { inkOf, pixelsOf } from './pixels.ts'
import { closeAllTabs, countText, factOf, messageOf, openByDrop, press, runByPalette, statusOf, textOf } from './steps.ts'
import { sharedApp, sharedScratch } from './with-app.ts'

const file = samplePath('ft_lora')
const app = sharedApp()
const scratch = sharedScratch()
const nbsp = '\u00a0'

test.beforeEach(async () => {
  const { page } = app()
  await page.mouse.move(2, 2)
  await closeAllTabs(page)
})

const flameOf = (page: Page) => page.getByTestId('flame-canvas')
const trailOf = (page: Page) => page.getByRole('navigation', { name: 'Where the flame graph is zoomed to' })
const drawerOf = (page: Page) => page.locator('[data-region=details]')
const tableOf = (page: Page) => page.getByTestId('flame-table')
const rowsOf = (page: Page) => tableOf(page).locator('tbody tr[aria-rowindex]')
const sql = (text: string): number => numberOf(app().cacheFolder, file, text)
const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)}${nbsp}MiB`

async function open(): Promise<void> {
  const { page } = app()
  await openByDrop(page, file, 'ft_lora.pickle')
  await press(page, '5')
  await expect(flameOf(page)).toHaveAttribute('data-drawn', 'yes')
  await waitUntilIdle(page)
}

/** The middle of a row of the picture, at a share of its width. */
async function pointAt(row: number, share: number): Promise<{ readonly x: number; readonly y: number }> {
  const box = await flameOf(app().page).boundingBox()
  if (!box) throw new Error('there is no flame graph')
  return { x: box.x + 12 + share * (box.width - 24), y: box.y + 4 + row * 20 + 10 }
}

test('the peak stands under its function: a click tells it, Enter and double click zoom, Backspace and the trail go back', async () => {
  const { page } = app()
  await open()
  expect(inkOf(await pixelsOf(flameOf(page))).colours).toBeGreaterThan(20)
  await expect(statusOf(page)).toContainText('Bytes alive 1.15')
  const peak = `flame(0, ${ftLora.peakEvent}) JOIN frame USING (frame_id)`
  const main = sql(`SELECT total_bytes FROM ${peak} WHERE name = 'main'`)
  const { x, y } = await pointAt(2, 0.1)
  await page.mouse.move(x, y)
  await expect(page.locator('.read-out:visible')).toContainText('main')
  await page.mouse.click(x, y)
  await expect(drawerOf(page)).toContainText('cases.py:949')
  await expect(factOf(page, 'Bytes alive')).toHaveText(mebibytes(main))
  await expect(factOf(page, 'Share of what is shown')).toHaveText(`${((main / ftLora.peakBytes) * 100).toFixed(1)}${nbsp}%`)
  await press(page, 'ArrowDown', 'ArrowDown', 'Enter')
  await expect(trailOf(page).locator('.t1')).toHaveText('ft_lora')
  await expect(statusOf(page)).toContainText(`Bytes alive ${mebibytes(main)}`)
  const inside = await pointAt(1, 0.3)
  await page.mouse.dblclick(inside.x, inside.y)
  await expect(trailOf(page).locator('.t1')).toHaveText('train')
  await press(page, 'Backspace')
  await expect(trailOf(page).locator('.t1')).toHaveText('ft_lora')
  await page.mouse.dblclick(inside.x, inside.y)
  await trailOf(page).getByRole('button', { name: 'All' }).click()
  await expect(statusOf(page)).toContainText('Bytes alive 1.15')
  await press(page, 'Escape')
  await expect(drawerOf(page)).toBeHidden()
})

test('the history brings back where it was zoomed to', async () => {
  const { page } = app()
  await open()
  await page.waitForTimeout(500) // a view counts once it has rested
  await flameOf(page).focus()
  await press(page, 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter')
  await expect(trailOf(page).locator('.t1')).toHaveText('main')
  await page.waitForTimeout(500)
  await press(page, '1', 'Alt+ArrowLeft')
  await expect(trailOf(page).locator('.t1')).toHaveText('main')
  await press(page, 'Alt+ArrowLeft')
  await expect(trailOf(page).locator('.t1')).toHaveText('All')
})

test('what has no stack says so, and the weights of all functions are those that SQL gives', async () => {
  const { page } = app()
  await open()
  await press(page, 't')
  const peak = `flame(0, ${ftLora.peakEvent})`
  const none = sql(`SELECT total_bytes FROM ${peak} WHERE frame_id IS NULL AND parent_id IS NOT NULL`)
  await expect(rowsOf(page).filter({ hasText: 'no Python stack' }).locator('td').nth(2)).toHaveText(mebibytes(none))
  await tableOf(page).getByRole('button', { name: 'Self' }).click()
  await expect(rowsOf(page).first()).toContainText('no Python stack')
  const self = sql(
    `SELECT sum(self_bytes) FROM ${peak} JOIN frame USING (frame_id) WHERE name = 'cross_entropy' AND filename LIKE '%functional.py'`,
  )
  const largest = rowsOf(page).nth(1)
  await expect(largest.locator('th')).toHaveText('cross_entropy')
  await expect(largest.locator('td').nth(1)).toHaveText(mebibytes(self))
  await largest.getByRole('button').click()
  await expect(drawerOf(page)).toContainText('torch/nn/functional.py:3504')
})

test('I turns the tree round: the functions that allocate come first, and what calls them lies below', async () => {
  const { page } = app()
  await open()
  await press(page, 'i')
  await expect(page.getByRole('combobox', { name: 'Direction' })).toHaveValue('callers')
  const { x, y } = await pointAt(1, 0.5)
  await page.mouse.click(x, y)
  await expect(drawerOf(page)).toContainText('cross_entropy')
  await press(page, 'ArrowDown')
  await expect(drawerOf(page)).toContainText('fixed_cross_entropy')
  await press(page, 'i')
  await expect(drawerOf(page)).toBeHidden() // nodes have other numbers now
})

test('all choices stand in one row of a small window, below trail and search, in either language', async () => {
  const { page, electron } = app()
  const resize = (width: number, height: number) =>
    electron.evaluate(({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(...size), [width, height] as const)
  const tops = (row: string) =>
    page.locator(`${row} > :not(.trail)`).evaluateAll((parts) => new Set(parts.map((part) => part.getBoundingClientRect().top)).size)
  await open()
  await resize(1024, 640)
  await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(1024)
  try {
    for (const language of ['简体中文', 'English']) {
      await runByPalette(page, language)
      await expect.poll(() => tops('.flame-options')).toBe(1)
      expect(await page.locator('.view.flame').evaluate((view) => view.scrollWidth - view.clientWidth)).toBe(0)
    }
  } finally {
    await resize(1440, 900)
  }
})

test('a flame rises from its root and the arrows follow it; in time, functions stand by their earliest allocation', async () => {
  const { page } = app()
  await open()
  await press(page, 'u')
  await expect(page.getByRole('combobox', { name: 'Shape' })).toHaveValue('flame')
  const height = (await flameOf(page).boundingBox())?.height ?? 0
  const rows = Math.floor((height - 12) / 20) // that have room, of 28: the root is in the last one
  const scrolledPx = Math.max(0, 28 * 20 + 12 - height)
  const main = { ...(await pointAt(Math.max(rows, 28) - 3, 0.1)) }
  await page.mouse.move(main.x, main.y - scrolledPx)
  await expect(page.locator('.read-out:visible')).toContainText('Share of the frame below')
  await page.mouse.click(main.x, main.y - scrolledPx)
  const stack = drawerOf(page).locator('.details-stack')
  await expect(stack).toHaveText('main')
  await press(page, 'ArrowUp', 'ArrowUp')
  await expect(stack).toHaveText('ft_lora')
  await press(page, 'ArrowUp')
  await expect(stack).toHaveText('train') // the larger of both
  await press(page, 'ArrowDown', 'g')
  await expect(page.getByRole('combobox', { name: 'Order' })).toHaveValue('time')
  await waitUntilIdle(page)
  await expect(stack, 'nodes keep their numbers').toHaveText('ft_lora')
  await press(page, 'ArrowUp')
  await expect(stack).toHaveText('llama') // its weights were there before the training

  const path = join(scratch.path, 'rising.svg')
  await saveTo(path)
  await page.keyboard.press('Control+E')
  const dialog = page.getByRole('dialog', { name: 'Export image' })
  await dialog.getByLabel('Format').selectOption('svg')
  await dialog.getByRole('button', { name: 'Save…' }).click()
  await expect(dialog).toBeHidden({ timeout: 60_000 })
  const svg = readFileSync(path, 'utf8')
  const placeOf = (name: string, axis: 'x' | 'y') =>
    Number(new RegExp(`<text[^>]* ${axis}="([\\d.]+)"[^>]*>(?:<tspan[^>]*>)?${name}<`).exec(svg)?.[1])
  expect(placeOf('All stacks', 'y')).toBeGreaterThan(placeOf('train', 'y'))
  expect(placeOf('llama', 'x')).toBeLessThan(placeOf('train', 'x'))
  expect(svg).toContain('siblings by earliest allocation')
  await runByPalette(page, 'Flip: Icicle or Flame')
  await runByPalette(page, 'Order By…')
  await expect(page.getByRole('combobox', { name: 'Shape' })).toHaveValue('icicle')
  await expect(page.getByRole('combobox', { name: 'Order' })).toHaveValue('size')
})

test('library frames are hidden and counted, and filters of functions are chips that can be removed', async () => {
  const { page } = app()
  await open()
  await page.getByRole('button', { name: 'Hide library frames' }).click()
  const hidden = sql("SELECT count(*) FROM frame WHERE filename LIKE '%site-packages/torch/%' OR filename LIKE '%importlib%'")
  await expect(page.getByTestId('flame-hidden')).toHaveText(`${countText(hidden)} frames hidden`)
  await page.getByRole('textbox', { name: 'Texts of the frames to hide' }).fill('site-packages/')
  await waitUntilIdle(page)
  const { x, y } = await pointAt(5, 0.1)
  await page.mouse.click(x, y)
  // The innermost frame that is left; it is of two lines, so that none is told.
  await expect(drawerOf(page)).toContainText(/train.*finetune\/cases\.py(?!:)/)
  await drawerOf(page).getByRole('button', { name: 'Without it' }).click()
  await expect(page.getByRole('button', { name: 'Remove the filter “without train”' })).toBeVisible()
  const train = sql(`SELECT total_bytes FROM flame(0, ${ftLora.peakEvent}) JOIN frame USING (frame_id) WHERE name = 'train'`)
  await expect(statusOf(page)).toContainText(`Bytes alive ${mebibytes(ftLora.peakBytes - train)}`)
  await page.getByRole('button', { name: 'Remove the filter “without train”' }).click()
  await expect(statusOf(page)).toContainText('Bytes alive 1.15')
})

test('a function stands between its callers above and what it calls below, and the arrows walk through both', async () => {
  const { page } = app()
  await open()
  const { x, y } = await pointAt(4, 0.1)
  await page.mouse.click(x, y)
  await drawerOf(page).getByRole('button', { name: 'Callers and callees' }).click()
  await expect(trailOf(page).locator('.t1')).toHaveText('callers and callees of ft_lora')
  const own = sql(`SELECT sum(total_bytes) FROM flame(0, ${ftLora.peakEvent}) JOIN frame USING (frame_id) WHERE name = 'ft_lora'`)
  await expect(statusOf(page)).toContainText(`Bytes alive ${mebibytes(own)}`)
  await flameOf(page).focus()
  await press(page, 'ArrowDown')
  await expect(drawerOf(page).locator('.details-stack')).toHaveText('ft_lora')
  await press(page, 'ArrowUp', 'ArrowUp')
  await expect(drawerOf(page).locator('.details-stack')).toHaveText('main')
  await press(page, 'ArrowDown', 'ArrowDown', 'ArrowDown')
  await expect(drawerOf(page).locator('.details-stack')).toHaveText('train')
  await press(page, 'Enter')
  await expect(trailOf(page).locator('.t1')).toHaveText('callers and callees of train')
  await press(page, 'Backspace')
  await expect(trailOf(page).locator('.t1')).toHaveText('All')
})

test('the search outlines functions, says their share once, and goes from one to the next', async () => {
  const { page } = app()
  await open()
  await press(page, '/')
  await page.keyboard.type('entropy')
  const bytes = sql(`SELECT total_bytes FROM flame(0, ${ftLora.peakEvent}) JOIN frame USING (frame_id) WHERE name = 'fixed_cross_entropy'`)
  await expect(page.getByTestId('flame-found')).toHaveText(`${((bytes / ftLora.peakBytes) * 100).toFixed(1)}${nbsp}% in 2 nodes`)
  await press(page, 'Enter')
  await expect(drawerOf(page)).toContainText('fixed_cross_entropy')
  await press(page, 'F3')
  await expect(drawerOf(page).locator('.details-stack')).toHaveText('cross_entropy')
  await press(page, 'Escape')
  await expect(page.getByTestId('flame-found')).toBeHidden()
})

test('the weight can be the growth over the selected range, with its sign', async () => {
  const { page } = app()
  await openByDrop(page, file, 'ft_lora.pickle')
  await press(page, 'k', 'Shift+ArrowRight', 'Shift+ArrowRight', '5')
  await page.getByLabel('Weight').selectOption('allocated')
  await expect(page.getByTestId('flame-title')).toContainText(/Bytes allocated · Selected events [\d,]+ – [\d,]+/)
  const [, first = '', last = ''] = /events ([\d,]+) – ([\d,]+)/.exec(await textOf(page.getByTestId('flame-title'))) ?? []
  const [from, to] = [Number(first.replaceAll(',', '')), Number(last.replaceAll(',', ''))]
  const made = sql(`SELECT count(*) FROM allocation WHERE device = 0 AND alloc_event BETWEEN ${from} AND ${to}`)
  await page.getByRole('button', { name: 'Count' }).click()
  await expect(statusOf(page)).toContainText(`Allocations made ${countText(made)}`)
  await page.getByLabel('Weight').selectOption('growth')
  const alive = (event: number) =>
    sql(
      `SELECT count(*) FROM allocation WHERE device = 0 AND coalesce(alloc_event, -1) <= ${event} AND coalesce(free_requested_event, 1e9) > ${event}`,
    )
  const grown = alive(to) - alive(from - 1)
  const sign = grown > 0 ? '+' : grown < 0 ? '−' : ''
  await expect(statusOf(page)).toContainText(`Net growth in allocations ${sign}${countText(Math.abs(grown))}`)
})

test('“show in” narrows all views to the allocations of a function', async () => {
  const { page } = app()
  await open()
  const { x, y } = await pointAt(5, 0.1)
  await page.mouse.click(x, y)
  await expect(drawerOf(page)).toContainText(/train.*finetune\/cases\.py(?!:)/)
  await drawerOf(page).getByRole('button', { name: 'Lifetimes' }).click()
  await expect(page.getByTestId('lifetimes-canvas')).toHaveAttribute('data-drawn', 'yes')
  const passing = sql(`SELECT count(*) FROM allocation WHERE device = 0 AND stack_id IN (
    SELECT stack_id FROM stack_frame JOIN frame USING (frame_id) WHERE name = 'train')`)
  const filter = page.getByRole('region', { name: 'Filter' })
  await expect(filter).toContainText(`${countText(passing)} of`)
  await filter.getByRole('button', { name: 'In train' }).click()
  await expect(filter.getByRole('status')).toBeHidden()
})

test('the stack of the selected function is copied with Ctrl C', async () => {
  const { page } = app()
  await open()
  const { x, y } = await pointAt(4, 0.1)
  await page.mouse.click(x, y)
  await press(page, 'Control+C')
  await expect(messageOf(page, 'Stack copied')).toBeVisible()
  const text = await app().electron.evaluate(({ clipboard }) => clipboard.readText())
  expect(text.split('\n').slice(0, 3)).toEqual([
    expect.stringMatching(/^ft_lora · \d+\u00a0MiB$/),
    expect.stringMatching(/^ {2}ft_lora .+cases\.py$/), // it asked for memory on several lines
    expect.stringMatching(/^ {2}run_one .+cases\.py:923$/),
  ])
  await page.evaluate(() => document.getSelection()?.selectAllChildren(document.querySelector('.flame-file') ?? document.body))
  await press(page, 'Control+C')
  expect(await app().electron.evaluate(({ clipboard }) => clipboard.readText()), 'selected text comes first').toMatch(/^\/.+cases\.py$/)
})

/** Answers the next save dialogs with this path. */
async function saveTo(path: string): Promise<void> {
  await app().electron.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath })
  }, path)
}

test('picture and table are exported: a PNG that is not blank, an SVG with real text, a CSV that adds up', async () => {
  const { page } = app()
  await open()
  for (const format of ['png', 'svg'] as const) {
    const path = join(scratch.path, `flame.${format}`)
    await saveTo(path)
    await page.keyboard.press('Control+E')
    const dialog = page.getByRole('dialog', { name: 'Export image' })
    await dialog.getByLabel('Format').selectOption(format)
    await dialog.getByRole('button', { name: 'Save…' }).click()
    await expect(dialog).toBeHidden({ timeout: 60_000 })
    await expect(messageOf(page, `Saved ${basename(path)}`)).toBeVisible()
  }
  const png = PNG.sync.read(readFileSync(join(scratch.path, 'flame.png')))
  expect(inkOf(png, { x: 20, y: 80, width: png.width - 40, height: 400 }).colours).toBeGreaterThan(20)
  const svg = readFileSync(join(scratch.path, 'flame.svg'), 'utf8')
  for (const word of ['Flame graph', 'Bytes alive', 'fixed_cross_entropy', 'no Python stack', 'After event 2,480', 'transformers'])
    expect(svg).toContain(word)
  const csv = join(scratch.path, 'functions.csv')
  await saveTo(csv)
  await press(page, 't')
  await tableOf(page).getByRole('button', { name: 'Functions as CSV…' }).click()
  await expect(messageOf(page, 'Saved functions.csv')).toBeVisible()
  const [head = '', ...lines] = readFileSync(csv, 'utf8').trim().split('\n')
  const column = head.split(',').indexOf('self')
  expect(lines.reduce((sum, line) => sum + Number(line.split(',')[column]), 0)).toBe(ftLora.peakBytes)
})

test('a device without history shows what was held when the snapshot was written', async () => {
  const { page } = app()
  const variant = variants.find(({ name }) => name === 'history_never_enabled')
  if (!variant) throw new Error('the fixture is gone')
  await dropFiles(page, [scratch.write('none.pickle', variant.bytes())])
  await page.getByRole('button', { name: 'Show in Flame' }).click()
  await expect(flameOf(page)).toHaveAttribute('data-drawn', 'yes')
  await expect(page.getByTestId('flame-title')).toHaveText('Bytes alive · When the snapshot was written')
  await expect(page.getByLabel('Weight').locator('option')).toHaveText(['Alive at the cursor'])
})

const selectionYellow = 0xf0e442

/** How many pixels have the colour of the selection. */
function selectedPixels(png: PNG): number {
  let found = 0
  for (let at = 0; at < png.data.length; at += 4) if (png.data.readUInt32BE(at) >>> 8 === selectionYellow) found++
  return found
}

test('the frames of the allocation that is selected in another view are marked', async () => {
  const { page } = app()
  await open()
  await page.getByLabel('Weight').selectOption('peak')
  await waitUntilIdle(page)
  expect(selectedPixels(await pixelsOf(flameOf(page)))).toBe(0)
  const [life] = query(
    app().cacheFolder,
    file,
    `SELECT address, version FROM live_allocation(0, ${ftLora.peakEvent}) JOIN stack_frame USING (stack_id) JOIN frame USING (frame_id)
      WHERE name = 'cross_entropy' LIMIT 1`,
  )
  await press(page, '1', 'Control+G')
  await page.getByRole('combobox', { name: 'Command palette' }).fill(`${life?.address}_${life?.version}`)
  await press(page, 'Enter')
  await expect(drawerOf(page)).toContainText('Selected allocation')
  await press(page, '5')
  await expect(flameOf(page)).toHaveAttribute('data-drawn', 'yes')
  await expect.poll(async () => selectedPixels(await pixelsOf(flameOf(page)))).toBeGreaterThan(1000)
})

const annotated = corpusFile('healthy/annotated/snapshot.pickle')
test('what has no stack is told by the annotation within which it was made', async () => {
  test.skip(annotated === null, 'the corpus is not here')
  const { page } = app()
  await openByDrop(page, annotated ?? '', 'snapshot.pickle')
  await press(page, '5', 't')
  await rowsOf(page).filter({ hasText: 'Autograd detail · backward' }).getByRole('button').click()
  await expect(drawerOf(page).getByTestId('flame-within')).toHaveText(/^Made within “## backward ##” \(100.*%\), by the annotations/)
})

test('a trace has a flame graph of its own, and the view has no fault that a checker finds', async () => {
  const { page } = app()
  await dropFiles(page, [join(root, 'resources', 'samples', 'trace_lora.json.gz')])
  await expect(page.getByTestId('trace-canvas')).toHaveAttribute('data-drawn', 'yes', { timeout: 60_000 })
  await press(page, '5')
  await expect(flameOf(page)).toHaveAttribute('data-drawn', 'yes')
  await press(page, 't')
  await expect(rowsOf(page).filter({ hasText: 'held before the profile began' })).toBeVisible()
  await flameOf(page).focus()
  await press(page, 'ArrowDown', 'ArrowDown')
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual([])
})
