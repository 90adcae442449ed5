// A load that takes a while: seen, cancelled, done again, reused.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import { formatBytes, plainSpaces } from '../../preload/contract/format.ts'
import { ftLora, largeCapture, samplePath } from './files.ts'
import { type App, dropFiles } from './launch.ts'
import { curveAtCursor, exactText, expectShown, openByDrop, runByPalette, statusOf, tabNamed, tabsOf } from './steps.ts'
import { withApp } from './with-app.ts'

const large = largeCapture()
const fileSize = plainSpaces(formatBytes(statSync(large.path).size))

const progressOf = (page: Page) => page.getByRole('progressbar', { name: `Progress of opening ${large.name}` })
const filesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

/** Notes from now on every text of the loading page and every progress of the task bar. */
async function watchLoading({ page, electron }: App): Promise<{ texts(): Promise<string[]>; shares(): Promise<number[]> }> {
  await electron.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    const seen: number[] = []
    Object.assign(globalThis, { seenShares: seen })
    if (window) window.setProgressBar = (share: number) => void seen.push(share)
  })
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(window, { seenTexts: seen })
    const note = () => {
      const card = document.querySelector('.state-card')
      if (card)
        seen.push(
          [...card.querySelectorAll('h1, p, progress')]
            .map((each) => (each instanceof HTMLProgressElement ? `at ${each.value}` : each.textContent))
            .join(' | '),
        )
    }
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
  })
  return {
    texts: () => page.evaluate(() => (Reflect.get(window, 'seenTexts') as string[]).map((text) => text.replaceAll('\u00a0', ' '))),
    shares: () => electron.evaluate(() => Reflect.get(globalThis, 'seenShares') as number[]),
  }
}

const stages = ['Reading', 'Replaying the allocator', 'Writing the index'] as const

test('a large file shows its stages, bytes of the whole and a rate, and the task bar follows', () =>
  withApp({}, async (app) => {
    const { page } = app
    const watch = await watchLoading(app)
    await dropFiles(page, [large.path])
    await expectShown(page, large.name)
    const texts = await watch.texts()
    // A stage that is over before the next look at the progress is never shown; reading is the longest.
    const seen = stages.filter((stage) => texts.some((text) => text.startsWith(`Opening ${large.name} | ${stage} |`)))
    expect(seen[0]).toBe('Reading')
    expect(seen.length, texts.join('\n')).toBeGreaterThan(1)
    expect(
      texts.some((text) => new RegExp(`\\d ([KM]i)?B of ${fileSize} · [\\d.,]+ [KMG]iB/s`).test(text)),
      texts.join('\n'),
    ).toBe(true)
    const values = texts.map((text) => Number(/at ([\d.]+)/.exec(text)?.[1] ?? Number.NaN)).filter((value) => !Number.isNaN(value))
    expect(new Set(values).size).toBeGreaterThan(3)
    expect(values, 'never goes back').toEqual([...values].sort((a, b) => a - b))
    const shares = await watch.shares()
    expect(shares.some((share) => share > 0 && share < 1)).toBe(true)
    expect(shares.at(-1), 'cleared at the end').toBe(-1)
  }))

test('Esc cancels a load: its tab goes, nothing stays in the cache folder; it opens afterwards, the next time from the index', () =>
  withApp({}, async ({ page, cacheFolder }) => {
    await dropFiles(page, [large.path])
    await expect(progressOf(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(tabsOf(page)).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'See where GPU memory went' })).toBeVisible()
    await expect.poll(() => filesIn(cacheFolder)).toEqual([])

    await openByDrop(page, large.path, large.name)
    await expect(statusOf(page)).toContainText('Index ready')
    expect(filesIn(cacheFolder)).toEqual([expect.stringMatching(/\.tidemark$/)])

    await page.keyboard.press('Control+W')
    await expect(tabsOf(page)).toHaveCount(0)
    await openByDrop(page, large.path, large.name)
    await expect(statusOf(page)).toContainText('Opened from index')
  }))

test('other captures stay usable while one loads', () =>
  withApp({}, async ({ page }) => {
    await openByDrop(page, samplePath('ft_lora'), 'ft_lora.pickle')
    await dropFiles(page, [large.path])
    await expect(progressOf(page)).toBeVisible()
    await page.keyboard.press('Control+Tab')
    await expect(tabNamed(page, 'ft_lora.pickle')).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('k')
    await expect(curveAtCursor(page, 'Allocated')).toHaveAttribute('title', exactText(ftLora.peakBytes))
    await expect(tabNamed(page, large.name), 'still loading').toHaveAttribute('aria-label', `${large.name}, loading`)
  }))

test('closing a tab that loads cancels its load', () =>
  withApp({}, async ({ page, cacheFolder }) => {
    await dropFiles(page, [large.path])
    await expect(progressOf(page)).toBeVisible()
    await page.keyboard.press('Control+W')
    await expect(tabsOf(page)).toHaveCount(0)
    await expect.poll(() => filesIn(cacheFolder)).toEqual([])
  }))

test('an index is made anew on demand', () =>
  withApp({}, async ({ page }) => {
    for (const expected of ['Index ready', 'Opened from index']) {
      await openByDrop(page, samplePath('oom'), 'oom.pickle')
      await expect(statusOf(page)).toContainText(expected)
      if (expected === 'Index ready') await page.keyboard.press('Control+W')
    }
    await runByPalette(page, 'Rebuild Index')
    await expect(statusOf(page)).toContainText('Index ready')
    await expectShown(page, 'oom.pickle')
  }))
