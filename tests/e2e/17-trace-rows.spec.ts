// Rows of a trace by key, its instants as a table, what is copied, and slices without an end. Compared with SQL on the same capture.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { numberOf } from './cli.ts'
import { root } from './files.ts'
import { dropFiles, waitUntilIdle } from './launch.ts'
import { closeAllTabs, factOf, messageOf, numberIn, press, runByPalette, statusOf, tabNamed, textOf } from './steps.ts'
import { sharedApp, sharedScratch } from './with-app.ts'

const sample = join(root, 'resources', 'samples', 'trace_lora.json.gz')
const app = sharedApp()
const scratch = sharedScratch()

test.beforeEach(async () => {
  const { page } = app()
  await page.mouse.move(2, 2)
  await closeAllTabs(page)
})

const canvasOf = (page: Page): Locator => page.getByTestId('trace-canvas')
const lanesOf = async (page: Page) => numberIn(/Lanes\s+([\d,]+)/.exec(await textOf(statusOf(page)))?.[0] ?? '')
const spoken = (page: Page): Locator => page.locator('.visually-hidden[role=status][aria-live=polite]').last()
const copied = () => app().electron.evaluate(({ clipboard }) => clipboard.readText())

async function open(file: string, name: string): Promise<void> {
  const { page } = app()
  await dropFiles(page, [file])
  await expect(tabNamed(page, name)).toHaveAttribute('aria-selected', 'true', { timeout: 60_000 })
  await expect(canvasOf(page)).toHaveAttribute('data-drawn', 'yes', { timeout: 60_000 })
  await waitUntilIdle(page)
  await canvasOf(page).focus()
}

test('rows are chosen, folded and pinned by key, memory and processes among them', async () => {
  const { page } = app()
  await open(sample, 'trace_lora.json.gz')
  await press(page, 'j')
  await expect(spoken(page)).toHaveText(/^GPU\s0 memory, pinned$/)
  await press(page, 'p')
  await expect(spoken(page)).toHaveText(/^GPU\s0 memory$/)
  await press(page, 'p')
  await expect(spoken(page)).toHaveText(/^GPU\s0 memory, pinned$/)
  const before = await lanesOf(page)
  await press(page, 'j', 'j', 'j')
  await expect(spoken(page)).toHaveText(/^python3 \(563\)$/)
  await press(page, 'h')
  await expect(spoken(page)).toHaveText(/^python3 \(563\), folded$/)
  await expect.poll(() => lanesOf(page)).toBeLessThan(before)
  await press(page, 'h')
  await expect.poll(() => lanesOf(page)).toBe(before)
})

/** An open slice, one that is complete, and instants on two threads. */
const made = JSON.stringify({
  traceEvents: [
    { ph: 'X', name: 'done', cat: 'c', pid: 1, tid: 1, ts: 0, dur: 400 },
    { ph: 'B', name: 'open', cat: 'c', pid: 1, tid: 1, ts: 500 },
    { ph: 'X', name: 'other', cat: 'c', pid: 1, tid: 2, ts: 0, dur: 1000 },
    { ph: 'i', name: 'late', cat: 'mark', pid: 1, tid: 2, ts: 900, s: 't' },
    { ph: 'i', name: 'early', cat: 'mark', pid: 1, tid: 1, ts: 100, s: 't' },
  ],
})

test('instants stand in a table in order of time, are shown from it and saved', async () => {
  const { page } = app()
  const file = scratch.write('made.json', made)
  await open(file, 'made.json')
  await press(page, 't')
  await page.getByRole('button', { name: 'Instants', exact: true }).click()
  const table = page.getByTestId('trace-instant-table')
  await expect(table.locator('tbody th')).toHaveText(['early', 'late'])
  await table.getByRole('button', { name: 'late' }).click()
  await expect(page.locator('[data-region=details] .trace-name')).toHaveText('late')
  expect(numberIn((await factOf(page, 'Time').getAttribute('title')) ?? '')).toBe(
    numberOf(app().cacheFolder, file, "SELECT time_ns FROM instant WHERE name = 'late'"),
  )
  const path = join(scratch.path, 'instants.csv')
  await app().electron.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath })
  }, path)
  await runByPalette(page, 'Export as CSV…')
  await expect(messageOf(page, 'Saved instants.csv')).toBeVisible()
  expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(3)
})

test('what is selected is copied by key: a slice with its details, a range with its slices', async () => {
  const { page } = app()
  await open(scratch.write('made.json', made), 'made.json')
  await page.getByRole('textbox', { name: 'Search slices by name' }).fill('open')
  await page.getByRole('textbox', { name: 'Search slices by name' }).press('Enter')
  await expect(page.locator('[data-region=details] .trace-name')).toHaveText('open')
  await waitUntilIdle(page)
  await canvasOf(page).focus()
  await press(page, 'Control+C')
  await expect.poll(copied).toContain('its end is not in the file')
  // Text that is selected on the page is what the key copies.
  await page.locator('[data-region=details] .trace-name').selectText()
  await press(page, 'Control+C')
  await expect.poll(copied).toBe('open')
  await page.evaluate(() => window.getSelection()?.removeAllRanges())
  await press(page, 'Escape', 'Escape', 'm', 'Control+C')
  await expect(messageOf(page, 'Copied 3 slices')).toBeVisible()
  const [head, ...lines] = (await copied()).trimEnd().split('\n')
  expect(head?.split('\t')).toEqual(['name', 'category', 'track', 'start_ns', 'dur_ns', 'is_unfinished'])
  expect(lines.map((line) => [line.split('\t')[0], line.split('\t').at(-1)]).sort()).toEqual([
    ['done', '0'],
    ['open', '1'],
    ['other', '0'],
  ])
})

test('the drawer says of a slice without an end that the file does not have it', async () => {
  const { page } = app()
  await open(scratch.write('made.json', made), 'made.json')
  for (const [name, isOpen] of [
    ['open', true],
    ['done', false],
  ] as const) {
    await page.getByRole('textbox', { name: 'Search slices by name' }).fill(name)
    await page.getByRole('textbox', { name: 'Search slices by name' }).press('Enter')
    await expect(page.locator('[data-region=details] .trace-name')).toHaveText(name)
    await waitUntilIdle(page)
    await expect(page.getByTestId('trace-unfinished')).toHaveCount(isOpen ? 1 : 0)
    if (isOpen) await expect(factOf(page, 'End')).toHaveText('not in the file')
    else await expect(factOf(page, 'End')).not.toHaveText('not in the file')
  }
})

for (const theme of ['Dark', 'Light'] as const) {
  test(`the table of instants has no accessibility problem in the ${theme.toLowerCase()} theme`, async () => {
    const { page } = app()
    await runByPalette(page, `${theme} Theme`)
    await open(scratch.write('made.json', made), 'made.json')
    await press(page, 't', 'j')
    await page.getByRole('button', { name: 'Instants', exact: true }).click()
    await expect(page.getByTestId('trace-instant-table').locator('tbody th')).toHaveCount(2)
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    expect(serious.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`))).toEqual([])
  })
}
