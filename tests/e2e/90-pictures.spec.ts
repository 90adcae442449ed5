// Pictures of the running app for README and review, in tests/.out/pictures: <what>-<theme>-<size>-<language>.png.
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { corpusFile } from '../support/corpus.ts'
import { outFolder, root, samplePath } from './files.ts'
import { type App, dropFiles, waitUntilIdle } from './launch.ts'
import { inkOf, pixelsOf } from './pixels.ts'
import { canvasOf, expectShown, openByDrop, press, runByPalette, tabNamed, tabsOf } from './steps.ts'
import { sharedApp } from './with-app.ts'

const folder = join(outFolder, 'pictures')
const app = sharedApp()

test.beforeAll(() => mkdirSync(folder, { recursive: true }))
test.beforeEach(async () => {
  const { page } = app()
  await page.mouse.move(2, 2)
  for (let left = await tabsOf(page).count(); left > 0; left--) await page.keyboard.press('Control+W')
})

interface Look {
  readonly theme: 'dark' | 'light'
  readonly width: number
  readonly height: number
  readonly language: 'en' | 'zh-CN'
}

const looks: readonly Look[] = (['dark', 'light'] as const).flatMap((theme) =>
  (['en', 'zh-CN'] as const).flatMap((language) => [
    { theme, language, width: 1024, height: 640 },
    { theme, language, width: 1920, height: 1200 },
  ]),
)

const titles = {
  en: { en: 'English', dark: 'Dark Theme', light: 'Light Theme' },
  'zh-CN': { 'zh-CN': '简体中文', dark: '深色主题', light: '浅色主题' },
} as const

/** Only what differs from the look before is changed: a picture costs little, a walk through the palette more. */
async function putOn({ page, electron }: App, { theme, width, height, language }: Look): Promise<void> {
  const now = await page.evaluate(() => ({ language: document.documentElement.lang, theme: document.documentElement.dataset.theme }))
  if (now.language !== language) await runByPalette(page, language === 'en' ? titles.en.en : titles['zh-CN']['zh-CN'])
  if (now.theme !== theme) await runByPalette(page, titles[language][theme])
  await electron.evaluate(({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height), {
    width,
    height,
  })
  await expect.poll(() => page.evaluate(() => [window.innerWidth, window.innerHeight])).toEqual([width, height])
  await waitUntilIdle(page)
}

async function take(name: string): Promise<void> {
  await app().page.mouse.move(2, 2)
  await waitUntilIdle(app().page)
  const path = join(folder, `${name}.png`)
  await app().page.screenshot({ path, animations: 'disabled', caret: 'hide' })
  expect(statSync(path).size).toBeGreaterThan(8000)
}

const nameOf = (what: string, { theme, width, height, language }: Look): string => `${what}-${theme}-${width}x${height}-${language}`

test('pictures of the welcome page', async () => {
  for (const look of looks) {
    await putOn(app(), look)
    await take(nameOf('welcome', look))
  }
})

const captures: readonly (readonly [what: string, file: string | null, keys: readonly string[]])[] = [
  ['ft_lora', samplePath('ft_lora'), ['k', ...Array<string>(6).fill('ArrowDown')]],
  ['oom', samplePath('oom'), ['o']],
  ['two_devices', samplePath('two_devices'), []],
  ['big_snapshot', corpusFile('large/big_snapshot/snapshot.pickle'), []],
  ['oom_meta_optimizer_0', corpusFile('oom/oom_meta_optimizer_0/snapshot.pickle'), ['o']],
]

for (const [what, file, keys] of captures) {
  test(`pictures of ${what}`, async () => {
    test.skip(file === null, 'the corpus is not here')
    if (file === null) return
    const { page } = app()
    await putOn(app(), { theme: 'dark', width: 1440, height: 900, language: 'en' })
    const name = file.split('/').at(-1) ?? ''
    await openByDrop(page, file, name)
    await press(page, ...keys)
    await expect(tabNamed(page, name)).toBeVisible()
    await take(`${what}-dark-1440x900-en`)
    for (const look of looks) {
      await putOn(app(), look)
      await expectShown(page, name)
      expect(inkOf(await pixelsOf(canvasOf(page))).colours, nameOf(what, look)).toBeGreaterThan(10)
      await take(nameOf(what, look))
    }
  })
}

const views = [
  ['2', 'lifetimes'],
  ['3', 'blocks'],
  ['4', 'fragmentation'],
  ['5', 'flame'],
] as const

for (const [what, file, keys] of captures) {
  test(`pictures of the other views of ${what}`, async () => {
    test.skip(file === null, 'the corpus is not here')
    if (file === null) return
    const { page } = app()
    await putOn(app(), { theme: 'dark', width: 1440, height: 900, language: 'en' })
    const name = file.split('/').at(-1) ?? ''
    await openByDrop(page, file, name)
    await press(page, ...keys)
    for (const look of [{ theme: 'dark', width: 1440, height: 900, language: 'en' } as const, ...looks]) {
      await putOn(app(), look)
      for (const [digit, view] of views) {
        await press(page, digit)
        const canvas = page.getByTestId(`${view}-canvas`)
        await expect(canvas, nameOf(`${what}-${view}`, look)).toHaveAttribute('data-drawn', 'yes')
        await take(nameOf(`${what}-${view}`, look))
      }
    }
  })
}

const traces: readonly (readonly [what: string, file: string | null])[] = [
  ['trace_lora', join(root, 'resources', 'samples', 'trace_lora.json.gz')],
  ['big_trace', corpusFile('large/big_trace/trace.json')],
]

for (const [what, file] of traces) {
  test(`pictures of the trace ${what}`, async () => {
    test.skip(file === null, 'the corpus is not here')
    if (file === null) return
    await openTrace(file)
    for (const look of looks) {
      await putOn(app(), look)
      await expect(app().page.getByTestId('trace-canvas')).toHaveAttribute('data-drawn', 'yes')
      await take(nameOf(`${what}-trace`, look))
    }
  })
}

/** Opens a trace, drawn on the dark theme at the size of the manual's pictures. */
async function openTrace(file: string): Promise<void> {
  const { page } = app()
  await putOn(app(), { theme: 'dark', width: 1440, height: 900, language: 'en' })
  await dropFiles(page, [file])
  await expect(page.getByTestId('trace-canvas')).toHaveAttribute('data-drawn', 'yes', { timeout: 60_000 })
  await waitUntilIdle(page)
}

/** Those that README shows. */
test('pictures for the manual', async () => {
  const { page } = app()
  await putOn(app(), { theme: 'dark', width: 1440, height: 900, language: 'en' })
  await openByDrop(page, samplePath('ft_lora'), 'ft_lora.pickle')
  await press(page, 'k', ...Array<string>(6).fill('ArrowDown'))
  await take('readme-timeline')
  await press(page, 'Escape', 'Escape', '2')
  await take('readme-lifetimes')
  await press(page, 'Escape', '5', 'k')
  await page.getByTestId('flame-canvas').focus()
  for (let row = 0; row < 16; row++) await press(page, 'ArrowDown')
  await take('readme-flame')
  const fragmented = corpusFile('oom/oom_frag_interleave_1/snapshot.pickle')
  if (fragmented === null) return
  await openByDrop(page, fragmented, 'snapshot.pickle')
  await press(page, 'o', '3')
  await take('readme-blocks')
})

test('the picture of a trace for the manual', async () => {
  const { page } = app()
  await openTrace(join(root, 'resources', 'samples', 'trace_lora.json.gz'))
  const search = page.getByRole('textbox', { name: 'Search slices by name' })
  await search.fill('SoftMaxForward')
  await expect(page.getByTestId('trace-found')).toBeVisible()
  await waitUntilIdle(page)
  await search.press('Enter')
  await waitUntilIdle(page)
  await search.press('Escape')
  await take('readme-trace')
})

test('pictures of further states: range, table, colours, time, dialogs, failure', async () => {
  const { page } = app()
  await putOn(app(), { theme: 'dark', width: 1440, height: 900, language: 'en' })
  await openByDrop(page, samplePath('ft_lora'), 'ft_lora.pickle')
  await press(page, 'k', 'ArrowDown', 'f')
  await take('ft_lora-focus-dark-1440x900-en')
  await press(page, 'r')
  await expect(page.getByRole('columnheader', { name: 'In selection' })).toBeVisible()
  await expect(page.getByTitle('Zoom to the selected range')).toBeVisible()
  await take('ft_lora-range-dark-1440x900-en')
  await press(page, 'Escape', '0', 't')
  await take('ft_lora-table-dark-1440x900-en')
  await press(page, 't')
  for (const way of ['size', 'age', 'stream', 'pool']) {
    await press(page, 'c')
    await take(`ft_lora-by-${way}-dark-1440x900-en`)
  }
  await press(page, 'c', 'x')
  await take('ft_lora-time-dark-1440x900-en')
  for (const [key, what] of [
    ['Control+K', 'palette'],
    ['?', 'keys'],
    ['Control+E', 'export'],
    ['Control+,', 'settings'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(page.getByRole('dialog')).toBeVisible()
    if (what === 'export') await expect(page.getByRole('img', { name: 'Preview' })).toBeVisible()
    await waitUntilIdle(page)
    await take(`${what}-dark-1440x900-en`)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
})
