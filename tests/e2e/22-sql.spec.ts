// The SQL console: examples, completion, results and their file by keys; what would write is refused, what would not end is stopped.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { ftLora, samplePath } from './files.ts'
import { waitUntilIdle } from './launch.ts'
import { inkOf, pixelsOf } from './pixels.ts'
import { closeAllTabs, factOf, messageOf, openByDrop, press, statusOf } from './steps.ts'
import { sharedApp, sharedScratch } from './with-app.ts'

const app = sharedApp()
const scratch = sharedScratch()

test.beforeEach(async () => {
  const { page } = app()
  await page.mouse.move(2, 2)
  await closeAllTabs(page)
  await openByDrop(page, samplePath('ft_lora'), 'ft_lora.pickle')
  await press(page, '8')
})

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'SQL statement' })
const gridOf = (page: Page) => page.getByRole('grid', { name: 'Result' })
const cellAt = (page: Page, row: number, column: number) =>
  gridOf(page)
    .locator(`[aria-rowindex="${row + 2}"] [role=gridcell]`)
    .nth(column)
const rowsOf = (page: Page) => page.getByTestId('sql-rows')
const failureOf = (page: Page) => page.getByRole('alert')

async function run(statement: string): Promise<void> {
  const { page } = app()
  await editorOf(page).fill(statement)
  await press(page, 'Escape', 'Control+Enter')
}

test('an example is chosen and run by keys, drawn as bars, and leads to an allocation', async () => {
  const { page, electron } = app()
  await press(page, 'Control+Shift+X')
  const wanted = page.getByRole('menuitem', { name: /^Stacks at the/ })
  while (!(await wanted.evaluate((item) => item === document.activeElement))) await page.keyboard.press('ArrowDown')
  await press(page, 'Enter')
  await expect(editorOf(page)).toHaveValue(/live_allocation/)
  await press(page, 'Control+Enter')
  await expect(rowsOf(page)).toHaveText(/rows$/)
  await expect(statusOf(page)).toContainText('Rows')
  await page.getByRole('button', { name: 'Bars' }).click()
  await waitUntilIdle(page)
  const chart = page.getByRole('img', { name: /^Bars: alive_bytes by stack/ })
  expect(inkOf(await pixelsOf(chart)).colours).toBeGreaterThan(5)
  await run('SELECT allocation_id, size_bytes, NULL AS no_value FROM allocation ORDER BY size_bytes DESC LIMIT 3')
  await expect(cellAt(page, 0, 2)).toHaveText('NULL')
  await expect(cellAt(page, 0, 1)).toHaveAttribute('title', /MiB/)
  await gridOf(page).focus()
  await press(page, 'ArrowDown', 'Shift+ArrowRight', 'Control+Shift+C')
  const id = await cellAt(page, 1, 0).textContent()
  const size = await cellAt(page, 1, 1).textContent()
  expect(await electron.evaluate(({ clipboard }) => clipboard.readText())).toBe(
    `| allocation_id | size_bytes |\n| ---: | ---: |\n| ${id} | ${size} |\n`,
  )
  await press(page, 'Enter')
  await expect(messageOf(page, `Allocation #${id} is now selected`)).toBeVisible()
  await expect(factOf(page, 'Address')).toBeVisible()
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  expect(violations.map(({ id: rule, nodes }) => `${rule}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
  await press(page, '1', '8')
  await expect(editorOf(page)).toHaveValue(/allocation_id, size_bytes/)
  await expect(cellAt(page, 0, 2)).toHaveText('NULL')
})

test('names are completed while typing; earlier statements come back by key', async () => {
  const { page } = app()
  await editorOf(page).focus()
  await page.keyboard.type('SELECT peak_event FROM dev')
  const list = page.getByRole('listbox', { name: 'Completions' })
  await expect(list.getByRole('option').first()).toContainText('device')
  await press(page, 'Enter')
  await expect(editorOf(page)).toHaveValue('SELECT peak_event FROM device')
  await page.keyboard.type(' d WHERE d.peak_al')
  await expect(list.getByRole('option', { name: /peak_allocated_bytes/ })).toContainText('column of device')
  await press(page, 'Tab')
  await expect(editorOf(page)).toHaveValue('SELECT peak_event FROM device d WHERE d.peak_allocated_bytes')
  await page.keyboard.type(' > 0')
  await press(page, 'Control+Enter')
  await expect(cellAt(page, 0, 0)).toHaveText(String(ftLora.peakEvent))
  await run('SELECT 1')
  await editorOf(page).focus()
  await press(page, 'Alt+ArrowUp')
  await expect(editorOf(page)).toHaveValue(/peak_event/)
  await press(page, 'Control+ ', 'Escape')
  await expect(list).toBeHidden()
})

test('a write is refused with what it would do; wrong SQL tells the place; the last result stays and is marked', async () => {
  const { page } = app()
  await run('SELECT count(*) AS n FROM allocation')
  await run('DELETE FROM allocation')
  await expect(failureOf(page)).toContainText('query/read_only')
  await expect(failureOf(page)).toContainText('DELETE is not run: statements only read the index')
  await expect(page.getByText('of an earlier statement')).toBeVisible()
  await expect(gridOf(page)).toBeVisible()
  for (const statement of ["ATTACH '/tmp/other.db' AS other", "SELECT load_extension('/tmp/evil.so')", 'PRAGMA journal_mode = WAL']) {
    await run(statement)
    await expect(failureOf(page)).toContainText('query/read_only')
  }
  await run('SELECT size_bytes,\n  no_such FROM allocation')
  await expect(failureOf(page)).toContainText('no such column: no_such')
  await page.getByRole('button', { name: 'line 2, column 3' }).click()
  const selected = await editorOf(page).evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd))
  expect(selected).toBe('no_such')
  await run('SELECT count(*) AS n FROM allocation')
  await expect(failureOf(page)).toBeHidden()
})

test('a statement without end is stopped by Escape and by the time limit; every row goes into the CSV file', async () => {
  const { page, electron } = app()
  const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)'
  await editorOf(page).fill(`${endless} SELECT count(*) FROM n`)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(failureOf(page)).toContainText('query/cancelled')
  await page.getByLabel('Time limit').selectOption({ label: '5 s' })
  await editorOf(page).focus()
  await page.keyboard.press('Control+Enter')
  await expect(failureOf(page)).toContainText('query/timed_out', { timeout: 30_000 })
  await run(`${endless} SELECT i FROM n LIMIT 12000`)
  await expect(rowsOf(page)).toHaveText('first 10,000 rows of more')
  const filePath = join(scratch.path, 'rows.csv')
  await electron.evaluate(({ dialog }, path) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: path })
  }, filePath)
  await page.getByRole('button', { name: 'Export CSV…' }).click()
  await expect(messageOf(page, 'rows.csv')).toBeVisible({ timeout: 30_000 })
  expect(readFileSync(filePath, 'utf8').trimEnd().split('\n')).toHaveLength(12_001)
})
