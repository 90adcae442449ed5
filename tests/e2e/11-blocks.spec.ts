// The block map: one moment of memory, segment by segment. Numbers on the screen are compared with SQL on the same capture.
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { fittingRowPx, layoutBlocks } from '../../renderer/views/blocks/layout.ts'
import { homeOf, xToPx } from '../../renderer/views/blocks/model-input.ts'
import { writePickle } from '../fixtures/pickle-writer.ts'
import { baseAddress, block, event, segment, snapshot } from '../fixtures/snapshots.ts'
import { numberOf, query } from './cli.ts'
import { ftLora, samplePath } from './files.ts'
import { waitUntilIdle } from './launch.ts'
import { closeAllTabs, countText, exactText, factOf, messageOf, openByDrop, press, statusOf, textOf } from './steps.ts'
import { sharedApp, sharedScratch } from './with-app.ts'

const file = samplePath('ft_lora')
const { peakEvent } = ftLora
const app = sharedApp()
const scratch = sharedScratch()

test.beforeEach(async () => {
  const { page } = app()
  await closeAllTabs(page)
  await openByDrop(page, file, 'ft_lora.pickle')
  await press(page, '3')
  await expect(mapOf(page)).toHaveAttribute('data-drawn', 'yes')
})

const mapOf = (page: Page) => page.getByTestId('blocks-canvas')
const tileOf = (page: Page, name: string) => page.getByTestId('blocks-tiles').locator(`.blocks-tile.${name} .blocks-tile-value`)
const trail = (page: Page) => page.getByRole('navigation', { name: 'Moment and stretch shown' })
const eventLine = (page: Page) => page.getByTestId('blocks-event')
const sql = (text: string): number => numberOf(app().cacheFolder, file, text)
const moment = (event: number) => `device = 0 AND event = ${event}`

/** The middle of some bytes of a segment's first line on the page, while nothing is zoomed or scrolled. */
async function placeOf(page: Page, row: number, offset: number): Promise<{ readonly x: number; readonly y: number }> {
  const box = await mapOf(page).boundingBox()
  if (!box) throw new Error('there is no map')
  const layout = layoutBlocks(box.width, box.height, { hasRequest: false, hasOrigin: false })
  const lines = sql(`SELECT count(*) FROM segment_map WHERE ${moment(peakEvent)}`)
  const longest = sql(`SELECT max(total_bytes) FROM segment_map WHERE ${moment(peakEvent)}`)
  const rowPx = fittingRowPx(lines, layout.rows.heightPx)
  const x = xToPx({ visible: homeOf(longest, undefined), layout }, offset)
  return { x: box.x + x, y: box.y + layout.rows.yPx + (row + 0.5) * rowPx }
}

test('the map shows the moment of the peak with the numbers that SQL gives', async () => {
  const { page } = app()
  await expect(trail(page)).toContainText(`After event ${countText(peakEvent)}`)
  const sum = (column: string) => sql(`SELECT sum(${column}) FROM segment_map WHERE ${moment(peakEvent)}`)
  await expect(tileOf(page, 'reserved')).toHaveAttribute('title', exactText(sum('total_bytes')))
  await expect(tileOf(page, 'allocated')).toHaveAttribute('title', exactText(sum('allocated_bytes')))
  await expect(tileOf(page, 'free')).toHaveAttribute('title', exactText(sum('free_bytes')))
  const largest = sql(`SELECT max(largest_free_bytes) FROM segment_map WHERE ${moment(peakEvent)}`)
  await expect(tileOf(page, 'largest')).toHaveAttribute('title', exactText(largest))
  await expect(mapOf(page)).toHaveAttribute(
    'aria-label',
    new RegExp(`${sql(`SELECT count(*) FROM segment_map WHERE ${moment(peakEvent)}`)} segments`),
  )
})

test('a click selects the allocation of a block, arrows go from one to the next, Esc takes it back', async () => {
  const { page } = app()
  const { x, y } = await placeOf(page, 0, 1 << 20)
  await page.mouse.click(x, y)
  await waitUntilIdle(page)
  const [first] = query(
    app().cacheFolder,
    file,
    `SELECT address FROM block_map WHERE ${moment(peakEvent)} AND allocation_id IS NOT NULL ORDER BY address LIMIT 1`,
  )
  await expect(factOf(page, 'Segment')).toContainText('+ 0')
  const before = await textOf(factOf(page, 'Address'))
  expect(BigInt(before.replaceAll('_', ''))).toBe(BigInt(String(first?.address)))
  await press(page, 'ArrowRight')
  await expect(factOf(page, 'Address')).not.toHaveText(before)
  await press(page, 'ArrowLeft')
  await expect(factOf(page, 'Address')).toHaveText(before)
  await press(page, 'Escape')
  await expect(page.locator('[data-region=details]')).toBeHidden()
  await expect(statusOf(page)).toContainText('Click a block')
})

test('arrows step one event, and the line below says what it did', async () => {
  const { page } = app()
  await mapOf(page).focus()
  await press(page, 'ArrowDown')
  await expect(trail(page)).toContainText(`After event ${countText(peakEvent + 1)}`)
  const [row] = query(app().cacheFolder, file, `SELECT action, size_bytes AS size FROM event WHERE device = 0 AND event = ${peakEvent + 1}`)
  const words: Readonly<Record<string, string>> = { alloc: 'Allocated', free_requested: 'Free requested', free_completed: 'Freed' }
  await expect(eventLine(page)).toContainText(words[String(row?.action)] ?? String(row?.action))
  await expect(eventLine(page).getByTitle(exactText(Number(row?.size)))).toBeVisible()
  await press(page, 'Shift+ArrowUp')
  await expect(trail(page)).toContainText(`After event ${countText(peakEvent - 99)}`)
})

test('a typed size is answered as would_fit answers', async () => {
  const { page } = app()
  await page.getByTestId('blocks-fit').fill('50 MiB')
  await waitUntilIdle(page)
  const [row] = query(app().cacheFolder, file, `SELECT would_fit(0, ${peakEvent}, ${50 << 20}, NULL, NULL) AS answer`)
  const answer = JSON.parse(String(row?.answer)) as { fits: boolean; fitting_count: number; free: { count: number } }
  const shown = page.getByTestId('blocks-fit-answer').locator('.row').first()
  await expect(shown).toContainText(`${answer.fitting_count} of ${answer.free.count}`)
  await expect(page.locator('.blocks-tile.request')).toContainText(answer.fits ? 'fits' : 'fits no free block')
  await page.getByTestId('blocks-fit').fill('many')
  await expect(page.getByTestId('blocks-fit')).toHaveAttribute('aria-invalid', 'true')
  await page.getByRole('button', { name: 'Clear the size' }).click()
  await expect(page.locator('.blocks-tile.request')).toHaveCount(0)
})

test('an address inside an allocation is found at this moment', async () => {
  const { page } = app()
  const [row] = query(
    app().cacheFolder,
    file,
    `SELECT address, size_bytes AS size FROM block_map WHERE ${moment(peakEvent)} AND state = 'active_allocated' ORDER BY size_bytes LIMIT 1`,
  )
  const address = BigInt(String(row?.address))
  await page.keyboard.press('Control+G')
  const inside = `0x${(address + BigInt(Number(row?.size)) / 2n).toString(16)}`
  const box = page.getByRole('dialog').getByRole('combobox')
  await box.fill(inside)
  await expect(page.getByRole('dialog').getByRole('option').first()).toContainText(inside)
  await box.press('Enter')
  await expect(box).toBeHidden()
  await waitUntilIdle(page)
  const shown = await textOf(factOf(page, 'Address'))
  expect(BigInt(shown.replaceAll('_', ''))).toBe(address)
  await expect(trail(page)).toContainText('All')
  await expect(trail(page)).toContainText(`After event ${countText(peakEvent)}`)
})

/** The shortest segment, whose bar ends in the left part of the map while rows are to scale, reaches the right edge. */
async function expectStretched(page: Page): Promise<void> {
  const segments = query(
    app().cacheFolder,
    file,
    `SELECT address, total_bytes AS size FROM segment_map WHERE ${moment(peakEvent)} ORDER BY address`,
  )
  const sizes = segments.map(({ size }) => Number(size))
  expect(Math.min(...sizes)).toBeLessThan(Math.max(...sizes) / 2)
  const row = sizes.indexOf(Math.min(...sizes))
  const { x, y } = await placeOf(page, row, Math.max(...sizes) * 0.98)
  await page.mouse.move(x, y)
  const start = BigInt(String(segments[row]?.address))
  const pointed = statusOf(page).getByText(/^0x[0-9a-f_]+$/)
  const offset = async () => Number(BigInt((await textOf(pointed)).replaceAll('_', '')) - start)
  await expect.poll(offset).toBeGreaterThan((sizes[row] ?? 0) * 0.9)
  expect(await offset()).toBeLessThan(sizes[row] ?? 0)
}

test('wheel and keys zoom, 0 shows all again, and rows can be normalised and reordered', async () => {
  const { page } = app()
  const { x, y } = await placeOf(page, 1, 1 << 20)
  await page.mouse.move(x, y)
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -500)
  await page.keyboard.up('Control')
  await expect(trail(page)).toContainText('All')
  await mapOf(page).focus()
  await press(page, '0')
  await expect(trail(page)).not.toContainText('All')
  await press(page, 'w')
  await expect(trail(page)).toContainText('All')
  await press(page, '0')
  await page.getByRole('button', { name: 'Normalize' }).click()
  await expectStretched(page)
  await page.getByRole('button', { name: 'Compact' }).click()
  const full = sql(`SELECT count(*) FROM segment_map WHERE ${moment(peakEvent)} AND free_bytes = 0`)
  await expect(page.getByText(`${full} fully used hidden`)).toBeVisible()
})

test('the table lists the segments, sorts them, and is saved as CSV', async () => {
  const { page, electron } = app()
  await mapOf(page).focus()
  await press(page, 't')
  const table = page.getByRole('table', { name: 'Segments' })
  const count = sql(`SELECT count(*) FROM segment_map WHERE ${moment(peakEvent)}`)
  await expect(table).toHaveAttribute('aria-rowcount', String(count + 1))
  await table.getByRole('button', { name: 'Largest free' }).click()
  const sorted = query(
    app().cacheFolder,
    file,
    `SELECT address, largest_free_bytes AS largest FROM segment_map WHERE ${moment(peakEvent)} ORDER BY largest_free_bytes DESC`,
  )
  const largestOf = new Map(sorted.map(({ address, largest }) => [BigInt(String(address)), Number(largest)]))
  const firstRows = sorted.slice(0, 4).map(({ largest }) => Number(largest))
  const listed = async () => {
    const rows = firstRows.map((_, index) => textOf(table.locator(`tbody tr[aria-rowindex="${index + 2}"] th`)))
    return (await Promise.all(rows)).map((address) => largestOf.get(BigInt(address.replaceAll('_', ''))))
  }
  expect(new Set(firstRows).size).toBeGreaterThan(1)
  await expect.poll(listed).toEqual(firstRows)
  const path = join(scratch.path, 'segments.csv')
  await electron.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath })
  }, path)
  await page.getByRole('button', { name: 'Export Segments as CSV…' }).click()
  await expect(messageOf(page, 'Saved segments.csv')).toBeVisible()
  const [head, ...saved] = scratch
    .read('segments.csv')
    .trim()
    .split('\n')
    .map((line) => line.split(','))
  expect(saved).toHaveLength(count)
  const column = head?.indexOf('largest_free_bytes') ?? -1
  expect(saved.map((cells) => Number(cells[column]))).toEqual(sorted.map(({ largest }) => Number(largest)))
})

test('the filter says how many blocks in use match at this moment, and that none does, with the way out', async () => {
  const { page } = app()
  const used = `${moment(peakEvent)} AND state <> 'inactive'`
  const all = sql(`SELECT count(*) FROM block_map WHERE ${used}`)
  const large = sql(`SELECT count(*) FROM block_map WHERE ${used} AND size_bytes >= 1048576`)
  await page.getByRole('button', { name: '≥ 1 MiB' }).click()
  await expect(page.getByTestId('blocks-matches')).toContainText(`${countText(large)} of ${countText(all)} blocks in use match`)
  await page.getByRole('combobox', { name: 'Stack, size or address' }).fill('8 GiB')
  await expect(page.getByTestId('blocks-matches')).toContainText(`0 of ${countText(all)} blocks`)
  await page.locator('.filter-notice').getByRole('button').click()
  await expect(page.getByTestId('blocks-matches')).toHaveCount(0)
})

test('a click beside the bars selects the segment and shows its numbers', async () => {
  const { page } = app()
  const { x, y } = await placeOf(page, 0, 0)
  await page.mouse.click(x - 60, y)
  const segment = page.getByTestId('blocks-segment')
  const size = sql(`SELECT total_bytes FROM segment_map WHERE ${moment(peakEvent)} ORDER BY address LIMIT 1`)
  await expect(segment.locator('.row', { hasText: 'Size' }).locator('dd')).toHaveAttribute('title', exactText(size))
  await segment.getByRole('button', { name: 'Deselect' }).click()
  await expect(segment).toHaveCount(0)
})

/** Segments of 2 MiB, half of each in use: more than an answer about segments holds. */
function manySegments(count: number): Buffer {
  const half = 1 << 20
  const places = Array.from({ length: count }, (_, index) => baseAddress + BigInt(index) * 0x40_0000n)
  const segments = places.map((place) => segment(place, [block(place, half, 'active_allocated'), block(place + BigInt(half), half)]))
  return writePickle(snapshot(segments, [[event('alloc', baseAddress, half)]]), { protocol: 4 })
}

test('totals tell all segments where the picture leaves some out, and the tool row says how many', async () => {
  const { page } = app()
  const path = scratch.write('many.pickle', manySegments(6200))
  await openByDrop(page, path, 'many.pickle')
  await press(page, '3')
  await expect(page.locator('.blocks-tools')).toContainText(`${countText(1200)} more segments not shown`)
  const of = (what: string): number => numberOf(app().cacheFolder, path, `SELECT ${what} FROM segment_map WHERE device = 0 AND event = 0`)
  expect(of('count(*)')).toBe(6200)
  await expect(tileOf(page, 'reserved')).toHaveAttribute('title', exactText(of('sum(total_bytes)')))
  await expect(tileOf(page, 'allocated')).toHaveAttribute('title', exactText(of('sum(allocated_bytes)')))
  await expect(tileOf(page, 'free')).toHaveAttribute('title', exactText(of('sum(free_bytes)')))
  await expect(page.locator('.blocks-legend li').filter({ hasText: /^Free/ })).toHaveAttribute('title', exactText(of('sum(free_bytes)')))
  await expect(page.locator('.blocks-tile.reserved')).toContainText(`${countText(6200)} segments`)
  await expect(statusOf(page)).toContainText(`Blocks ${countText(of('sum(block_count)'))}`)
})
