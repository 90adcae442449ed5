// A snapshot and a trace of one run, dropped together: joined, one cursor, allocations followed to ops and kernels and back. Compared with
// SQL on both captures.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { PNG } from 'pngjs'
import { numberOf, query } from './cli.ts'
import { root } from './files.ts'
import { dropFiles, waitUntilIdle } from './launch.ts'
import { inkOf } from './pixels.ts'
import {
  closeAllTabs,
  countText,
  cursorEvent,
  exactText,
  factOf,
  messageOf,
  numberIn,
  press,
  runByPalette,
  tabNamed,
  textOf,
} from './steps.ts'
import { sharedApp, sharedScratch } from './with-app.ts'

const samples = join(root, 'resources', 'samples')
const traceFile = join(samples, 'trace_lora.json.gz')
const snapshotFile = join(samples, 'trace_lora.pickle')
const app = sharedApp()
const scratch = sharedScratch()

test.beforeEach(async () => {
  const { page } = app()
  await page.mouse.move(2, 2)
  await closeAllTabs(page)
  await dropFiles(page, [snapshotFile, traceFile])
  await expect(page.getByRole('tab')).toHaveCount(2)
  await expect(sectionOf(page)).toContainText('Joined with', { timeout: 60_000 })
  await waitUntilIdle(page)
})

const sectionOf = (page: Page): Locator => page.getByTestId('join-section')
const joinedOf = (page: Page): Locator => page.getByTestId('joined-allocation')
const nameOf = (page: Page): Locator => page.locator('[data-region=details] .trace-name')
const joinFact = (page: Page, label: string): Locator => sectionOf(page).locator('.row').filter({ hasText: label }).locator('dd')
const joinedFact = (page: Page, label: string): Locator =>
  joinedOf(page)
    .locator('.row')
    .filter({ has: page.locator('dt').getByText(label, { exact: true }) })
    .locator('dd')
const ofTrace = (sql: string) => query(app().cacheFolder, traceFile, sql)
const ofSnapshot = (sql: string) => query(app().cacheFolder, snapshotFile, sql)

async function show(page: Page, name: 'trace_lora.pickle' | 'trace_lora.json.gz'): Promise<void> {
  await tabNamed(page, name).click()
  await expect(tabNamed(page, name)).toHaveAttribute('aria-selected', 'true')
  await waitUntilIdle(page)
}

async function goTo(page: Page, typed: string): Promise<void> {
  await page.keyboard.press('Control+G')
  await page.getByRole('dialog').getByRole('combobox').fill(typed)
  await expect(page.getByRole('dialog').getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await waitUntilIdle(page)
}

interface Twin {
  readonly address: string
  readonly op: string
  readonly bytes: number
  readonly traceEvent: number
  readonly traceId: number
  readonly snapshotId: number
  readonly snapshotEvent: number
  readonly requested: number
  readonly segment: string
}

/** The largest allocation made by a matrix product, as both captures have it. */
function largestProduct(): Twin {
  const [made] = ofTrace(
    "SELECT * FROM trace_allocation WHERE device = 0 AND op = 'aten::mm' AND alloc_event IS NOT NULL ORDER BY size_bytes DESC, alloc_event LIMIT 1",
  )
  if (!made) throw new Error('the trace has no such allocation')
  // The k-th use of an address in the profile is the k-th of those of this size in the snapshot within the same time; here all of them.
  const wall = numberOf(app().cacheFolder, traceFile, 'SELECT start_unix_us FROM capture') + Number(made.alloc_time_ns) / 1000
  const start = numberOf(app().cacheFolder, snapshotFile, 'SELECT start_unix_us FROM capture')
  const [row] = ofSnapshot(
    `SELECT * FROM allocation WHERE device = 0 AND address = '${made.address}' AND size_bytes = ${made.size_bytes} AND alloc_event IS NOT NULL
     ORDER BY abs(${start} + alloc_time_ns / 1000.0 - ${wall}) LIMIT 1`,
  )
  if (!row) throw new Error('the snapshot has no such allocation')
  return {
    address: String(made.address),
    op: String(made.op),
    bytes: Number(made.size_bytes),
    traceEvent: Number(made.alloc_event),
    traceId: Number(made.allocation_id),
    snapshotId: Number(row.allocation_id),
    snapshotEvent: Number(row.alloc_event),
    requested: Number(row.requested_bytes),
    segment: String(row.segment_address),
  }
}

test('the digit of a view that only the partner has leads to its tab', async () => {
  const { page } = app()
  await show(page, 'trace_lora.pickle')
  await press(page, '6')
  await expect(tabNamed(page, 'trace_lora.json.gz')).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByTestId('trace-canvas')).toBeVisible()
})

test('both say with which capture they are joined, and how sure that is', async () => {
  const { page } = app()
  const count = 'SELECT count(*) FROM trace_allocation WHERE device = 0 AND alloc_event IS NOT NULL'
  const all = countText(numberOf(app().cacheFolder, traceFile, count))
  for (const [name, partner] of [
    ['trace_lora.json.gz', 'trace_lora.pickle'],
    ['trace_lora.pickle', 'trace_lora.json.gz'],
  ] as const) {
    await show(page, name)
    await expect(sectionOf(page).getByRole('button')).toHaveText(partner)
    await expect(page.getByTestId('join-verdict')).toHaveText('Same run · GPU\u00a00')
    await expect(joinFact(page, 'Matched')).toHaveText(`${all} of ${all}`)
    await expect(joinFact(page, 'share')).toHaveText('100\u00a0%')
    await expect(joinFact(page, 'Clocks apart')).toHaveText(/^−?[\d.]+\s(ns|µs) ± [\d.]+\s(ns|µs)$/)
  }
  await sectionOf(page).getByRole('button').click()
  await expect(tabNamed(page, 'trace_lora.json.gz')).toHaveAttribute('aria-selected', 'true')
})

test('without a partner nothing is said about one', async () => {
  const { page } = app()
  await show(page, 'trace_lora.pickle')
  await press(page, 'Control+w')
  await expect(page.getByRole('tab')).toHaveCount(1)
  await expect(sectionOf(page)).toHaveCount(0)
})

test('a trace whose addresses are others at the same time is said to be of another run, and is not joined', async () => {
  const { page } = app()
  await show(page, 'trace_lora.json.gz')
  await press(page, 'Control+w')
  const text = gunzipSync(readFileSync(traceFile)).toString('utf8')
  const moved = text.replaceAll(/("Addr":\s*)(\d+)/g, (_, key: string, address: string) => `${key}${BigInt(address) + 512n}`)
  expect(moved).not.toBe(text)
  await dropFiles(page, [scratch.write('moved.json', moved)])
  await expect(page.getByTestId('join-verdict')).toHaveText('Not the same run · GPU\u00a00', { timeout: 60_000 })
  await expect(sectionOf(page)).toContainText('Not joined with')
  await expect(sectionOf(page)).toContainText('Addresses and sizes of their allocations disagree.')
  await show(page, 'trace_lora.pickle')
  await goTo(page, `#${largestProduct().snapshotId}`)
  await expect(factOf(page, 'Address')).toBeVisible()
  await expect(joinedOf(page)).toHaveCount(0)
})

test('an allocation of the snapshot is followed to its op and a kernel in the trace, and back to its block', async () => {
  const { page } = app()
  const twin = largestProduct()
  await show(page, 'trace_lora.pickle')
  await goTo(page, `#${twin.snapshotId}`)
  await expect(joinedFact(page, 'Op')).toHaveText(twin.op)
  await expect(joinedFact(page, 'Step')).toHaveText(/^ProfilerStep#\d+$/)
  const kernel = page.getByTestId('joined-kernels').getByRole('button').last()
  const kernelName = await textOf(kernel)
  await kernel.click()
  await expect(tabNamed(page, 'trace_lora.json.gz')).toHaveAttribute('aria-selected', 'true')
  await expect(nameOf(page)).toHaveText(kernelName)
  await expect(factOf(page, 'Category')).toHaveText('kernel')
  await expect(factOf(page, 'Track')).toContainText('stream')
  await show(page, 'trace_lora.pickle')
  await joinedFact(page, 'Op').getByRole('button').click()
  await expect(nameOf(page)).toHaveText(twin.op)
  await waitUntilIdle(page)
  // The op is that around the allocation, by SQL.
  const start = numberIn((await factOf(page, 'Start').getAttribute('title')) ?? '')
  const end = numberIn((await factOf(page, 'End').getAttribute('title')) ?? '')
  const [made] = ofTrace(`SELECT alloc_time_ns FROM trace_allocation WHERE allocation_id = ${twin.traceId}`)
  expect(Number(made?.alloc_time_ns)).toBeGreaterThanOrEqual(start)
  expect(Number(made?.alloc_time_ns)).toBeLessThanOrEqual(end)
  // The selection came along: from the trace's allocation back to the block of the snapshot.
  await page.getByRole('button', { name: 'Allocation', exact: true }).click()
  await expect(joinedFact(page, 'Requested')).toHaveAttribute('title', exactText(twin.requested))
  expect((await textOf(joinedFact(page, 'Segment'))).replaceAll('_', '')).toBe(twin.segment)
  await expect(joinedOf(page).locator('.stack-frames')).toBeVisible()
  await joinedOf(page).getByRole('button', { name: 'Blocks', exact: true }).click()
  await expect(tabNamed(page, 'trace_lora.pickle')).toHaveAttribute('aria-selected', 'true')
  await expect(page.locator('[data-region=views] [aria-current=page]')).toContainText('Blocks')
  await expect(factOf(page, 'Address')).toHaveAttribute('title', twin.address)
})

test('the cursor of one is the cursor of the other, both ways', async () => {
  const { page } = app()
  const twin = largestProduct()
  await show(page, 'trace_lora.pickle')
  await goTo(page, `#${twin.snapshotId}`)
  expect(await cursorEvent(page)).toBe(twin.snapshotEvent)
  await press(page, 'Control+Tab')
  await expect(tabNamed(page, 'trace_lora.json.gz')).toHaveAttribute('aria-selected', 'true')
  await press(page, '1')
  expect(await cursorEvent(page)).toBe(twin.traceEvent)
  await expect(factOf(page, 'Address')).toHaveAttribute('title', twin.address)
  await goTo(page, String(twin.traceEvent + 40))
  const [later] = ofTrace(`SELECT address, bytes FROM memory_event WHERE device = 0 AND event = ${twin.traceEvent + 40}`)
  await show(page, 'trace_lora.pickle')
  const there = await cursorEvent(page)
  expect(there).toBeGreaterThan(twin.snapshotEvent)
  const [event] = ofSnapshot(`SELECT address, size_bytes FROM event WHERE device = 0 AND event = ${there}`)
  expect(event?.address).toBe(later?.address)
})

test('a slice of the trace lists the allocations that it made, and leads to them', async () => {
  const { page } = app()
  const twin = largestProduct()
  await show(page, 'trace_lora.pickle')
  await goTo(page, `#${twin.snapshotId}`)
  await joinedFact(page, 'Op').getByRole('button').click()
  await expect(nameOf(page)).toHaveText(twin.op)
  const made = page.getByTestId('trace-allocations').getByRole('button').first()
  expect((await made.getAttribute('title'))?.startsWith(exactText(twin.bytes))).toBe(true)
  await press(page, 'Escape', 'Escape', 'Escape')
  await expect(nameOf(page)).toBeHidden()
  await show(page, 'trace_lora.pickle')
  await goTo(page, `#${twin.snapshotId}`)
  await joinedFact(page, 'Op').getByRole('button').click()
  await page.getByTestId('trace-allocations').getByRole('button').first().click()
  await expect(factOf(page, 'Address')).toHaveAttribute('title', twin.address)
  await expect(joinedOf(page)).toContainText('In the snapshot')
})

test('the picture of the trace goes to a file with what was followed', async () => {
  const { page } = app()
  const twin = largestProduct()
  await show(page, 'trace_lora.pickle')
  await goTo(page, `#${twin.snapshotId}`)
  await page.getByTestId('joined-kernels').getByRole('button').first().click()
  await expect(nameOf(page)).toBeVisible()
  await waitUntilIdle(page)
  const path = join(scratch.path, 'joined.png')
  await app().electron.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath })
  }, path)
  await page.keyboard.press('Control+E')
  const dialog = page.getByRole('dialog', { name: 'Export image' })
  await dialog.getByLabel('Format').selectOption('png')
  await dialog.getByLabel('Width').fill('1600')
  await dialog.getByLabel('Height').fill('1000')
  await dialog.getByRole('button', { name: 'Save…' }).click()
  await expect(dialog).toBeHidden({ timeout: 60_000 })
  await expect(messageOf(page, 'Saved joined.png')).toBeVisible()
  const picture = PNG.sync.read(readFileSync(path))
  expect([picture.width, picture.height]).toEqual([1600, 1000])
  expect(inkOf(picture, { x: 300, y: 300, width: 800, height: 500 }).colours).toBeGreaterThan(20)
})

test('in the smallest window what the partner tells is in sight without scrolling', async () => {
  const { page, electron } = app()
  const setSize = (width: number, height: number) =>
    electron.evaluate(({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(...size), [width, height] as const)
  const [before] = await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((each) => each.getContentSize()))
  const twin = largestProduct()
  await show(page, 'trace_lora.pickle')
  await goTo(page, `#${twin.snapshotId}`)
  await setSize(1024, 640)
  try {
    await expect.poll(() => page.evaluate(() => window.innerHeight)).toBe(640)
    await waitUntilIdle(page)
    await expect(joinedFact(page, 'Op')).toBeInViewport({ ratio: 1 })
    await expect(joinedFact(page, 'Step')).toBeInViewport({ ratio: 1 })
  } finally {
    await setSize(before?.[0] ?? 1440, before?.[1] ?? 900)
  }
})

for (const theme of ['Dark', 'Light'] as const) {
  test(`what is said about the partner has no accessibility problem in the ${theme.toLowerCase()} theme`, async () => {
    const { page } = app()
    await runByPalette(page, `${theme} Theme`)
    const twin = largestProduct()
    for (const name of ['trace_lora.pickle', 'trace_lora.json.gz'] as const) {
      await show(page, name)
      if (name === 'trace_lora.pickle') await goTo(page, `#${twin.snapshotId}`)
      await expect(joinedOf(page)).toBeVisible()
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      expect(
        serious.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`)),
        name,
      ).toEqual([])
    }
  })
}
