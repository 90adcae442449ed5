// From the timeline to the block map at a failure: the verdict on the failed request, and both pictures. With the corpus at hand the capture
// is its oom_frag_interleave_1 (a fragmented cache); else the shipped sample of the same kind.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { PNG } from 'pngjs'
import { corpusFile } from '../support/corpus.ts'
import { numberOf, query } from './cli.ts'
import { samplePath } from './files.ts'
import { waitUntilIdle } from './launch.ts'
import { countText, messageOf, openByDrop, press } from './steps.ts'
import { sharedApp, sharedScratch } from './with-app.ts'

const file = corpusFile('oom/oom_frag_interleave_1/snapshot.pickle') ?? samplePath('oom')
const app = sharedApp()
const scratch = sharedScratch()

interface Answer {
  readonly fits: boolean
  readonly fitting_count: number
  readonly free: { readonly count: number; readonly largest_bytes: number }
}

async function exportImage(page: Page, format: 'png' | 'svg', path: string): Promise<void> {
  await app().electron.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath })
  }, path)
  await page.keyboard.press('Control+E')
  const dialog = page.getByRole('dialog', { name: 'Export image' })
  await dialog.getByLabel('Format').selectOption(format)
  await dialog.getByRole('button', { name: 'Save…' }).click()
  await expect(dialog).toBeHidden({ timeout: 60_000 })
  await expect(messageOf(page, `Saved ${basename(path)}`)).toBeVisible()
}

test('the failed request of an out-of-memory error is judged on the block map, and both pictures are saved', async () => {
  const { page, cacheFolder } = app()
  await openByDrop(page, file, basename(file))
  const event = numberOf(cacheFolder, file, 'SELECT min(event) FROM oom WHERE device = 0')
  const size = numberOf(cacheFolder, file, `SELECT size_bytes FROM oom WHERE device = 0 AND event = ${event}`)
  await press(page, 'o')
  await exportImage(page, 'png', join(scratch.path, 'timeline.png'))
  expect(PNG.sync.read(readFileSync(join(scratch.path, 'timeline.png'))).width).toBeGreaterThan(100)

  await press(page, '3')
  await expect(page.getByTestId('blocks-canvas')).toHaveAttribute('data-drawn', 'yes')
  await expect(page.getByRole('navigation', { name: 'Moment and stretch shown' })).toContainText(`After event ${countText(event)}`)
  await waitUntilIdle(page)
  const [row] = query(cacheFolder, file, `SELECT would_fit(0, ${event}, ${size}, NULL, NULL) AS answer`)
  const answer = JSON.parse(String(row?.answer)) as Answer
  await expect(page.locator('.blocks-tile.request')).toContainText('Failed request')
  await expect(page.locator('.blocks-tile.request')).toContainText('does not fit')
  const shown = page.getByTestId('blocks-fit-answer').locator('.row').first()
  await expect(shown).toContainText(`${answer.fitting_count} of ${answer.free.count}`)
  expect(answer.fits).toBe(false)

  await page.getByTestId('scrubber').focus()
  await press(page, 'ArrowLeft')
  await expect(page.getByRole('navigation', { name: 'Moment and stretch shown' })).toContainText(`After event ${countText(event - 1)}`)
  // The tile keeps its place, so that nothing jumps when a failure comes by.
  await expect(page.locator('.blocks-tile.request')).toContainText('No request failed at this event')
  await press(page, 'ArrowRight')
  await expect(page.locator('.blocks-tile.request')).toContainText('does not fit')

  await exportImage(page, 'svg', join(scratch.path, 'blocks.svg'))
  const svg = scratch.read('blocks.svg')
  expect(svg).toContain('Failed request')
  expect(svg).toContain('at the scale of the rows below')
  await exportImage(page, 'png', join(scratch.path, 'blocks.png'))
  expect(PNG.sync.read(readFileSync(join(scratch.path, 'blocks.png'))).width).toBeGreaterThan(100)
})

test('a larger request than the one refused at the same event does not fit either, and what is no size is said in red', async () => {
  const { page } = app()
  const size = page.getByTestId('blocks-fit')
  const tile = page.locator('.blocks-tile.request')
  await size.fill('1.5TiB')
  await expect(tile).toContainText('was refused at this event')
  await expect(tile).toContainText('does not fit')
  await expect(page.getByTestId('blocks-fit-answer')).toContainText('Largest request that fits')
  await size.fill('10')
  await expect(page.getByText('A number alone means bytes: 10 B.')).toBeVisible()
  await expect(page.getByTestId('blocks-tiles')).not.toContainText('% of the request')
  await size.fill('abc')
  await expect(page.getByRole('alert').filter({ hasText: '“abc” is not a size: try 400 MiB.' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear the size' }).click()
})

test('nothing overlaps in a small window, with the table open too', async () => {
  const { page, electron } = app()
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1024, 640))
  await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(1024)
  await page.getByTestId('blocks-canvas').focus()
  await press(page, 't')
  const heights = await page.evaluate(() => {
    const parts = ['.blocks-tools', '.blocks-tiles', '.blocks-canvas', '.blocks-table', '.blocks-event', '.scrubber']
    return parts.map((part) => {
      const element = document.querySelector(part)
      const { top, bottom } = element?.getBoundingClientRect() ?? { top: 0, bottom: 0 }
      return { top, bottom }
    })
  })
  for (const [index, { top }] of heights.entries())
    if (index > 0) expect(top).toBeGreaterThanOrEqual((heights[index - 1]?.bottom ?? 0) - 0.5)
  const canvas = await page.getByTestId('blocks-canvas').boundingBox()
  expect(canvas?.height).toBeGreaterThanOrEqual(150)
  const view = await page.locator('.view.blocks').boundingBox()
  const status = await page.locator('.status-line').boundingBox()
  expect((view?.y ?? 0) + (view?.height ?? 0)).toBeLessThanOrEqual((status?.y ?? 0) + 0.5)
  await press(page, 't')
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1440, 900))
})
