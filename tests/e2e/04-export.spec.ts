// Pictures and tables for reports: files on disk and the clipboard.
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { constants, inflateSync } from 'node:zlib'
import { expect, type Page, test } from '@playwright/test'
import { PNG } from 'pngjs'
import { aliveAfter, numberOf, runCli } from './cli.ts'
import { ftLora, samplePath } from './files.ts'
import { inkOf } from './pixels.ts'
import { canvasOf, closeAllTabs, countText, messageOf, openByDrop, press, runByPalette } from './steps.ts'
import { sharedApp, sharedScratch } from './with-app.ts'

const file = samplePath('ft_lora')
const { peakBytes, peakEvent } = ftLora
const app = sharedApp()
const scratch = sharedScratch()

test.beforeEach(async () => {
  await closeAllTabs(app().page)
  await openByDrop(app().page, file, 'ft_lora.pickle')
})

/** Answers the next save dialogs with this path, or cancels them. */
async function saveTo(path: string | null): Promise<void> {
  await app().electron.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: filePath === null, filePath: filePath ?? '' })
  }, path)
}

interface Choice {
  readonly format: 'png' | 'svg' | 'pdf'
  readonly width: number
  readonly height: number
  readonly scale?: number
  readonly theme?: 'light' | 'dark'
}

async function exportImage(page: Page, choice: Choice, path: string): Promise<void> {
  await saveTo(path)
  await page.keyboard.press('Control+E')
  const dialog = page.getByRole('dialog', { name: 'Export image' })
  await dialog.getByLabel('Format').selectOption(choice.format)
  await dialog.getByLabel('Width').fill(String(choice.width))
  await dialog.getByLabel('Height').fill(String(choice.height))
  if (choice.scale) await dialog.getByLabel('Resolution').selectOption(String(choice.scale))
  await dialog.getByLabel('Theme').selectOption(choice.theme ?? 'light')
  await dialog.getByRole('button', { name: 'Save…' }).click()
  await expect(dialog).toBeHidden({ timeout: 60_000 })
  await expect(messageOf(page, `Saved ${basename(path)}`)).toBeVisible()
}

const readPng = (path: string): PNG => PNG.sync.read(readFileSync(path))

test('a PNG has the chosen size, the theme of paper and a picture from edge to edge', async () => {
  const path = join(scratch.path, 'plain.png')
  await exportImage(app().page, { format: 'png', width: 3000, height: 1500 }, path)
  const png = readPng(path)
  expect([png.width, png.height]).toEqual([3000, 1500])
  expect(png.data.readUInt32BE(0) >>> 8, 'the light background').toBeGreaterThan(0xf0f0f0)
  for (const x of [200, 1300, 2600]) {
    const ink = inkOf(png, { x, y: 300, width: 300, height: 1000 })
    expect(ink.colours, `at ${x}`).toBeGreaterThan(20)
    expect(ink.background, `at ${x}`).toBeLessThan(0.95)
  }
})

test('a PNG wider than a texture may be is whole, its text larger at a higher resolution', async () => {
  const path = join(scratch.path, 'wide.png')
  await exportImage(app().page, { format: 'png', width: 4300, height: 640, scale: 2, theme: 'dark' }, path)
  const png = readPng(path)
  expect([png.width, png.height]).toEqual([8600, 1280])
  expect(png.data.readUInt32BE(0) >>> 8, 'the dark background').toBeLessThan(0x303030)
  for (const x of [1000, 4000, 8200]) {
    const ink = inkOf(png, { x, y: 400, width: 300, height: 600 })
    expect(ink.colours, `at ${x}`).toBeGreaterThan(10)
    expect(ink.background, `at ${x}`).toBeLessThan(0.98)
  }
})

test('the same view exports to the same bytes', async () => {
  const [one, two] = [join(scratch.path, 'one.png'), join(scratch.path, 'two.png')]
  for (const path of [one, two]) await exportImage(app().page, { format: 'png', width: 1600, height: 900 }, path)
  expect(readFileSync(one).equals(readFileSync(two))).toBe(true)
})

test('an SVG holds title, axes and units as text, curves as paths and only the dense part as an image', async () => {
  const { page } = app()
  await press(page, 'k')
  const path = join(scratch.path, 'picture.svg')
  await exportImage(page, { format: 'svg', width: 1600, height: 900 }, path)
  const text = readFileSync(path, 'utf8')
  const parsed = await page.evaluate((svg) => {
    const found = new DOMParser().parseFromString(svg, 'image/svg+xml')
    const all = (name: string) => [...found.getElementsByTagName(name)]
    return {
      isBroken: all('parsererror').length > 0,
      size: [found.documentElement.getAttribute('width'), found.documentElement.getAttribute('height')],
      texts: all('text').map((each) => each.textContent ?? ''),
      paths: all('path').length,
      images: all('image').map((each) => each.getAttribute('xlink:href') ?? each.getAttribute('href') ?? ''),
      scripts: all('script').length,
    }
  }, text)
  expect(parsed.isBroken).toBe(false)
  expect(parsed.size).toEqual(['1600', '900'])
  expect(parsed.texts.some((each) => each.includes('ft_lora.pickle') && each.includes('GPU memory over time'))).toBe(true)
  expect(parsed.texts.filter((each) => /^\d+(\.\d+)?\u00a0(GiB|MiB)$/.test(each)).length, 'byte axis').toBeGreaterThanOrEqual(3)
  expect(parsed.texts).toContain('event')
  expect(parsed.texts.filter((each) => /^\d[\d,]*$/.test(each)).length, 'event axis').toBeGreaterThanOrEqual(3)
  for (const word of ['Reserved', 'Active', 'Allocated', 'Requested']) expect(parsed.texts).toContain(word)
  expect(parsed.paths).toBeGreaterThanOrEqual(4)
  expect(parsed.images).toEqual([expect.stringMatching(/^data:image\/png;base64,/)])
  expect(parsed.scripts).toBe(0)
  const raster = PNG.sync.read(Buffer.from((parsed.images[0] ?? '').split(',')[1] ?? '', 'base64'))
  expect(inkOf(raster).colours).toBeGreaterThan(5)
})

test('a PDF is one page of the chosen size, with text as text and without scripts', async () => {
  const path = join(scratch.path, 'picture.pdf')
  await exportImage(app().page, { format: 'pdf', width: 1600, height: 900 }, path)
  const pdf = readFileSync(path)
  const text = pdf.toString('latin1')
  expect(text.slice(0, 5)).toBe('%PDF-')
  expect(text.match(/\/Type \/Page\b/g)).toHaveLength(1)
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(text) ?? []
  expect([Math.round(Number(width)), Math.round(Number(height))]).toEqual([1200, 675]) // points
  expect(text).not.toContain('/JavaScript')
  expect(text.match(/\/FontFile2?\b/g)?.length ?? 0, 'embedded fonts').toBeGreaterThan(0)
  const streams = [...text.matchAll(/\/FlateDecode[^>]*>>\s*stream\r?\n/g)].map((match) => {
    const from = match.index + match[0].length
    const end = pdf.indexOf('endstream', from)
    return inflateSync(pdf.subarray(from, end), { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1')
  })
  const drawing = streams.find((stream) => /\bT[jJ]\b/.test(stream)) ?? ''
  expect(drawing.match(/\bT[jJ]\b/g)?.length ?? 0, 'texts').toBeGreaterThan(20)
  expect(drawing.match(/ l\n/g)?.length ?? 0, 'lines of curves').toBeGreaterThan(100)
})

for (const [format, head] of [
  ['png', '\x89PNG'],
  ['svg', '<?xml'],
  ['pdf', '%PDF-'],
] as const) {
  test(`the command line makes a picture as ${format.toUpperCase()} without a window`, () => {
    const path = join(scratch.path, `command.${format}`)
    runCli(app().cacheFolder, ['export', file, '--view', 'timeline', '-o', path, '--size', '800x600'])
    expect(readFileSync(path).subarray(0, head.length).toString('latin1')).toBe(head)
  })
}

test('the dialog shows a preview, refuses impossible sizes with a reason, and a cancelled save leaves it open', async () => {
  const { page } = app()
  await saveTo(null)
  await page.keyboard.press('Control+E')
  const dialog = page.getByRole('dialog', { name: 'Export image' })
  await expect(dialog.getByRole('img', { name: 'Preview' })).toBeVisible()
  const save = dialog.getByRole('button', { name: 'Save…' })
  await dialog.getByLabel('Width').fill('20')
  await expect(save).toBeDisabled()
  await expect(dialog.getByRole('alert')).toHaveText('Width and height must be 320 to 16,384 pixels, the resolution included.')
  await dialog.getByLabel('Width').fill('1600')
  await save.click()
  await expect(save).toBeEnabled()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('a folder that cannot be written is told in words, with the reason of the system', async () => {
  const { page } = app()
  const path = join(scratch.path, 'no such folder', 'picture.png')
  await saveTo(path)
  await page.keyboard.press('Control+E')
  const dialog = page.getByRole('dialog', { name: 'Export image' })
  await dialog.getByRole('button', { name: 'Save…' }).click()
  await expect(messageOf(page, 'The export could not be written (ENOENT: no such file or directory')).toBeVisible()
  expect(existsSync(path)).toBe(false)
  await page.keyboard.press('Escape')
})

/** Records of a CSV text: quoted fields may hold commas, quotes and line ends. */
function readCsv(text: string): string[][] {
  const records: string[][] = [[]]
  for (const [, quoted, plain, end] of text.replace(/^\ufeff/, '').matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    const last = records.at(-1)
    if (last && (last.length > 0 || end !== '' || plain)) last.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end !== ',' && end !== '') records.push([])
  }
  return records.filter((record) => record.length > 0)
}

test('the CSV of what is alive at the cursor has a row for each allocation, exact bytes and whole stacks', async () => {
  const { page, cacheFolder } = app()
  await press(page, 'k', 't')
  const path = join(scratch.path, 'alive.csv')
  await saveTo(path)
  await page.getByRole('button', { name: 'Export CSV…' }).click()
  await expect(messageOf(page, 'Saved alive.csv')).toBeVisible()
  const [head, ...rows] = readCsv(readFileSync(path, 'utf8'))
  const count = numberOf(cacheFolder, file, `SELECT count(*) FROM allocation WHERE ${aliveAfter(peakEvent)}`)
  expect(rows).toHaveLength(count)
  await expect(page.getByText(`${countText(rows.length)} allocations`)).toBeVisible()
  const size = head?.indexOf('size_bytes') ?? -1
  expect(rows.reduce((sum, row) => sum + Number(row[size]), 0)).toBe(peakBytes)
  const stack = head?.indexOf('stack') ?? -1
  expect(rows.some((row) => /\.py:\d+/.test(row[stack] ?? ''))).toBe(true)
  await press(page, 't')
})

/** Size of the image on the clipboard, by whichever clipboard this Electron has. */
async function clipboardImage(): Promise<Buffer> {
  const base64 = await app().electron.evaluate(async ({ clipboard }) => {
    const old: unknown = Reflect.get(clipboard, 'readImage')
    if (typeof old === 'function') return (old.call(clipboard) as { toPNG(): Buffer }).toPNG().toString('base64')
    const [item] = await clipboard.read()
    const blob = (await item?.getType('image/png')) as Blob | undefined
    return blob ? Buffer.from(await blob.arrayBuffer()).toString('base64') : ''
  })
  return Buffer.from(base64, 'base64')
}

test('the view is copied to the clipboard as an image', async () => {
  const { page } = app()
  await app().electron.evaluate(({ clipboard }) => clipboard.clear())
  await runByPalette(page, 'Copy View as Image')
  await expect(messageOf(page, 'Image copied')).toBeVisible()
  const png = PNG.sync.read(await clipboardImage())
  expect([png.width, png.height]).toEqual([1600, 900])
  expect(inkOf(png, { x: 200, y: 200, width: 1200, height: 500 }).colours).toBeGreaterThan(20)
  await expect(canvasOf(page)).toBeVisible()
})

test('the export menu offers the same by arrows and Enter', async () => {
  const { page } = app()
  const button = page.getByRole('button', { name: 'Export', exact: true })
  await button.focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Export image' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
})
