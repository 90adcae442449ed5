// Lifetimes by key, mouse and wheel; its numbers against SQL on the same index.
import { statSync } from 'node:fs'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { homeRange, xToPx } from '../../renderer/plot/scales.ts'
import { layoutLifetimes } from '../../renderer/views/lifetimes/layout.ts'
import { numberOf } from './cli.ts'
import { samplePath, scratchFolder } from './files.ts'
import { waitUntilIdle } from './launch.ts'
import { inkOf, pixelsOf } from './pixels.ts'
import {
  closeAllTabs,
  countText,
  factOf,
  messageOf,
  numberIn,
  openByDrop,
  press,
  runByPalette,
  statusOf,
  summaryRow,
  textOf,
  trailOf,
  visibleEvents,
} from './steps.ts'
import { sharedApp } from './with-app.ts'

const file = samplePath('ft_lora')
const app = sharedApp()
const canvas = (page: Page): Locator => page.getByTestId('lifetimes-canvas')
const level = (page: Page): Locator => page.getByTestId('lifetimes-level')
const rectangle = (page: Page): Locator => page.getByRole('region', { name: 'Selected rectangle' })
const listRows = (page: Page): Locator => rectangle(page).locator('tbody tr[aria-rowindex]')
const sql = (text: string): number => numberOf(app().cacheFolder, file, text)

/** A point of the canvas by shares of its width and height. */
async function at(page: Page, x: number, y: number): Promise<{ readonly x: number; readonly y: number }> {
  const box = await canvas(page).boundingBox()
  if (!box) throw new Error('there is no canvas')
  return { x: box.x + x * box.width, y: box.y + y * box.height }
}

async function drag(page: Page, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  const [start, end] = [await at(page, ...from), await at(page, ...to)]
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2)
  await page.mouse.move(end.x, end.y)
  await page.mouse.up()
  await waitUntilIdle(page)
}

/** The canvas without what follows the pointer. */
async function untouched(page: Page): Promise<Buffer> {
  await page.mouse.move(2, 2)
  await waitUntilIdle(page)
  return (await pixelsOf(canvas(page))).data
}

async function wheel(page: Page, x: number, y: number, delta: number, ...held: readonly string[]): Promise<void> {
  const place = await at(page, x, y)
  await page.mouse.move(place.x, place.y)
  for (const key of held) await page.keyboard.down(key)
  await page.mouse.wheel(0, delta)
  for (const key of held) await page.keyboard.up(key)
  await waitUntilIdle(page)
}

/** Allocations in sight: those drawn and those too small to be. */
async function shownAndFolded(page: Page): Promise<number> {
  const [, shown = '', folded = ''] = /Shown ([\d,]+).*folded ([\d,]+)/.exec(await textOf(statusOf(page))) ?? []
  return numberIn(shown) + numberIn(folded)
}

const readOut = (page: Page): Locator => page.locator('.view .read-out')

test.beforeEach(async () => {
  const { page } = app()
  await page.mouse.move(2, 2)
  await closeAllTabs(page)
  await openByDrop(page, file, 'ft_lora.pickle')
  await press(page, '2')
  await expect(canvas(page)).toHaveAttribute('data-drawn', 'yes')
  await waitUntilIdle(page)
})

test('2 shows the heat map of all allocations, and says so to those who do not see it', async () => {
  const { page } = app()
  const count = sql('SELECT count(*) FROM allocation WHERE device = 0')
  expect(await shownAndFolded(page)).toBe(count)
  await expect(canvas(page)).toHaveAttribute('aria-label', new RegExp(`${countText(count)} allocations in sight`))
  const { colours, background } = inkOf(await pixelsOf(canvas(page)))
  expect(colours).toBeGreaterThan(40)
  expect(background).toBeLessThan(0.8)
})

test('zoomed in, single lifetimes appear with their forms explained; 0 brings the heat map back', async () => {
  const { page } = app()
  await expect(level(page)).toHaveAttribute('data-level', 'heat')
  await expect(page.getByText('Reserved, nothing alive')).toBeVisible()
  for (let turns = 0; turns < 3; turns++) await wheel(page, 0.6, 0.7, -900, 'Control')
  await expect(level(page)).toHaveAttribute('data-level', 'single')
  await expect(page.getByText('Idle candidate', { exact: true })).toBeVisible()
  await expect(page.getByText('A snapshot does not record use', { exact: false })).toBeVisible()
  await press(page, '0')
  await expect(level(page)).toHaveAttribute('data-level', 'heat')
})

test('a rectangle lists what lies in it, in the numbers of the index', async () => {
  const { page } = app()
  const eventCount = numberIn(await textOf(summaryRow(page, 'Events')))
  // The lane of steps selects whole stretches of events, so the numbers can be asked of SQL.
  const box = await canvas(page).boundingBox()
  if (!box) throw new Error('there is no canvas')
  const { plot } = layoutLifetimes(box.width, box.height, 0, 'address_sqrt')
  const x = (event: number) => xToPx({ visible: homeRange({ x0: 0, x1: eventCount }, false), plot }, event)
  const [from, to] = [x(2000) / box.width, x(3000) / box.width]
  await drag(page, [from, 0.1], [to, 0.1]) // on the ruler: the whole height
  const [first, last] = (
    (await textOf(rectangle(page).locator('.row').filter({ hasText: 'Events' }).first().locator('dd'))).match(/[\d,]+/g) ?? []
  ).map(numberIn)
  const inside = `device = 0 AND coalesce(alloc_event, -1) <= ${last} AND coalesce(free_completed_event, 1e9) > ${first}`
  const count = numberIn(await textOf(rectangle(page).locator('.details-size')))
  const expected = sql(`SELECT count(*) FROM allocation WHERE ${inside}`)
  expect(Math.abs(count - expected), `${count} of ${expected}`).toBeLessThanOrEqual(2) // at the edges an event may count or not
  await expect(listRows(page).first()).toBeVisible()

  await rectangle(page).getByRole('button', { name: 'Size', exact: true }).click()
  await waitUntilIdle(page)
  const largest = sql(`SELECT max(size_bytes) FROM allocation WHERE ${inside}`)
  await expect(listRows(page).first().locator('td').nth(1).locator('span')).toHaveAttribute('title', `${countText(largest)}\u00a0B`)
})

test('a row of the list selects; the drawer then tells its life; Esc goes back step by step', async () => {
  const { page } = app()
  await drag(page, [0.5, 0.5], [0.7, 0.85])
  await listRows(page).nth(1).getByRole('button').click()
  await waitUntilIdle(page)
  const [, version = ''] = ((await listRows(page).nth(1).locator('button span').first().getAttribute('title')) ?? '').split('\n')
  await page.getByRole('button', { name: 'Allocation', exact: true }).click()
  await expect(factOf(page, 'Version')).toHaveText(version)
  await press(page, 'Escape')
  await expect(page.getByRole('button', { name: 'Selected rectangle' })).toBeHidden()
  await press(page, 'Escape')
  await expect(page.getByText('Click a lifetime to see', { exact: false })).toBeVisible()
})

test('a click selects the largest life there, "." goes to the next life of its address', async () => {
  const { page } = app()
  const { x, y } = await at(page, 0.48, 0.397)
  await page.mouse.click(x, y)
  await waitUntilIdle(page)
  await expect(factOf(page, 'Address')).toContainText('0x7f')
  const [address, before] = [await textOf(factOf(page, 'Address')), await textOf(factOf(page, 'Version'))]
  await expect(page.getByText('Uses of this address')).toBeVisible()
  await press(page, '.')
  await expect(factOf(page, 'Address')).toHaveText(address)
  expect(await textOf(factOf(page, 'Version'))).not.toBe(before)
})

test('Alt and the wheel zoom the rows, the plain wheel then scrolls them, and a drag on their names shows a stretch', async () => {
  const { page } = app()
  const before = await visibleEvents(page)
  const whole = await untouched(page)
  await wheel(page, 0.6, 0.8, -900, 'Alt')
  await expect.poll(async () => (await untouched(page)).equals(whole)).toBe(false)
  expect(await visibleEvents(page)).toEqual(before)
  const zoomed = await untouched(page)
  await wheel(page, 0.6, 0.8, -300)
  await expect.poll(async () => (await untouched(page)).equals(zoomed)).toBe(false)
  expect(await visibleEvents(page)).toEqual(before)
  await press(page, '0')
  await expect.poll(async () => (await untouched(page)).equals(whole)).toBe(true)
  await drag(page, [0.05, 0.5], [0.05, 0.8])
  await expect.poll(async () => (await untouched(page)).equals(whole)).toBe(false)
  expect(await visibleEvents(page)).toEqual(before)
})

test('rows and cells can be chosen by key and list; each draws another picture', async () => {
  const { page } = app()
  const seen = new Set<string>()
  for (const rows of ['stack', 'size', 'allocation', 'address']) {
    await page.getByLabel('Rows').selectOption(rows)
    await waitUntilIdle(page)
    seen.add((await pixelsOf(canvas(page))).data.toString('base64'))
  }
  await page.getByLabel('Cell').selectOption('age')
  await waitUntilIdle(page)
  await expect(page.getByRole('heading', { name: 'Age' })).toBeVisible()
  seen.add((await pixelsOf(canvas(page))).data.toString('base64'))
  expect(seen.size).toBe(5)
})

test('nobody lives longer than the capture: neither in the table nor in its CSV', async () => {
  const { page } = app()
  const events = sql('SELECT count(*) FROM event WHERE device = 0')
  await page.getByRole('button', { name: 'Never freed' }).click()
  await press(page, 't')
  await waitUntilIdle(page)
  const table = page.getByRole('table', { name: 'Allocations in sight' })
  await table.getByRole('button', { name: 'Events in sight' }).click()
  await waitUntilIdle(page)
  const first = table.locator('tbody tr[aria-rowindex]').first().locator('td')
  await expect(first.nth(2)).toHaveText(/^≥/)
  const [own, inSight] = [numberIn(await textOf(first.nth(2))), numberIn(await textOf(first.nth(3)))]
  expect(own).toBe(events - sql('SELECT min(alloc_event) FROM allocation WHERE device = 0 AND free_requested_event IS NULL'))
  expect(inSight).toBe(own)
  await press(page, 'x')
  const seconds = sql('SELECT (max(time_ns) - min(time_ns)) / 1e9 FROM event WHERE device = 0')
  const shown = Number(/Duration\s*([\d.]+)/.exec(await textOf(statusOf(page)))?.[1])
  expect(Math.abs(shown - seconds)).toBeLessThan(0.006)
})

test('where lifetimes cannot be told apart, a button leads to where they can', async () => {
  const { page } = app()
  await page.getByLabel('Rows').selectOption('stack')
  await waitUntilIdle(page)
  await expect(level(page)).toHaveAttribute('data-level', 'heat')
  await page.getByRole('button', { name: /^(Zoom to|Show) single lifetimes$/ }).click()
  await waitUntilIdle(page)
  await expect(level(page)).toHaveAttribute('data-level', 'single')
  await expect(page.getByRole('list', { name: 'Stacks in sight' }).getByRole('listitem').first()).toContainText(/[KMG]iB/)
})

test('rows of stacks that the filter empties go: what is left fills the height', async () => {
  const { page } = app()
  await page.getByLabel('Rows').selectOption('stack')
  await waitUntilIdle(page)
  expect((await rowNames(page)).size).toBeGreaterThan(15)
  await page.getByPlaceholder('Stack, size or address').fill('cross_entropy')
  await waitUntilIdle(page)
  expect((await rowNames(page)).size).toBeLessThan(10)
})

/** What the read-out says along the names of the rows, everywhere from top to bottom. */
async function rowNames(page: Page): Promise<Set<string>> {
  const names = new Set<string>()
  for (let share = 0.3; share < 0.97; share += 0.02) {
    const { x, y } = await at(page, 0.05, share)
    await page.mouse.move(x, y)
    await expect(readOut(page)).toBeVisible()
    names.add(await textOf(readOut(page)))
  }
  return names
}

test('the read-out tells what lies under the pointer after F moved the picture, not what lay there', async () => {
  const { page } = app()
  const { x, y } = await at(page, 0.48, 0.397)
  await page.mouse.move(x, y)
  await page.mouse.click(x, y)
  await waitUntilIdle(page)
  await press(page, 'f')
  await waitUntilIdle(page)
  const shown = await visibleEvents(page)
  await expect(async () => {
    const text = await textOf(readOut(page))
    const event = numberIn(/Event (\d{1,3}(?:,\d{3})*)/.exec(text)?.[1] ?? '')
    expect(event).toBeGreaterThanOrEqual(shown.first)
    expect(event).toBeLessThanOrEqual(shown.last)
  }).toPass()
})

test('Alt and the arrows make rows higher and lower', async () => {
  const { page } = app()
  const whole = await pixelsOf(canvas(page))
  await press(page, 'Alt+ArrowUp')
  await waitUntilIdle(page)
  expect((await pixelsOf(canvas(page))).data.equals(whole.data)).toBe(false)
  await press(page, 'Alt+ArrowDown')
  await waitUntilIdle(page)
  expect((await pixelsOf(canvas(page))).data.equals(whole.data)).toBe(true)
})

test('the filter leaves only what was never freed, as many as the summary says', async () => {
  const { page } = app()
  const never = numberIn(await textOf(summaryRow(page, 'never freed in capture')))
  await page.getByRole('button', { name: 'Never freed' }).click()
  await waitUntilIdle(page)
  expect(await shownAndFolded(page)).toBe(never)
  await expect(page.getByText(`${countText(never)} allocations match the filter`)).toBeVisible()
})

test('T shows what is in sight as a table; its CSV holds exactly these rows', async () => {
  const { page, electron } = app()
  const scratch = scratchFolder()
  await press(page, 't')
  const table = page.getByRole('table', { name: 'Allocations in sight' })
  await expect(table.locator('tbody tr[aria-rowindex]').first()).toBeVisible()
  const rows = Number(await table.getAttribute('aria-rowcount')) - 1
  expect(rows).toBe(sql('SELECT count(*) FROM allocation WHERE device = 0'))
  const path = `${scratch.path}/lifetimes.csv`
  await electron.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath })
  }, path)
  await page.getByRole('region', { name: 'Allocations in sight' }).getByRole('button', { name: 'Export Lifetimes as CSV…' }).click()
  await expect(messageOf(page, 'lifetimes.csv')).toBeVisible()
  const lines = scratch.read('lifetimes.csv').trimEnd().split('\n')
  expect(lines.length - 1).toBe(rows)
  expect(lines[0]).toContain('size_bytes')
  expect(statSync(path).size).toBeGreaterThan(1000)
  scratch.remove()
})

test('X switches to time and keeps what is in sight, K pins the peak', async () => {
  const { page } = app()
  await press(page, 'x')
  await expect(page.getByRole('button', { name: 'Time', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await expect(statusOf(page)).toContainText('Duration')
  await press(page, 'x', 'k')
  await expect(trailOf(page)).toContainText('events')
  await expect(statusOf(page)).toContainText('Cursor 1.15\u00a0GiB')
})

test('the folded are counted, and a click on them zooms to where most of them are', async () => {
  const { page } = app()
  const folded = page.getByRole('button', { name: /^Folded: / })
  const before = numberIn(await textOf(folded))
  expect(before).toBeGreaterThan(0)
  await folded.click()
  await waitUntilIdle(page)
  const { first, last } = await visibleEvents(page)
  expect(last - first).toBeLessThan(sql('SELECT count(*) FROM event WHERE device = 0') / 4)
  await expect(statusOf(page)).not.toContainText(`folded ${countText(before)}`)
})

test('an allocation selected elsewhere is framed here, and its range is listed from top to bottom', async () => {
  const { page } = app()
  await press(page, '1', 'k')
  const row = page.getByRole('table', { name: 'Live allocations' }).locator('tbody tr[aria-rowindex]').first()
  await press(page, 't')
  await row.getByRole('button').click()
  await press(page, 't', 'r', '2')
  const size = await textOf(rectangle(page).locator('.row').filter({ hasText: 'Addresses' }).locator('dd'))
  expect(size).toBe('all')
  await press(page, 'Escape')
  await expect(factOf(page, 'Address')).toContainText('0x7f')
})

test('from the cursor on, arrows select what is alive there, row by row', async () => {
  const { page } = app()
  await press(page, 'k', 'ArrowDown')
  const address = async () => Number((await factOf(page, 'Address').getAttribute('title')) ?? Number.NaN)
  const first = await address()
  await press(page, 'ArrowDown')
  const second = await address()
  expect(second).toBeGreaterThan(first)
  await press(page, 'ArrowUp')
  expect(await address()).toBe(first)
})

for (const theme of ['Dark Theme', 'Light Theme']) {
  test(`a rectangle, its list and the table have no serious accessibility problem (${theme})`, async () => {
    const { page } = app()
    await runByPalette(page, theme)
    await drag(page, [0.5, 0.5], [0.7, 0.85])
    await listRows(page).first().getByRole('button').click()
    await press(page, 't')
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    expect(serious.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))).toEqual([])
  })
}
