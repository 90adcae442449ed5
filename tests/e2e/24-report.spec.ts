// A report for a reader without the app: composed in the window and on the command line, opened from disk with the network watched.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { expect, type Page, test } from '@playwright/test'
import { PNG } from 'pngjs'
import { numberOf, runCli, startCli } from './cli.ts'
import { samplePath } from './files.ts'
import { inkOf, pixelsOf } from './pixels.ts'
import { closeAllTabs, countText, messageOf, openByDrop, press } from './steps.ts'
import { sharedApp, sharedScratch } from './with-app.ts'

const file = samplePath('oom')
const app = sharedApp()
const scratch = sharedScratch()

test.beforeEach(async () => {
  await closeAllTabs(app().page)
})

async function saveTo(path: string): Promise<void> {
  await app().electron.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath })
  }, path)
}

/** Opens a file from disk in a window of its own, without network; answers the page and every address it asked for. */
async function openFromDisk(path: string): Promise<{ readonly page: Page; readonly asked: () => Promise<string[]> }> {
  const { electron } = app()
  const opened = electron.waitForEvent('window')
  await electron.evaluate(async ({ BrowserWindow, session }, filePath) => {
    const own = session.fromPartition(`report-${Math.random()}`)
    const asked: string[] = []
    Reflect.set(globalThis, '__reportAsked', asked)
    own.webRequest.onBeforeRequest(({ url }, answer) => {
      if (!url.startsWith('data:')) asked.push(url)
      answer({ cancel: false })
    })
    own.enableNetworkEmulation({ offline: true })
    const window = new BrowserWindow({ width: 1160, height: 900, webPreferences: { session: own } })
    await window.loadFile(filePath)
  }, path)
  const page = await opened
  await page.waitForLoadState('load')
  return { page, asked: () => electron.evaluate(() => Reflect.get(globalThis, '__reportAsked') as string[]) }
}

test('Ctrl+Shift+E composes a report of chosen pictures and notes that opens from disk and asks the network for nothing', async () => {
  const { page, cacheFolder } = app()
  await openByDrop(page, file, 'oom.pickle')
  const path = join(scratch.path, 'report.html')
  await saveTo(path)
  await press(page, 'Control+Shift+E')
  const dialog = page.getByRole('dialog', { name: 'Export report' })
  const pictures = dialog.getByRole('group', { name: 'Pictures' }).getByRole('checkbox')
  await expect(pictures).toHaveCount(5)
  await dialog.getByRole('checkbox', { name: 'Lifetimes' }).press('Space')
  await expect(dialog.getByRole('checkbox', { name: 'Lifetimes' })).not.toBeChecked()
  await dialog.getByRole('textbox', { name: 'Your notes' }).fill('Seen after the <b>update</b>.\n\nAsk the team.')
  await dialog.getByRole('button', { name: 'Save…' }).click()
  await expect(messageOf(page, 'Saved report.html')).toBeVisible({ timeout: 60_000 })
  await expect(dialog).toBeHidden()

  const report = await openFromDisk(path)
  const peak = numberOf(cacheFolder, file, 'SELECT max(event) FROM oom WHERE device = 0')
  await expect(report.page.getByRole('heading', { level: 1 })).toHaveText('Memory report: oom.pickle')
  await expect(report.page.locator('.failure')).toContainText(`The program ran out of memory: at event ${countText(peak)}`)
  await expect(report.page.locator('#notes p')).toHaveText(['Seen after the <b>update</b>.', 'Ask the team.'])
  const images = report.page.getByRole('img')
  await expect(images).toHaveCount(6) // the arithmetic, four views, and the last stretch of the timeline
  await expect(images.first()).toHaveAttribute('alt', /^The arithmetic\. .+ [<>] /)
  await expect(report.page.locator('main > section').nth(2)).toContainText('What held the memory at the failure')
  await expect(report.page.getByText('The same numbers as a table')).toBeVisible()
  await expect(report.page.locator('main > section').first()).toContainText('Cause: Fragmentation')
  for (const image of await images.all()) {
    await expect(image).toHaveAttribute('alt', /\S{3}/)
    expect(inkOf(await pixelsOf(image)).colours).toBeGreaterThan(20)
  }
  expect(await report.page.evaluate(() => document.querySelectorAll('script, link, iframe').length)).toBe(0)
  expect(await report.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  expect((await report.asked()).map((url) => basename(url))).toEqual(['report.html'])
  await report.page.close()
})

test('a report as PDF has pages with text and the pictures as vectors', async () => {
  const { page } = app()
  await openByDrop(page, file, 'oom.pickle')
  const path = join(scratch.path, 'report.pdf')
  await saveTo(path)
  await press(page, 'Control+Shift+E')
  const dialog = page.getByRole('dialog', { name: 'Export report' })
  await dialog.getByLabel('Format').selectOption('pdf')
  await dialog.getByRole('button', { name: 'Save…' }).click()
  await expect(messageOf(page, 'Saved report.pdf')).toBeVisible({ timeout: 60_000 })
  const { pages, texts, lines } = contentOf(readFileSync(path))
  expect(pages).toBeGreaterThan(3)
  expect(texts).toBeGreaterThan(200)
  expect(lines).toBeGreaterThan(200)
})

/** Pages of a PDF, and how often its streams show text and draw lines. */
function contentOf(pdf: Buffer): { readonly pages: number; readonly texts: number; readonly lines: number } {
  const text = pdf.toString('latin1')
  const drawn = [...text.matchAll(/\/FlateDecode[^>]*>>\s*stream\r?\n/g)].map((match) => {
    const from = match.index + match[0].length
    try {
      return inflateSync(pdf.subarray(from, pdf.indexOf('endstream', from))).toString('latin1')
    } catch {
      return '' // an image or a font may be packed twice
    }
  })
  const countOf = (pattern: RegExp): number => drawn.reduce((sum, stream) => sum + (stream.match(pattern)?.length ?? 0), 0)
  return { pages: text.match(/\/Type \/Page\b/g)?.length ?? 0, texts: countOf(/\bT[jJ]\b/g), lines: countOf(/ (?:l|re)\n/g) }
}

test('the command line composes the same report twice, in each language, of the views and device asked for', () => {
  const { cacheFolder } = app()
  const compose = (name: string, ...words: string[]): string => {
    const path = join(scratch.path, name)
    runCli(cacheFolder, ['report', samplePath('two_devices'), '-o', path, '--date', '2026-11-30', ...words])
    return readFileSync(path, 'utf8')
  }
  const english = compose('one.html', '--language', 'en', '--device', '0', '--views', 'timeline,flame', '--note', 'A note.')
  expect(compose('two.html', '--language', 'en', '--device', '0', '--views', 'timeline,flame', '--note', 'A note.')).toBe(english)
  expect(english).toContain('<html lang="en">')
  expect(english).toContain('This report is about <b>GPU\u00a00</b>')
  expect(english.match(/<img /g)).toHaveLength(2)
  expect(english).toContain('<p>A note.</p>')
  const chinese = compose('three.html', '--language', 'zh-CN', '--views', 'blocks')
  expect(chinese).toContain('<html lang="zh-CN">')
  expect(chinese).toContain('本报告针对 <b>GPU\u00a01</b>')
})

for (const view of ['timeline', 'lifetimes', 'blocks', 'fragmentation', 'flame']) {
  test(`the command line writes the view ${view} at 1600 × 900: pixels, text that is text, vectors`, async () => {
    const { cacheFolder } = app()
    const written = async (format: string): Promise<Buffer> => {
      const path = join(scratch.path, `${view}.${format}`)
      await startCli(cacheFolder, ['export', samplePath('ft_lora'), '--view', view, '-o', path, '--size', '1600x900'])
      return readFileSync(path)
    }
    const [pixels, vectors, printed] = await Promise.all([written('png'), written('svg'), written('pdf')])
    const png = PNG.sync.read(pixels)
    expect([png.width, png.height]).toEqual([1600, 900])
    const ink = inkOf(png, { x: 100, y: 100, width: 1400, height: 700 })
    expect(ink.colours).toBeGreaterThan(20)
    expect(ink.background).toBeLessThan(0.97)
    const svg = vectors.toString('utf8')
    expect(svg).toContain('width="1600" height="900"')
    expect(svg.match(/<text /g)?.length ?? 0).toBeGreaterThan(10)
    const { pages, texts, lines } = contentOf(printed)
    expect(pages).toBe(1)
    expect(texts).toBeGreaterThan(10)
    expect(lines).toBeGreaterThan(10)
  })
}
