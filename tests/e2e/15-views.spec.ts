// What the views share: cursor, selection and filter stay when the view changes; the drawer comes with a selection. Numbers against SQL.
import { readFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import { numberOf } from './cli.ts'
import { ftLora, samplePath, scratchFolder } from './files.ts'
import { waitUntilIdle } from './launch.ts'
import { pointOf } from './place.ts'
import {
  canvasOf,
  closeAllTabs,
  countText,
  cursorEvent,
  exactText,
  factOf,
  openByDrop,
  press,
  runByPalette,
  spanOf,
  statusOf,
  summaryRow,
  textOf,
  visibleEvents,
} from './steps.ts'
import { sharedApp } from './with-app.ts'

const file = samplePath('ft_lora')
const { peakEvent } = ftLora
const app = sharedApp()
const views = { '1': 'timeline', '2': 'lifetimes', '3': 'blocks', '4': 'fragmentation', '5': 'flame' } as const

test.beforeEach(async () => {
  await closeAllTabs(app().page)
  await openByDrop(app().page, file, 'ft_lora.pickle')
})

const sql = (text: string): number => numberOf(app().cacheFolder, file, text)
const details = (page: Page) => page.locator('[data-region=details]')
const filterText = (page: Page) => page.getByRole('combobox', { name: 'Stack, size or address' })
const filterSection = (page: Page) => page.getByRole('region', { name: 'Filter' })
const chip = (page: Page, name: string) => filterSection(page).getByRole('button', { name })
const viewButton = (page: Page, name: string) => page.locator('[data-region=views]').getByRole('button', { name })

async function expectView(page: Page, name: string): Promise<void> {
  await expect(page.locator('[data-region=views] [aria-current=page]')).toContainText(name)
  await waitUntilIdle(page)
}

async function filterBy(page: Page, text: string): Promise<void> {
  await filterText(page).fill(text)
  await waitUntilIdle(page)
}

test('the keys 1 to 5 switch the view, and cursor and selected allocation stay', async () => {
  const { page } = app()
  await press(page, 'k', 'ArrowDown')
  const version = await textOf(factOf(page, 'Version'))
  for (const [key, name] of Object.entries(views)) {
    await press(page, key)
    await expectView(page, `${name[0]?.toUpperCase()}${name.slice(1)}`)
    await expect(factOf(page, 'Version'), name).toHaveText(version)
    if (key === '2' || key === '3') await expect(page.getByTestId(`${name}-canvas`)).toHaveAttribute('data-drawn', 'yes')
  }
  await press(page, '1')
  expect(await cursorEvent(page)).toBe(peakEvent)
})

test('back and forward return to the view before', async () => {
  const { page } = app()
  await press(page, 'k')
  // A view counts once it has rested. A timer of the page that is due later fires after the one that counts it, however slow the machine.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)))
  await press(page, '3')
  await expectView(page, 'Blocks')
  await press(page, 'Alt+ArrowLeft')
  await expectView(page, 'Timeline')
  expect(await cursorEvent(page)).toBe(peakEvent)
  await press(page, 'Alt+ArrowRight')
  await expectView(page, 'Blocks')
})

/** A look counts once it has rested. A timer of the page that is due later fires after the one that counts it, however slow the machine. */
const rest = (page: Page) => page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)))

test('back and forward return to the zoom of the blocks and of the rows of the lifetimes', async () => {
  const { page } = app()
  for (const [key, name] of [
    ['3', 'blocks'],
    ['2', 'lifetimes'],
  ] as const) {
    const canvas = page.getByTestId(`${name}-canvas`)
    const shot = async () => {
      await page.mouse.move(2, 2)
      await waitUntilIdle(page)
      return canvas.screenshot()
    }
    const becomes = (picture: Buffer) => expect.poll(async () => (await shot()).equals(picture), name).toBe(true)
    await press(page, key)
    await expect(canvas).toHaveAttribute('data-drawn', 'yes')
    await rest(page)
    const whole = await shot()
    await canvas.hover()
    const held = name === 'blocks' ? 'Control' : 'Alt'
    await page.keyboard.down(held)
    await page.mouse.wheel(0, -600)
    await page.keyboard.up(held)
    await expect.poll(async () => (await shot()).equals(whole), name).toBe(false)
    await rest(page)
    const zoomed = await shot()
    await press(page, 'Alt+ArrowLeft')
    await becomes(whole)
    await press(page, 'Alt+ArrowRight')
    await becomes(zoomed)
  }
})

test('a range that was selected in the timeline is marked in the scrubber of the blocks', async () => {
  const { page } = app()
  const marked = page.getByTestId('scrubber-marked')
  await press(page, '3')
  await expect(marked).toHaveCount(0)
  await press(page, '1')
  const count = sql('SELECT event_count FROM device WHERE device = 0')
  const from = await pointOf(page, count, 1000, 0.5)
  const to = await pointOf(page, count, 2000, 0.5)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await page.mouse.up()
  await waitUntilIdle(page)
  const words = await textOf(page.locator('.trail').getByTitle('Zoom to the selected range'))
  const [, first = '', last = ''] = /([\d,]+) – ([\d,]+)/.exec(words) ?? []
  await press(page, '3')
  await expect(marked).toHaveText(`Selected range: events ${first} – ${last}`)
  await press(page, '1', 'x', '3')
  await expect(marked).toHaveText(`Selected range: events ${first} – ${last}`)
})

test('a filter by a function’s name counts what passes, holds in every view, and is cleared everywhere', async () => {
  const { page } = app()
  const passing = sql(
    `SELECT count(*) FROM allocation WHERE device = 0 AND stack_id IN (SELECT stack_id FROM stack_frame JOIN frame USING (frame_id)
     WHERE lower(name) LIKE '%linear%' OR lower(filename) LIKE '%linear%')`,
  )
  const all = sql('SELECT count(*) FROM allocation WHERE device = 0')
  expect(passing).toBeGreaterThan(0)
  expect(passing).toBeLessThan(all)
  await filterBy(page, 'Linear')
  for (const view of ['Timeline', 'Lifetimes', 'Blocks', 'Fragmentation']) {
    await viewButton(page, view).click()
    await expectView(page, view)
    await expect(filterText(page)).toHaveValue('Linear')
    await expect(filterSection(page)).toContainText(`${countText(passing)} of ${countText(all)} allocations pass`)
  }
  await filterSection(page).getByRole('button', { name: 'Clear' }).click()
  await press(page, '1')
  await expect(filterText(page)).toHaveValue('')
  await expect(statusOf(page)).not.toContainText('filter')
})

test('the chips count what SQL counts: large, short-lived and never freed', async () => {
  const { page } = app()
  const counts = {
    '≥ 1 MiB': 'size_bytes >= 1048576',
    'Short-lived': 'free_requested_event - alloc_event <= 40 AND alloc_event IS NOT NULL',
    'Never freed': 'freed_in_capture = 0',
  }
  for (const [name, condition] of Object.entries(counts)) {
    await chip(page, name).click()
    await waitUntilIdle(page)
    const passing = sql(`SELECT count(*) FROM allocation WHERE device = 0 AND ${condition}`)
    await expect(filterSection(page), name).toContainText(`${countText(passing)} of`)
    await chip(page, name).click()
  }
  await expect(filterSection(page)).not.toContainText(' of ')
})

test('a filter that hides all is said over the picture, and its button clears it', async () => {
  const { page } = app()
  for (const key of ['1', '3']) {
    await press(page, key)
    await filterBy(page, 'no such function')
    await expect(filterSection(page)).toContainText('No allocation passes')
    await expect(page.getByText('The filter hides every allocation')).toBeVisible()
    await page.getByRole('button', { name: 'Clear filter' }).click()
    await expect(page.getByText('The filter hides every allocation')).toBeHidden()
    await expect(filterText(page)).toHaveValue('')
    await canvasOf(page).or(page.getByTestId('blocks-canvas')).focus()
  }
})

test('the drawer comes with a selection and goes with it; by hand it opens without one', async () => {
  const { page } = app()
  const wide = (await canvasOf(page).boundingBox())?.width ?? 0
  await expect(details(page)).toBeHidden()
  await expect(statusOf(page)).toContainText('Click a band')
  await press(page, 'k', 'ArrowDown')
  await expect(details(page)).toBeVisible()
  expect((await canvasOf(page).boundingBox())?.width ?? 0).toBeLessThan(wide)
  await expect(statusOf(page)).not.toContainText('Click a band')
  await press(page, 'Escape')
  await expect(details(page)).toBeHidden()
  await press(page, 'q')
  await expect(details(page)).toContainText('Click a band')
  await press(page, 'q')
  await expect(details(page)).toBeHidden()
})

test('a double click zooms to the band that its first click selected, though the drawer comes', async () => {
  const { page } = app()
  const eventCount = sql('SELECT event_count FROM device WHERE device = 0')
  const { x, y } = await pointOf(page, eventCount, 2700, 0.2)
  await page.mouse.click(x, y)
  await waitUntilIdle(page)
  const version = await textOf(factOf(page, 'Version'))
  await press(page, 'Escape', 'Escape')
  await expect(statusOf(page)).toContainText('Click a band')
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.up()
  // The answer that selects is there; the drawer waits until no second click can come.
  await expect(statusOf(page)).not.toContainText('Click a band')
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  await waitUntilIdle(page)
  await expect(factOf(page, 'Version')).toHaveText(version)
  expect(spanOf(await visibleEvents(page))).toBeLessThan(eventCount / 2)
})

test('“Show in” of the drawer leads to another view with the allocation selected and alive at its moment', async () => {
  const { page } = app()
  await press(page, 'k', 'ArrowDown')
  const version = await textOf(factOf(page, 'Version'))
  const showIn = details(page).getByRole('region', { name: 'Show in' })
  for (const view of ['Blocks', 'Lifetimes', 'Timeline']) {
    await showIn.getByRole('button', { name: view }).click()
    await expectView(page, view)
    await expect(factOf(page, 'Version')).toHaveText(version)
  }
})

test('O tells about the failure: what was asked to the byte, what the device had left, and leads to its blocks', async () => {
  const { page, cacheFolder } = app()
  const oom = samplePath('oom')
  await openByDrop(page, oom, 'oom.pickle')
  await press(page, 'o')
  const failure = page.getByTestId('memory-error')
  const [asked, free] = ['size_bytes', 'device_free_bytes'].map((column) =>
    numberOf(cacheFolder, oom, `SELECT ${column} FROM oom ORDER BY event LIMIT 1`),
  )
  await expect(factOf(page, 'Exactly')).toHaveText(exactText(asked ?? -1))
  await expect(factOf(page, 'Free on the device')).toHaveAttribute('title', new RegExp(`${exactText(free ?? -1)}`))
  await failure.getByRole('button', { name: 'Blocks' }).click()
  await expectView(page, 'Blocks')
  // There the head of the view tells about it, so the drawer makes room.
  await expect(page.locator('.blocks-tile.request')).toContainText('Failed request')
  await expect(failure).toBeHidden()
})

test('another device keeps view and filter, drops the selection, and counts its own allocations', async () => {
  const { page, cacheFolder } = app()
  const two = samplePath('two_devices')
  await openByDrop(page, two, 'two_devices.pickle')
  await press(page, '3')
  await chip(page, '≥ 1 MiB').click()
  for (const device of [0, 1]) {
    await page.getByRole('combobox', { name: 'Device' }).selectOption(String(device))
    await waitUntilIdle(page)
    await expectView(page, 'Blocks')
    const peak = numberOf(cacheFolder, two, `SELECT peak_allocated_bytes FROM device WHERE device = ${device}`)
    await expect(summaryRow(page, 'Peak allocated')).toHaveAttribute('title', exactText(peak))
    const count = numberOf(cacheFolder, two, `SELECT count(*) FROM allocation WHERE device = ${device} AND size_bytes >= 1048576`)
    const nothing = 'No allocation passes'
    await expect(filterSection(page)).toContainText(count === 0 ? nothing : `${countText(count)} of`)
    await expect(details(page)).toBeHidden()
  }
})

/** Where a cut loses the segments, the replay has no end to be checked against; the word stands in every view's tool row. */
test('every view says in its tool row that a cut capture is approximate, in either language, and none does of a whole one', async () => {
  const { page } = app()
  const scratch = scratchFolder()
  const sign = page.locator('.tool-row').getByTestId('approximate')
  const expectInEveryView = async (word: string, reason: RegExp) => {
    for (const key of Object.keys(views)) {
      await press(page, key)
      await expect(sign, key).toContainText(`≈ ${word}`)
      await expect(sign, key).toHaveAttribute('title', reason)
      await expect(sign, key).toBeInViewport({ ratio: 1 })
    }
    await press(page, '1')
  }
  try {
    for (const key of Object.keys(views)) {
      await press(page, key)
      await expect(page.locator('.tool-row')).toBeVisible()
      await expect(sign, key).toHaveCount(0)
    }
    await press(page, '1')
    await openByDrop(page, scratch.write('cut.pickle', readFileSync(file).subarray(0, 450_000)), 'cut.pickle')
    await expectInEveryView('approximate', /close, not exact/)
    await runByPalette(page, '简体中文')
    await expectInEveryView('近似', /近似值/)
  } finally {
    await runByPalette(page, 'English')
    scratch.remove()
  }
})
