// Fragmentation: tiles, curves, sizes and tables of one moment, compared with SQL on the same capture; by key, wheel, drag and click.
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { SimulatedAllocator } from '../fixtures/allocator.ts'
import { writePickle } from '../fixtures/pickle-writer.ts'
import { snapshot } from '../fixtures/snapshots.ts'
import { variants } from '../fixtures/variants.ts'
import { numberOf } from './cli.ts'
import { ftLora, samplePath } from './files.ts'
import { dropFiles, waitUntilIdle } from './launch.ts'
import {
  closeAllTabs,
  countText,
  exactText,
  factOf,
  messageOf,
  numberIn,
  openByDrop,
  press,
  runByPalette,
  spanOf,
  textOf,
  visibleEvents,
} from './steps.ts'
import { sharedApp, sharedScratch } from './with-app.ts'

const file = samplePath('ft_lora')
const oomFile = samplePath('oom')
const { peakEvent } = ftLora
const app = sharedApp()
const scratch = sharedScratch()

test.beforeEach(async () => {
  const { page } = app()
  await page.mouse.move(2, 2)
  await closeAllTabs(page)
})

const curvesOf = (page: Page) => page.getByTestId('fragmentation-canvas')
const momentOf = (page: Page) => page.getByTestId('fragmentation-moment')
const tileOf = (page: Page, name: string) => page.getByTestId('fragmentation-tiles').locator(`.frag-tile.${name} .frag-tile-value`)
const sql = (path: string, text: string): number => numberOf(app().cacheFolder, path, text)

/** Opens a capture and shows this view. */
async function open(path: string, name: string): Promise<void> {
  const { page } = app()
  await openByDrop(page, path, name)
  await press(page, '4')
  await expect(curvesOf(page)).toHaveAttribute('data-drawn', 'yes')
}

/** A point of the curves: share of the canvas' width and height. */
async function pointAt(page: Page, x: number, y: number): Promise<{ readonly x: number; readonly y: number }> {
  const box = await curvesOf(page).boundingBox()
  if (!box) throw new Error('there are no curves')
  return { x: box.x + x * box.width, y: box.y + y * box.height }
}

/** The tiles' numbers are those that SQL gives for an event. */
async function expectTilesAt(path: string, event: number): Promise<void> {
  const { page } = app()
  await expect(momentOf(page)).toContainText(`After event ${countText(event)}`)
  await waitUntilIdle(page)
  const sum = (column: string) => sql(path, `SELECT sum(${column}) FROM segment_map WHERE device = 0 AND event = ${event}`)
  const [free, returnable] = [sum('free_bytes'), sum('returnable_bytes')]
  const largest = sql(path, `SELECT max(largest_free_bytes) FROM segment_map WHERE device = 0 AND event = ${event}`)
  const title = (bytes: number) => new RegExp(`^${exactText(bytes)}`)
  await expect(tileOf(page, 'cached')).toHaveAttribute('title', title(free))
  await expect(tileOf(page, 'returnable')).toHaveAttribute('title', title(returnable))
  await expect(tileOf(page, 'stranded')).toHaveAttribute('title', title(free - returnable))
  await expect(tileOf(page, 'largestFree')).toHaveAttribute('title', title(largest))
  await expect(tileOf(page, 'freeBlocks')).toHaveText(countText(sum('free_block_count')))
  await expect(tileOf(page, 'rounding')).toHaveAttribute('title', title(sum('active_bytes') - sum('requested_bytes')))
  await expect(tileOf(page, 'external')).toHaveText(`${((1 - largest / free) * 100).toFixed(1)}\u00a0%`)
}

test('the tiles show the peak with the numbers that SQL gives, and follow the arrow keys', async () => {
  const { page } = app()
  await open(file, 'ft_lora.pickle')
  await expectTilesAt(file, peakEvent)
  await press(page, 'ArrowUp', 'ArrowUp')
  await expectTilesAt(file, peakEvent - 2)
  await press(page, 'Shift+ArrowDown')
  await expectTilesAt(file, peakEvent + 98)
  await press(page, 'Escape')
  await expect(momentOf(page)).toContainText(`After event ${countText(peakEvent)}`)
})

test('a click pins the moment, the read-out tells all measures, a drag selects, keys and wheel zoom', async () => {
  const { page } = app()
  await open(file, 'ft_lora.pickle')
  const { x, y } = await pointAt(page, 0.4, 0.5)
  await page.mouse.move(x, y)
  const box = page.locator('.read-out:visible')
  await expect(box).toContainText('External fragmentation')
  const event = numberIn(await textOf(box.locator('.read-out-head span').first()))
  await page.mouse.click(x, y)
  await expect(momentOf(page)).toContainText(`After event ${countText(event)}`)
  await page.mouse.down()
  await page.mouse.move(x + 120, y, { steps: 4 })
  await page.mouse.up()
  await expect(page.getByRole('navigation', { name: 'Visible range' })).toContainText('Selected')
  await expect(page.getByTestId('fragmentation-range').locator('tbody tr')).toHaveCount(7)
  await expect(page.getByTestId('fragmentation-range').getByRole('row', { name: /^Reserved/ })).toContainText('iB')
  const all = spanOf(await visibleEvents(page))
  await press(page, 'f')
  expect(spanOf(await visibleEvents(page))).toBeLessThan(all / 2)
  await press(page, '0')
  expect(spanOf(await visibleEvents(page))).toBe(all)
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -400)
  await page.keyboard.up('Control')
  await expect.poll(async () => spanOf(await visibleEvents(page))).toBeLessThan(all)
})

test('at a failure the largest free block and the request are told together', async () => {
  const { page } = app()
  await open(oomFile, 'oom.pickle')
  const event = sql(oomFile, 'SELECT max(event) FROM oom WHERE device = 0')
  await expect(momentOf(page)).toContainText('out of memory')
  await expectTilesAt(oomFile, event)
  await expect(page.locator('.frag-tile.largestFree')).toContainText('request')
  await expect(page.getByTestId('fragmentation-sizes')).toHaveAttribute('aria-label', /requests so far/)
})

test('numbers lead to the block map at the same moment, holders to their allocation', async () => {
  const { page } = app()
  await open(oomFile, 'oom.pickle')
  const event = sql(oomFile, 'SELECT max(event) FROM oom WHERE device = 0')
  const mapMoment = page.getByRole('navigation', { name: 'Moment and stretch shown' })
  await tileOf(page, 'stranded').click()
  await expect(page.getByTestId('blocks-canvas')).toHaveAttribute('data-drawn', 'yes')
  await expect(mapMoment).toContainText(`After event ${countText(event)}`)
  await press(page, '4')
  await page.getByTestId('fragmentation-groups').locator('tbody button').first().click()
  await expect(page.getByTestId('blocks-canvas')).toHaveAttribute('data-drawn', 'yes')
  await press(page, '4')
  const pins = page.getByTestId('fragmentation-pins')
  await expect(page.getByTestId('fragmentation-pins-sentence')).toContainText('of active blocks')
  await pins.locator('tbody th button').first().click()
  await expect(page.getByTestId('blocks-canvas')).toHaveAttribute('data-drawn', 'yes')
  await waitUntilIdle(page)
  await expect(factOf(page, 'Address')).toBeHidden()
  await press(page, '4')
  await pins.locator('.frag-holder').first().click()
  await expect(page.getByTestId('blocks-canvas')).toHaveAttribute('data-drawn', 'yes')
  await waitUntilIdle(page)
  await expect(factOf(page, 'Address')).toBeVisible()
})

test('T shows the key moments with exact numbers, and CSV saves what it shows', async () => {
  const { page, electron } = app()
  await open(file, 'ft_lora.pickle')
  await press(page, 't')
  const table = page.getByTestId('fragmentation-moments')
  const row = (name: string) => table.locator('tbody tr[aria-rowindex]').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
  const peak = (column: string) => sql(file, `SELECT ${column} FROM memory_curve WHERE device = 0 AND event = ${peakEvent}`)
  await expect(row('Peak').locator('td').nth(2)).toHaveAttribute('title', exactText(peak('reserved_bytes')))
  await expect(row('Start')).toBeVisible()
  await expect(row('End')).toBeVisible()
  const path = `${scratch.path}/moments.csv`
  await electron.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath })
  }, path)
  await page.getByRole('button', { name: 'Export table as CSV…' }).click()
  await expect(messageOf(page, 'moments.csv')).toBeVisible()
  const lines = scratch.read('moments.csv').trim().split('\n')
  expect(lines[0]).toContain('largest_free_bytes')
  expect(
    lines
      .find((line) => line.startsWith('peak,'))
      ?.split(',')
      .slice(0, 2),
  ).toEqual(['peak', String(peakEvent)])
  expect(lines.find((line) => line.startsWith('peak,'))).toContain(`,${peak('largest_free_bytes')},`)
  await page.getByRole('button', { name: 'Close table' }).click()
  await expect(table).toBeHidden()
})

test('a legend entry lets its part stand out until Esc', async () => {
  const { page } = app()
  await open(file, 'ft_lora.pickle')
  const entry = page.getByRole('region', { name: 'Reserved memory' }).getByRole('button', { name: /^Stranded/ })
  await entry.click()
  await expect(entry).toHaveAttribute('aria-pressed', 'true')
  await press(page, 'Escape')
  await expect(entry).toHaveAttribute('aria-pressed', 'false')
})

/** A busy run whose trace lacks the completed frees, so that its layout can only be rebuilt approximately. */
function approximatePickle(): Buffer {
  const allocator = new SimulatedAllocator({})
  for (let step = 0; step < 120; step++) {
    const held = allocator.held()
    const chosen = held[(step * 7) % Math.max(1, held.length)]
    if (chosen !== undefined && step % 3 === 2) allocator.free(chosen, false, null)
    else allocator.alloc(1 + ((step * 2_654_435) % (6 << 20)), 0, null)
  }
  const events = allocator.events.filter((event) => (event as { readonly action: string }).action !== 'free_completed')
  return writePickle(snapshot(allocator.segments(), [events]), { protocol: 4 })
}

test('where the layout is approximate the view says so, with the reason', async () => {
  const { page } = app()
  await open(scratch.write('approximate.pickle', approximatePickle()), 'approximate.pickle')
  await expect(page.getByTestId('approximate')).toContainText('approximate')
  await expect(page.getByTestId('approximate')).toHaveAttribute('title', /.{20,}/)
})

test('a device without history shows the state at the dump, and a sentence for the curves', async () => {
  const { page } = app()
  const variant = variants.find(({ name }) => name === 'history_never_enabled')
  if (!variant) throw new Error('the fixture is gone')
  await dropFiles(page, [scratch.write('none.pickle', variant.bytes())])
  await page.getByRole('button', { name: 'Show in Fragmentation' }).click()
  await expect(momentOf(page)).toHaveText('State at the dump')
  await expect(page.getByText('This device has no recorded history')).toBeVisible()
  await expect(page.getByTestId('fragmentation-groups').locator('tfoot')).toBeVisible()
  await press(page, 't')
  await expect(page.getByTestId('fragmentation-moments').locator('tbody tr[aria-rowindex]')).toHaveCount(1)
})

for (const theme of ['Dark Theme', 'Light Theme']) {
  test(`picture and table have no serious accessibility problem in the ${theme.toLowerCase()}`, async () => {
    const { page } = app()
    await runByPalette(page, theme)
    await open(oomFile, 'oom.pickle')
    for (const key of ['k', 't']) {
      await press(page, key)
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
      const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      expect(grave.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`))).toEqual([])
    }
  })
}
