// The page of a failure: it opens by itself, its numbers are those of the views, its links lead there, and it can be taken along.
import { basename, join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { corpusFile } from '../support/corpus.ts'
import { numberOf } from './cli.ts'
import { samplePath } from './files.ts'
import { dropFiles, waitUntilIdle } from './launch.ts'
import {
  closeAllTabs,
  countText,
  exactText,
  messageOf,
  momentRow,
  press,
  runByPalette,
  statusOf,
  summaryRow,
  tabNamed,
  textOf,
} from './steps.ts'
import { sharedApp, sharedScratch } from './with-app.ts'

const app = sharedApp()
const scratch = sharedScratch()
const pageOf = (page: Page) => page.getByTestId('diagnosis')
const headlineOf = (page: Page) => pageOf(page).getByRole('heading', { level: 2 })
const viewInFront = (page: Page) => page.locator('.view-button[aria-current]')

test.beforeEach(() => closeAllTabs(app().page))

/** Drops a capture with a failure and waits for the page, which opens by itself. */
async function open(file: string, name: string): Promise<Page> {
  const { page } = app()
  await dropFiles(page, [file])
  await expect(tabNamed(page, name)).toHaveAttribute('aria-selected', 'true', { timeout: 60_000 })
  await expect(headlineOf(page)).toBeVisible({ timeout: 60_000 })
  await waitUntilIdle(page)
  return page
}

const clipboard = () => app().electron.evaluate(({ clipboard: board }) => board.readText())

for (const [name, file] of [
  ['the sample', samplePath('oom')],
  ['a real failure', corpusFile('oom/oom_act_loss_graph_0/snapshot.pickle')],
] as const) {
  test(`${name} opens with its diagnosis, whose numbers are those of the index and the views`, async () => {
    test.skip(file === null, 'the corpus is not here')
    if (file === null) return
    const page = await open(file, basename(file))
    const { cacheFolder } = app()
    const event = numberOf(cacheFolder, file, 'SELECT max(event) FROM oom')
    const asked = numberOf(cacheFolder, file, `SELECT size_bytes FROM oom WHERE event = ${event}`)
    const held = numberOf(cacheFolder, file, `SELECT sum(size_bytes) FROM live_allocation(0, ${event})`)
    await expect(momentRow(page, 'Event')).toHaveText(countText(event))
    await expect(momentRow(page, 'Requested')).toHaveAttribute('title', exactText(asked))
    await expect(momentRow(page, 'Allocated')).toHaveAttribute('title', exactText(held))
    expect(await textOf(headlineOf(page))).toContain(await textOf(momentRow(page, 'Requested')))
    await expect(statusOf(page)).toContainText('Verdict')
    // The sum of its categories is what was held, and a category leads to just its allocations.
    await expect(pageOf(page).locator('.diag-held .diag-head')).toContainText(await textOf(momentRow(page, 'Allocated')))
    await pageOf(page).locator('.diag-held tbody .diag-name').first().click()
    await expect(viewInFront(page)).toContainText('Allocations')
    await waitUntilIdle(page)
    await press(page, 'Alt+ArrowLeft')
    await page.getByRole('button', { name: 'Blocks at this event' }).click()
    await expect(viewInFront(page)).toContainText('Blocks')
    await waitUntilIdle(page)
    await expect(page.locator('.view')).toContainText(countText(event))
  })
}

test('the Markdown tells verdict and numbers, and the page is saved as HTML without script', async () => {
  const page = await open(samplePath('oom'), 'oom.pickle')
  await page.getByRole('button', { name: 'Copy as Markdown' }).click()
  await expect(messageOf(page, 'Copied')).toBeVisible()
  const text = await clipboard()
  const requested = (await textOf(momentRow(page, 'Requested'))).replaceAll('\u00a0', ' ')
  for (const said of ['# Out of memory: oom.pickle', 'Cause: Fragmentation', requested, '| expandable_segments |', 'How this was found'])
    expect(text).toContain(said)
  const path = join(scratch.path, 'page.html')
  await app().electron.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath })
  }, path)
  await page.getByRole('button', { name: 'Save…' }).click()
  await page.getByRole('menuitem', { name: 'Save as HTML…' }).click()
  await expect(messageOf(page, 'page.html')).toBeVisible()
  const saved = scratch.read('page.html')
  expect(saved).toContain('<h1><bdi>Out of memory: oom.pickle</bdi></h1>')
  expect(saved).toContain('data:image/svg+xml;base64,')
  expect(saved).not.toMatch(/<script|https?:\/\//)
})

test('the palette leads to the settings of the allocator that were tried', async () => {
  const page = await open(samplePath('oom'), 'oom.pickle')
  await press(page, '1')
  await runByPalette(page, 'What If: Allocator Settings')
  await expect(viewInFront(page)).toContainText('Diagnosis')
  await expect(pageOf(page).locator('[data-tried]').first()).toBeFocused()
})

test('by keys alone a number leads to its view and back leads to the page', async () => {
  const page = await open(samplePath('oom'), 'oom.pickle')
  await press(page, '1', '9')
  await pageOf(page).focus()
  const inFocus = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  for (let at = 0; at < 20 && !(await inFocus()).startsWith('Show in Blocks'); at++) await page.keyboard.press('Tab')
  expect(await inFocus()).toContain('Show in Blocks')
  await press(page, 'Enter')
  await expect(viewInFront(page)).toContainText('Blocks')
  await press(page, 'Alt+ArrowLeft')
  await expect(headlineOf(page)).toBeVisible()
  await press(page, 'Control+Shift+C')
  expect(await clipboard()).toContain('# Out of memory: oom.pickle')
})

test('a capture without failure opens with its timeline, and its page says that none is on record', async () => {
  const { page } = app()
  await dropFiles(page, [samplePath('ft_lora')])
  await expect(viewInFront(page)).toContainText('Timeline', { timeout: 60_000 })
  await waitUntilIdle(page)
  await press(page, '9')
  await expect(headlineOf(page)).toContainText('no failure on record')
  await expect(headlineOf(page)).toContainText(await textOf(summaryRow(page, 'Peak allocated')))
})

for (const theme of ['Light Theme', 'Dark Theme']) {
  test(`the page has no serious accessibility problem: ${theme}`, async () => {
    const page = await open(samplePath('oom'), 'oom.pickle')
    await runByPalette(page, theme)
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    expect(
      violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`)),
    ).toEqual([])
  })
}
