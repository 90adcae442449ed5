// What memory is for: colours, legend, filter, reasons and pictures, compared with SQL on the same capture.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { PNG } from 'pngjs'
import { numberOf, query, runCli } from './cli.ts'
import { ftLora, samplePath } from './files.ts'
import { waitUntilIdle } from './launch.ts'
import { differingShare, pixelsOf } from './pixels.ts'
import { canvasOf, closeAllTabs, countText, exactText, factOf, openByDrop, press } from './steps.ts'
import { sharedApp, sharedScratch } from './with-app.ts'

const file = samplePath('ft_lora')
const app = sharedApp()
const scratch = sharedScratch()
const alive = `live_allocation(0, ${ftLora.peakEvent}) JOIN allocation_category(0) USING (allocation_id)`

const purposeOf = (page: Page) => page.getByRole('region', { name: 'By category' })
const purposeRow = (page: Page, name: string) => purposeOf(page).locator('.purpose-filter').filter({ hasText: name })
const filterText = (page: Page) => page.getByRole('region', { name: 'Filter' }).getByRole('combobox')
const drawerOf = (page: Page) => page.locator('[data-region=details]')
const sql = (text: string): number => numberOf(app().cacheFolder, file, text)

test.beforeEach(async () => {
  const { page } = app()
  await page.mouse.move(2, 2)
  await closeAllTabs(page)
  await openByDrop(page, file, 'ft_lora.pickle')
})

test('C comes to colours by category, whose legend and section say what the peak is for', async () => {
  const { page } = app()
  const byStack = await pixelsOf(canvasOf(page))
  const chooser = page.getByRole('combobox', { name: 'Color by' })
  for (let presses = 0; (await chooser.inputValue()) !== 'category'; presses++) {
    expect(presses).toBeLessThan(6)
    await press(page, 'c')
  }
  expect(differingShare(byStack, await pixelsOf(canvasOf(page)))).toBeGreaterThan(0.05)
  const legend = page.getByRole('region', { name: 'Categories' })
  const everIn = query(app().cacheFolder, file, 'SELECT DISTINCT category FROM allocation_category(0)').map(({ category }) => category)
  expect(everIn).not.toContain('kv_cache')
  await expect(legend.locator('.swatch')).toHaveCount(everIn.length)
  await expect(legend).toContainText('Autograd detail')
  await expect(legend).not.toContainText('KV cache')
  const bytes = sql(`SELECT sum(size_bytes) FROM ${alive} WHERE category = 'activation'`)
  await expect(purposeRow(page, 'Activation')).toHaveAttribute('title', new RegExp(`Activation\n${exactText(bytes)}`))
  await expect(purposeRow(page, 'Activation')).toContainText(`${((bytes / ftLora.peakBytes) * 100).toFixed(1)}`)
  await purposeOf(page).getByRole('button', { name: 'Show the rules of Optimizer state' }).press('Enter')
  await expect(purposeOf(page).locator('.purpose-rules')).toContainText('almost certain')
  await press(page, 'k', 'ArrowRight')
  await expect(purposeOf(page)).toContainText(`at event ${countText(ftLora.peakEvent + 1)}`)
  const after = `live_allocation(0, ${ftLora.peakEvent + 1}) JOIN allocation_category(0) USING (allocation_id)`
  const autograd = sql(`SELECT sum(size_bytes) FROM ${after} WHERE category = 'autograd_detail'`)
  await expect(purposeRow(page, 'Autograd detail')).toHaveAttribute('title', new RegExp(exactText(autograd)))
  expect(autograd).not.toBe(sql(`SELECT sum(size_bytes) FROM ${alive} WHERE category = 'autograd_detail'`))
})

test('a row filters every view by its category as a term of the filter, and lets all pass again', async () => {
  const { page } = app()
  const count = sql(`SELECT count(*) FROM allocation_category(0) WHERE category = 'activation'`)
  await purposeRow(page, 'Activation').click()
  await expect(purposeRow(page, 'Activation')).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('region', { name: 'Filter' })).toContainText(`${countText(count)} of ${countText(2354)}`)
  await press(page, '2', 'g', 'g', 'g', 'g')
  await expect(page.getByRole('combobox', { name: 'Rows' })).toHaveValue('category')
  await expect(page.locator('.lifetimes-foot')).toContainText('One row a category')
  await expect(filterText(page)).toHaveValue('category:activation')
  await press(page, '1')
  await purposeRow(page, 'Activation').click()
  await expect(filterText(page)).toHaveValue('')
  await expect(purposeRow(page, 'Activation')).toHaveAttribute('aria-pressed', 'false')
})

test('the drawer tells the rule and why it matched, and filters by the category', async () => {
  const { page } = app()
  await press(page, 'k', 'ArrowDown')
  const reason = drawerOf(page).locator('.category-details')
  const address = (await factOf(page, 'Address').getAttribute('title')) ?? ''
  const [row] = query(app().cacheFolder, file, `SELECT category, rule, confidence FROM ${alive} WHERE address = '${address}'`)
  const rules: { id: string; title: { en: string }; why: { en: string } }[] = JSON.parse(
    readFileSync('resources/categories/rules.json', 'utf8'),
  ).rules
  const rule = rules.find(({ id }) => id === row?.rule)
  await expect(reason).toContainText(rule?.title.en ?? 'no such rule')
  await expect(reason).toContainText(rule?.why.en ?? 'no such rule')
  await expect(reason).toContainText(`${Math.round(Number(row?.confidence) * 100)}`)
  await reason.getByRole('button').click()
  await expect(filterText(page)).toHaveValue(`category:${row?.category}`)
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .include('[data-region=sideBar]')
    .include('[data-region=details]')
    .analyze()
  expect(violations).toEqual([])
})

test('the flame graph colours functions by what most of their memory is for, and says it in drawer and table', async () => {
  const { page } = app()
  await press(page, '5')
  const flame = page.getByTestId('flame-canvas')
  await expect(flame).toHaveAttribute('data-drawn', 'yes')
  const byModule = await pixelsOf(flame)
  await press(page, 'c')
  await expect(page.getByRole('combobox', { name: 'Color by' })).toHaveValue('category')
  expect(differingShare(byModule, await pixelsOf(flame))).toBeGreaterThan(0.1)
  const bytes = sql(`SELECT sum(size_bytes) FROM ${alive} WHERE category = 'workspace'`)
  const legend = page.getByRole('region', { name: 'Categories' })
  await expect(legend.locator('li').filter({ hasText: 'Workspace' })).toContainText(`${(bytes / 2 ** 20).toFixed(1)}`)
  await press(page, 'ArrowDown')
  const share = sql(`SELECT max(s) * 1.0 / sum(s) FROM (SELECT sum(size_bytes) AS s FROM ${alive} GROUP BY category)`)
  await expect(factOf(page, 'Category')).toContainText(`Activation · ${(share * 100).toFixed(1)}`)
  await press(page, 't')
  await expect(page.getByTestId('flame-table').locator('tbody tr').nth(1)).toContainText('Activation')
})

test('pictures of the command line differ by category from those by stack, and name the categories', async () => {
  const pictureOf = (view: string, name: string, ...words: string[]): string => {
    const path = join(scratch.path, name)
    runCli(app().cacheFolder, ['export', file, '--view', view, '-o', path, '--size', '1200x700', ...words])
    return path
  }
  const png = (path: string): PNG => PNG.sync.read(readFileSync(path))
  const [byStack, byCategory] = [pictureOf('timeline', 'stack.png'), pictureOf('timeline', 'category.png', '--color-by', 'category')]
  expect(differingShare(png(byStack), png(byCategory))).toBeGreaterThan(0.05)
  const svg = readFileSync(pictureOf('flame', 'category.svg', '--color-by', 'category'), 'utf8')
  for (const name of ['Parameter', 'Activation', 'Workspace']) expect(svg).toContain(name)
  expect(svg).not.toContain('>transformers')
  await waitUntilIdle(app().page)
})
