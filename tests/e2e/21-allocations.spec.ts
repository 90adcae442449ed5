// The table of all allocations and the filter language, typed with real keys and compared with SQL on the same capture.
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { numberOf, query } from './cli.ts'
import { ftLora, largeCapture, samplePath } from './files.ts'
import { dropFiles, waitUntilIdle } from './launch.ts'
import { closeAllTabs, countText, factOf, messageOf, openByDrop, press, runByPalette, statusOf, tabNamed, textOf } from './steps.ts'
import { sharedApp, sharedScratch } from './with-app.ts'

const file = samplePath('ft_lora')
const app = sharedApp()
const scratch = sharedScratch()

test.beforeEach(async () => {
  const { page } = app()
  await page.mouse.move(2, 2)
  await closeAllTabs(page)
})

const tableOf = (page: Page) => page.getByTestId('allocations-table')
const rowsOf = (page: Page) => tableOf(page).locator('tbody tr[aria-rowindex]')
const totalsOf = (page: Page) => page.getByTestId('allocations-totals')
const fieldOf = (page: Page) => page.getByRole('combobox', { name: 'Stack, size or address' })
const sectionOf = (page: Page) => page.getByRole('region', { name: 'Filter' })
const errorOf = (page: Page) => sectionOf(page).locator('[aria-live=polite]')
const sql = (text: string): number => numberOf(app().cacheFolder, file, text)
const countOf = (where: string): number => sql(`SELECT count(*) FROM allocation WHERE ${where}`)

async function open(): Promise<void> {
  const { page } = app()
  await openByDrop(page, file, 'ft_lora.pickle')
  await press(page, '7')
  await expectTable(page)
}

async function expectTable(page: Page): Promise<void> {
  await expect(tableOf(page)).toHaveAttribute('data-drawn', 'yes')
  await waitUntilIdle(page)
}

/** Replaces the filter's text key by key. */
async function type(page: Page, text: string): Promise<void> {
  await press(page, 'Control+Shift+F')
  await page.keyboard.press('Control+A')
  if (text === '') await page.keyboard.press('Delete')
  else await page.keyboard.type(text)
  await waitUntilIdle(page)
}

async function expectCount(where: string): Promise<void> {
  const { page } = app()
  await expectTable(page)
  await expect(totalsOf(page), where).toContainText(`${countText(countOf(where))} of 2,354 allocations`)
}

test('terms typed into the filter leave the same allocations in table and timeline; a wrong one is told and the filter before stays', async () => {
  const { page } = app()
  await open()
  await expect(totalsOf(page)).toContainText('2,354 allocations')
  await type(page, 'size>1MiB life<=40')
  await expectCount('size_bytes > 1048576 AND free_requested_event - alloc_event <= 40')
  await type(page, `alive_at:peak -size>4KiB`)
  const alive = sql(`SELECT count(*) FROM live_allocation(0, ${ftLora.peakEvent}) WHERE size_bytes <= 4096`)
  await expect(totalsOf(page)).toContainText(`${countText(alive)} of 2,354 allocations`)
  await expect(sectionOf(page).getByRole('status')).toContainText(`${countText(alive)} of 2,354 allocations pass`)
  const inFrame = `stack_id IN (SELECT stack_id FROM stack_frame JOIN frame USING (frame_id) WHERE name LIKE '%linear%' OR filename LIKE '%linear%')`
  await type(page, 'stack:linear made:100..2000')
  await expectCount(`${inFrame} AND alloc_event BETWEEN 100 AND 2000`)

  await type(page, 'sise>1MiB')
  await expect(errorOf(page)).toContainText('“sise>1MiB” is no term')
  await expect(fieldOf(page)).toHaveAttribute('aria-invalid', 'true')
  await expectCount(`${inFrame} AND alloc_event BETWEEN 100 AND 2000`)
  await type(page, 'stream:7')
  await expect(errorOf(page)).toContainText('It has 0')

  // The timeline's table of what is alive at the peak has the same filter.
  await type(page, 'size>=1MiB -stack:linear')
  await expect(errorOf(page)).toHaveText('')
  await press(page, 'Escape')
  await fieldOf(page).blur()
  await press(page, '1', 't', 'k')
  const live = sql(
    `SELECT count(*) FROM live_allocation(0, ${ftLora.peakEvent}) WHERE size_bytes >= 1048576 AND NOT coalesce(${inFrame}, 0)`,
  )
  await expect(page.locator('.timeline-live-head')).toContainText(countText(live))
  await press(page, 't')
})

test('the arrow down lists what may follow, Enter takes it, and a filter that names the cursor follows it', async () => {
  const { page } = app()
  await open()
  await type(page, 'ali')
  const offers = page.getByRole('listbox', { name: 'What may follow' })
  await expect(offers.getByRole('option')).toHaveCount(1)
  await press(page, 'ArrowDown', 'Enter')
  await expect(fieldOf(page)).toHaveValue('alive_at:')
  await page.keyboard.type('cu')
  await press(page, 'ArrowDown', 'Tab')
  await expect(fieldOf(page)).toHaveValue('alive_at:cursor ')
  await expect(fieldOf(page)).toBeFocused()
  await expect(offers).toHaveCount(0)
  await fieldOf(page).blur()
  const aliveAt = (event: number) => countText(sql(`SELECT count(*) FROM live_allocation(0, ${event})`))
  await press(page, 'k')
  await expect(totalsOf(page)).toContainText(`${aliveAt(ftLora.peakEvent)} of`)
  await runByPalette(page, 'First Event')
  await expect(totalsOf(page)).toContainText(`${aliveAt(0)} of`)
})

test('a filter is kept under a name, comes back by button and palette, and is deleted', async () => {
  const { page } = app()
  await open()
  await type(page, 'size>8MiB')
  await sectionOf(page).getByRole('button', { name: 'Never freed' }).click()
  await runByPalette(page, 'Save Filter…')
  const dialog = page.getByRole('dialog', { name: 'Save filter' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('big and kept')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await runByPalette(page, 'Clear Filter')
  await expect(totalsOf(page)).toContainText('2,354 allocations')
  await sectionOf(page).getByRole('button', { name: 'big and kept', exact: true }).click()
  await expectCount('size_bytes > 8388608 AND NOT freed_in_capture')
  await expect(fieldOf(page)).toHaveValue('size>8MiB')
  await runByPalette(page, 'Clear Filter')
  await runByPalette(page, 'big and kept')
  await expectCount('size_bytes > 8388608 AND NOT freed_in_capture')
  await sectionOf(page).getByRole('button', { name: 'Delete the filter big and kept' }).click()
  await expect(sectionOf(page).getByRole('button', { name: 'big and kept', exact: true })).toHaveCount(0)
})

test('heads sort, keys walk through the rows to the last, Enter shows details, and the row is copied and kept in view by other views', async () => {
  const { page } = app()
  await open()
  const ids = (order: string) => `SELECT allocation_id FROM allocation ORDER BY ${order} LIMIT 1`
  await expect(rowsOf(page).first()).toContainText(`#${sql(ids('size_bytes DESC, allocation_id'))}`)
  await tableOf(page).getByRole('button', { name: 'Life' }).click()
  await expectTable(page)
  await expect(tableOf(page).getByRole('columnheader', { name: 'Life' })).toHaveAttribute('aria-sort', 'descending')
  const life = 'coalesce(free_requested_event, (SELECT event_count - 1 FROM device)) - alloc_event'
  await expect(rowsOf(page).first()).toContainText(`#${sql(ids(`alloc_event IS NULL, ${life} DESC, allocation_id`))}`)
  await tableOf(page).getByRole('button', { name: 'Allocated' }).click()
  await expectTable(page)
  await tableOf(page).focus()
  await press(page, 'End')
  const made = 'alloc_event IS NULL, alloc_event, allocation_id'
  const inOrder = query(app().cacheFolder, file, `SELECT allocation_id FROM allocation ORDER BY ${made}`).flatMap((row) =>
    Object.values(row),
  )
  await expect(rowsOf(page).last()).toContainText(`#${inOrder.at(-1)}`)
  await expect(rowsOf(page).last()).toHaveClass('selected')
  await expect(statusOf(page)).toContainText('2,354 of 2,354')
  await press(page, 'ArrowUp', 'PageUp', 'Home', 'ArrowDown', 'ArrowDown', 'Enter')
  await expect(tableOf(page).locator('tr.selected')).toContainText(`#${inOrder[2]}`)
  const [address] = query(app().cacheFolder, file, `SELECT address FROM allocation WHERE allocation_id = ${inOrder[2]}`).flatMap((row) =>
    Object.values(row),
  )
  await expect(factOf(page, 'Version')).toContainText(String(address).slice(-4))
  await press(page, 'Control+Shift+C')
  const clip = await app().electron.evaluate(({ clipboard }) => clipboard.readText())
  expect(clip).toMatch(/^\| Stack \| Size .*\n\| --- .*\n\| .*#\d+ \|\n$/)
  await press(page, 'Control+C')
  expect(await app().electron.evaluate(({ clipboard }) => clipboard.readText())).toContain(`\t#${inOrder[2]}\n`)
  await press(page, '2')
  const version = await textOf(factOf(page, 'Version'))
  await press(page, '7')
  await expect(factOf(page, 'Version')).toHaveText(version)
  await expect(tableOf(page).locator('tr.selected')).toContainText(`#${inOrder[2]}`)
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
})

test('what the filter leaves is written as CSV by the engine', async () => {
  const { page } = app()
  await open()
  await type(page, 'size>=2MiB')
  await fieldOf(page).blur()
  const path = `${scratch.path}/big.csv`
  await app().electron.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath })
  }, path)
  await page.getByRole('button', { name: 'Export CSV…' }).click()
  await expect(messageOf(page, 'big.csv')).toBeVisible()
  expect(scratch.read('big.csv').match(/^\d+,0x/gm)).toHaveLength(countOf('size_bytes >= 2097152'))
})

test('text of a frame is gone to: the largest allocation with it is selected, or the filter narrows to all of them', async () => {
  const { page } = app()
  await open()
  const inFrame = "name LIKE $text ESCAPE '!' OR filename LIKE $text ESCAPE '!'".replaceAll('$text', "'%cross!_entropy%'")
  const frames = `stack_id IN (SELECT stack_id FROM stack_frame JOIN frame USING (frame_id) WHERE ${inFrame})`
  const goTo = async (...keys: readonly string[]) => {
    await press(page, 'Control+G')
    const box = page.getByRole('dialog').getByRole('combobox')
    await box.fill('cross_entropy')
    await expect(page.getByRole('dialog').getByRole('option')).toHaveCount(2)
    await press(page, ...keys)
    await expect(box).toBeHidden()
    await waitUntilIdle(page)
  }
  await goTo('Enter')
  const largest = sql(`SELECT allocation_id FROM allocation WHERE ${frames} ORDER BY size_bytes DESC, allocation_id LIMIT 1`)
  await expect(tableOf(page).locator('tr.selected')).toContainText(`#${largest}`)
  await goTo('ArrowDown', 'Enter')
  await expect(fieldOf(page)).toHaveValue('stack:cross_entropy')
  await expectCount(frames)
})

test('of a capture with more rows than a page can be high, wheel, keys and the bar reach every row', async () => {
  test.setTimeout(240_000)
  const { page } = app()
  const large = largeCapture()
  await dropFiles(page, [large.path])
  await expect(tabNamed(page, large.name)).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByTestId('timeline-canvas')).toHaveAttribute('data-drawn', 'yes', { timeout: 180_000 })
  await press(page, '7')
  await expectTable(page)
  const count = numberOf(app().cacheFolder, large.path, 'SELECT count(*) FROM allocation WHERE device = 0')
  expect(count).toBeGreaterThan(700_000)
  await tableOf(page).getByRole('button', { name: 'Allocated' }).click()
  await expectTable(page)
  await tableOf(page).evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await waitUntilIdle(page)
  const ofPlace = (place: number) =>
    numberOf(
      app().cacheFolder,
      large.path,
      `SELECT allocation_id FROM allocation WHERE device = 0 ORDER BY alloc_event IS NULL, alloc_event, allocation_id LIMIT 1 OFFSET ${place}`,
    )
  await expect(rowsOf(page).last()).toContainText(`#${ofPlace(count - 1)}`)
  await expect(rowsOf(page).last()).toBeInViewport({ ratio: 1 })
  await tableOf(page).hover()
  await page.mouse.wheel(0, -240)
  await waitUntilIdle(page)
  await expect(statusOf(page)).toContainText(`${countText(count - 10)} of ${countText(count)}`)
  await tableOf(page).focus()
  await press(page, 'Home', 'ArrowDown')
  await expect(tableOf(page).locator('tr.selected')).toContainText(`#${ofPlace(1)}`)
})
