// What stands beside the picture: the table twin, the history of views, jumps, devices. Its numbers against SQL on the same index.
import { expect, test } from '@playwright/test'
import { aliveAfter, numberOf, query } from './cli.ts'
import { ftLora, samplePath } from './files.ts'
import { waitUntilIdle } from './launch.ts'
import {
  canvasOf,
  closeAllTabs,
  countText,
  cursorEvent,
  exactText,
  factOf,
  liveRows,
  liveTable,
  openByDrop,
  press,
  spanOf,
  summaryRow,
  textOf,
  visibleEvents,
} from './steps.ts'
import { sharedApp } from './with-app.ts'

const file = samplePath('ft_lora')
const { peakEvent } = ftLora
const app = sharedApp()

test.beforeEach(async () => {
  await closeAllTabs(app().page)
  await openByDrop(app().page, file, 'ft_lora.pickle')
})

const sql = (text: string): number => numberOf(app().cacheFolder, file, text)

test('T shows the table twin with the rows and bytes that SQL gives, sorted by any column, and selects in the picture', async () => {
  const { page } = app()
  await press(page, 'k', 't')
  const table = liveTable(page)
  const alive = aliveAfter(peakEvent)
  const count = sql(`SELECT count(*) FROM allocation WHERE ${alive}`)
  await expect(table).toHaveAttribute('aria-rowcount', String(count + 1))
  await expect(page.getByText(`Alive after event ${countText(peakEvent)}`)).toBeVisible()
  await expect(page.getByText(`${countText(count)} allocations · 1.15\u00a0GiB`)).toBeVisible()
  const firstRow = liveRows(page).first()
  const largest = sql(`SELECT max(size_bytes) FROM allocation WHERE ${alive}`)
  await expect(firstRow.getByRole('cell').nth(1)).toHaveAttribute('title', exactText(largest))
  await table.getByRole('button', { name: 'Size' }).click()
  await waitUntilIdle(page)
  const smallest = sql(`SELECT min(size_bytes) FROM allocation WHERE ${alive}`)
  await expect(firstRow.getByRole('cell').nth(1)).toHaveAttribute('title', exactText(smallest))
  const address = (await textOf(firstRow.getByRole('cell').nth(4))).trim()
  await firstRow.getByRole('button').click()
  await expect(firstRow.getByRole('button')).toHaveAttribute('aria-pressed', 'true')
  await expect(factOf(page, 'Address')).toHaveAttribute('title', address)
  await press(page, 't')
  await expect(table).toBeHidden()
})

test('the table lists what passes the filter, and says how many there are in all', async () => {
  const { page } = app()
  await press(page, 'k', 't')
  await page.getByRole('button', { name: 'Never freed' }).click()
  await waitUntilIdle(page)
  const alive = aliveAfter(peakEvent)
  const [count, all] = [
    sql(`SELECT count(*) FROM allocation WHERE ${alive} AND NOT freed_in_capture`),
    sql(`SELECT count(*) FROM allocation WHERE ${alive}`),
  ]
  expect(count).toBeGreaterThan(0)
  expect(count).toBeLessThan(all)
  await expect(liveTable(page)).toHaveAttribute('aria-rowcount', String(count + 1))
  await expect(page.getByText(`Filtered: ${countText(count)} of ${countText(all)} allocations, `)).toBeVisible()
  await liveRows(page).first().getByRole('button').click()
  await expect(factOf(page, 'Freed')).toHaveText('never: alive at the end')
  await expect(factOf(page, 'Lifetime so far')).toContainText('events')
  await press(page, 't')
  await expect(page.getByRole('columnheader', { name: 'without the filter' })).toBeVisible()
  for (const name of ['Stacks', 'By category'])
    await expect(page.getByRole('region', { name, exact: true }).locator('.panel-head').first()).toContainText('without the filter')
})

test('the uses of an address are listed; a click, comma and full stop go through them', async () => {
  const { page } = app()
  const [use] = query(
    app().cacheFolder,
    file,
    'SELECT address, version FROM allocation WHERE device = 0 AND version = 3 AND alloc_event IS NOT NULL LIMIT 1',
  )
  await page.keyboard.press('Control+G')
  await page.getByRole('combobox', { name: 'Command palette' }).fill(`${use?.address}_3`)
  await page.keyboard.press('Enter')
  const chosen = page.locator('.use-list [aria-current=true]')
  await expect(chosen).toContainText('4 of ')
  await page.locator('.use-list button').first().click()
  await expect(chosen).toContainText('2 of ')
  await press(page, '.')
  await expect(chosen).toContainText('3 of ')
  await press(page, ',', ',')
  await expect(chosen).toContainText('1 of ')
  await expect(factOf(page, 'Version')).toHaveText(`b${String(use?.address).replace('0x', '')}_0`)
})

test('in a small window the picture keeps its room beside table and details', async () => {
  const { page, electron } = app()
  const resize = (width: number, height: number) =>
    electron.evaluate(({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height), {
      width,
      height,
    })
  await resize(1024, 640)
  await press(page, 'k', 'ArrowUp', 't')
  await expect(page.locator('.drawer')).toBeVisible()
  await waitUntilIdle(page)
  const [canvas, main, drawer] = await Promise.all(['.canvas', '.main', '.drawer'].map((part) => page.locator(part).boundingBox()))
  expect(canvas?.height).toBeGreaterThanOrEqual(200)
  expect(drawer?.height).toBeLessThanOrEqual(0.35 * 640)
  expect((main?.y ?? 0) + (main?.height ?? 0)).toBeLessThanOrEqual(drawer?.y ?? 0)
  await expect(liveRows(page).first()).toBeInViewport()
  await resize(1440, 900)
})

test('the last row of the table is reached by scrolling', async () => {
  const { page } = app()
  await press(page, 'k', 't')
  const table = liveTable(page)
  const count = sql(`SELECT count(*) FROM allocation WHERE ${aliveAfter(peakEvent)}`)
  await page.locator('.timeline-live-rows').evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await waitUntilIdle(page)
  await expect(table.locator(`[aria-rowindex="${count + 1}"]`).getByRole('cell')).toHaveCount(6)
  await press(page, 't')
})

test('back and forward go through the views', async () => {
  const { page } = app()
  await press(page, 'k')
  await press(page, '+', '+')
  const zoomed = await visibleEvents(page)
  await press(page, 'Alt+ArrowLeft')
  expect(spanOf(await visibleEvents(page))).toBeGreaterThan(spanOf(zoomed))
  await press(page, 'Alt+ArrowRight')
  expect(await visibleEvents(page)).toEqual(zoomed)
  await press(page, 'Backspace')
  expect(spanOf(await visibleEvents(page))).toBeGreaterThan(spanOf(zoomed))
})

test('Ctrl+G goes to an event, a time and an address', async () => {
  const { page } = app()
  const goTo = async (typed: string) => {
    await page.keyboard.press('Control+G')
    await page.getByRole('combobox', { name: 'Command palette' }).fill(typed)
    await expect(page.getByRole('dialog').getByRole('option')).toHaveCount(1)
    await page.keyboard.press('Enter')
    await waitUntilIdle(page)
  }
  await goTo('1,234')
  expect(await cursorEvent(page)).toBe(1234)
  const timeNs = sql('SELECT time_ns FROM event WHERE device = 0 AND event = 3000')
  await goTo(`${timeNs} ns`)
  const there = await cursorEvent(page)
  expect(sql(`SELECT time_ns FROM event WHERE device = 0 AND event = ${there}`)).toBe(timeNs)
  const [use] = query(app().cacheFolder, file, 'SELECT address, version FROM allocation WHERE device = 0 AND alloc_event > 2000 LIMIT 1')
  await goTo(`b${String(use?.address).replace('0x', '')}_${use?.version}`)
  await expect(factOf(page, 'Address')).toHaveAttribute('title', String(use?.address))
})

test('another device of the capture is chosen and keeps the axis', async () => {
  const { page, cacheFolder } = app()
  const two = samplePath('two_devices')
  await openByDrop(page, two, 'two_devices.pickle')
  await press(page, 'x')
  const chooser = page.getByRole('combobox', { name: 'Device' })
  await expect(chooser.getByRole('option', { name: 'GPU\u00a01 · peak ' })).toHaveAttribute('value', '1')
  for (const device of [0, 1]) {
    await chooser.selectOption(String(device))
    await waitUntilIdle(page)
    const peak = numberOf(cacheFolder, two, `SELECT peak_allocated_bytes FROM device WHERE device = ${device}`)
    await expect(summaryRow(page, 'Peak allocated')).toHaveAttribute('title', exactText(peak))
    await expect(canvasOf(page)).toHaveAttribute('aria-label', new RegExp(`^Timeline of GPU\u00a0${device}:`))
  }
  await expect(page.getByRole('button', { name: 'Time', exact: true })).toHaveAttribute('aria-pressed', 'true')
})
