// Profiles of other tools: opened as a flame graph, weighed by their own values, and written from the window for those tools.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { Profile } from 'pprof-format'
import { foldedText, pprof } from '../fixtures/profiles.ts'
import { samplePath } from './files.ts'
import { dropFiles, waitUntilIdle } from './launch.ts'
import { inkOf, pixelsOf } from './pixels.ts'
import { closeAllTabs, factOf, messageOf, openByDrop, press, runByPalette, statusOf, summaryRow, tabNamed } from './steps.ts'
import { sharedApp, sharedScratch } from './with-app.ts'

const app = sharedApp()
const scratch = sharedScratch()
const nbsp = '\u00a0'

test.beforeEach(async () => {
  await app().page.mouse.move(2, 2)
  await closeAllTabs(app().page)
})

const flameOf = (page: Page) => page.getByTestId('flame-canvas')
const viewsOf = (page: Page) => page.locator('[data-region=views] .view-button')
const valuesOf = (page: Page) => page.getByRole('combobox', { name: 'Value' })

async function drop(page: Page, name: string, content: string | Uint8Array): Promise<void> {
  const path = join(scratch.path, name)
  writeFileSync(path, content)
  await dropFiles(page, [path])
  await expect(tabNamed(page, name)).toHaveAttribute('aria-selected', 'true')
  await expect(flameOf(page)).toHaveAttribute('data-drawn', 'yes')
  await waitUntilIdle(page)
}

/** Answers the next save dialog, and tells the path that was suggested. */
async function saveTo(path: string): Promise<void> {
  await app().electron.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath })
  }, path)
}

test('folded stacks are a flame graph and nothing else: keys, search, table and drawer as of any other', async () => {
  const { page } = app()
  await drop(page, 'stacks.folded', foldedText)
  await expect(viewsOf(page)).toHaveText(['Flame5', 'SQL8'])
  expect(inkOf(await pixelsOf(flameOf(page))).colours).toBeGreaterThan(8)
  await expect(statusOf(page)).toContainText('Values 528')
  await expect(statusOf(page)).toContainText('Whole profile')
  await expect(summaryRow(page, 'Format')).toHaveText('folded')
  await expect(summaryRow(page, 'Samples')).toHaveText('4')
  await expect(page.getByText(/CUDA|snapshot|Peak|Allocations/)).toHaveCount(0)
  await press(page, '1', '2', '3', '4', '6')
  await expect(flameOf(page)).toBeVisible()
  await press(page, 'ArrowDown', 'ArrowDown', 'ArrowDown')
  await expect(page.locator('[data-region=details]')).toContainText('train.py:12')
  await expect(factOf(page, 'Self')).toHaveText('20.5')
  await press(page, 't')
  await expect(page.getByTestId('flame-table').getByRole('columnheader')).toHaveText([/Function/, /File/, /Self/, /Total/, /Share/])
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  expect(violations.map(({ id }) => id)).toEqual([])
  await page.getByRole('textbox', { name: 'Search functions and files' }).fill('forward')
  await expect(page.getByText('94.8')).toBeVisible()
})

test('a value of a pprof profile is chosen, and the graph that is shown is written for other tools', async () => {
  const { page } = app()
  await drop(page, 'heap.pb', pprof())
  await expect(valuesOf(page).locator('option')).toHaveText([
    'alloc_objects (count)',
    'alloc_space (bytes)',
    'inuse_objects (count)',
    'inuse_space (bytes)',
  ])
  await expect(statusOf(page)).toContainText(`inuse_space 1.48${nbsp}KiB`)
  await valuesOf(page).selectOption({ label: 'alloc_objects (count)' })
  await expect(statusOf(page)).toContainText('alloc_objects 7')
  const path = join(scratch.path, 'again.folded')
  await saveTo(path)
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'Export Flame Graph as Folded Stacks…' }).click()
  await expect(messageOf(page, 'Saved again.folded')).toBeVisible()
  expect(readFileSync(path, 'utf8').trim().split('\n').sort()).toEqual([
    'main.main (main.go:10) 2',
    'main.main (main.go:10);0xdeadbeef 1',
    'main.main (main.go:10);append (slice.go:22);grow (slice.go:33) 4',
  ])
})

test('what a snapshot held is written for pprof by the palette, and opens again', async () => {
  const { page } = app()
  await openByDrop(page, samplePath('ft_lora'), 'ft_lora.pickle')
  await press(page, '5')
  await expect(statusOf(page)).toContainText('Bytes alive 1.15')
  const path = join(scratch.path, 'lora.pb.gz')
  await saveTo(path)
  await runByPalette(page, 'Export Flame Graph for pprof')
  await expect(messageOf(page, 'Saved lora.pb.gz')).toBeVisible()
  const packed = readFileSync(path)
  expect(Profile.decode(gunzipSync(packed)).sample.length).toBeGreaterThan(10)
  await drop(page, 'again.pb.gz', packed)
  await expect(statusOf(page)).toContainText('inuse_space 1.15')
  await expect(summaryRow(page, 'Format')).toHaveText('pprof, gzip')
})

test('commands that write flame graphs are offered only where one is in front', async () => {
  const { page } = app()
  await openByDrop(page, samplePath('ft_lora'), 'ft_lora.pickle')
  await page.getByRole('button', { name: 'Export' }).click()
  await expect(page.getByRole('menuitem')).toHaveCount(4)
  await press(page, 'Escape', '5')
  await page.getByRole('button', { name: 'Export' }).click()
  await expect(page.getByRole('menuitem')).toHaveCount(8)
  await press(page, 'Escape')
})
