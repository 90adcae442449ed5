// Use without a mouse and without eyes: regions, focus, spoken changes, and an automated scan of every state in both themes.
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { errorText, trainLog } from './failure-texts.ts'
import { randomBytes, samplePath } from './files.ts'
import { dropFiles, waitUntilIdle } from './launch.ts'
import { canvasOf, closeAllTabs, cursorEvent, factOf, liveRows, openByDrop, press, runByPalette, textOf } from './steps.ts'
import { sharedApp, sharedScratch } from './with-app.ts'

const app = sharedApp()
const scratch = sharedScratch()

test.beforeEach(() => closeAllTabs(app().page))

/** Serious and critical problems of what is on screen, as "rule: element". */
async function problems(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 160)} · ${node.any[0]?.message ?? node.all[0]?.message ?? ''}`),
    )
}

const states: readonly (readonly [name: string, prepare: (page: Page) => Promise<void>])[] = [
  ['the welcome page', async () => undefined],
  [
    'the timeline with a selection',
    async (page) => {
      await openByDrop(page, samplePath('oom'), 'oom.pickle')
      await press(page, 'k', 'ArrowDown', 'r', 'm')
    },
  ],
  [
    'the table twin',
    async (page) => {
      await openByDrop(page, samplePath('oom'), 'oom.pickle')
      await press(page, 't')
    },
  ],
  [
    'a failure',
    async (page) => {
      await dropFiles(page, [scratch.write('noise.bin', randomBytes(1000))])
      await expect(page.getByRole('alert')).toBeVisible()
    },
  ],
  [
    'a table of failures',
    async (page) => {
      const errors = ['2.00 GiB', '4.00 GiB'].map((requested) => errorText({ requested }))
      await dropFiles(page, [scratch.write('train.log', trainLog(errors))])
      await page.getByTestId('failures-table').focus()
      await press(page, 'ArrowDown')
    },
  ],
]

const dialogs = [
  ['Control+K', 'Command palette'],
  ['?', 'Keys'],
  ['Control+,', 'Settings'],
  ['Control+E', 'Export image'],
  ['Control+Shift+E', 'Export report'],
] as const

for (const theme of ['dark', 'light'] as const) {
  for (const [name, prepare] of states) {
    test(`${name} has no serious accessibility problem in the ${theme} theme`, async () => {
      const { page } = app()
      await runByPalette(page, theme === 'dark' ? 'Dark Theme' : 'Light Theme')
      await prepare(page)
      await waitUntilIdle(page)
      expect(await problems(page)).toEqual([])
    })
  }

  test(`the dialogs have no serious accessibility problem in the ${theme} theme`, async () => {
    const { page } = app()
    await runByPalette(page, theme === 'dark' ? 'Dark Theme' : 'Light Theme')
    await openByDrop(page, samplePath('oom'), 'oom.pickle')
    for (const [key, title] of dialogs) {
      await page.keyboard.press(key)
      await expect(page.getByRole('dialog', { name: title })).toBeVisible()
      await waitUntilIdle(page)
      expect(await problems(page), title).toEqual([])
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    }
  })
}

const focusedRegion = (page: Page) => page.evaluate(() => document.activeElement?.closest('[data-region]')?.getAttribute('data-region'))

test('F6 goes through the regions of the window in reading order and round, Shift+F6 back', async () => {
  const { page } = app()
  await openByDrop(page, samplePath('oom'), 'oom.pickle')
  await press(page, 'o')
  const order = ['captures', 'views', 'sideBar', 'main', 'details', 'status']
  await page.locator('[data-region=status] button').focus()
  for (const region of order) {
    await page.keyboard.press('F6')
    expect(await focusedRegion(page)).toBe(region)
  }
  for (const region of order.slice(0, -1).reverse()) {
    await page.keyboard.press('Shift+F6')
    expect(await focusedRegion(page)).toBe(region)
  }
})

test('Tab reaches every control once and comes round: nothing traps the focus', async () => {
  const { page } = app()
  await openByDrop(page, samplePath('oom'), 'oom.pickle')
  await press(page, 'o')
  await page.locator('[data-region=captures] button').first().focus()
  const reached: string[] = []
  const current = () =>
    page.evaluate(() => {
      const element = document.activeElement
      const all = [...document.querySelectorAll('*')]
      return element && element !== document.body
        ? `${all.indexOf(element)} ${element.closest('[data-region]')?.getAttribute('data-region') ?? ''}`
        : ''
    })
  const first = await current()
  for (let at = first, steps = 0; steps < 200 && (steps === 0 || at !== first); steps++) {
    reached.push(at)
    await page.keyboard.press('Tab')
    at = await current()
    if (at === '') await page.keyboard.press('Tab')
    at = await current()
  }
  expect(reached.length).toBeLessThan(200)
  expect(new Set(reached).size).toBe(reached.length)
  for (const region of ['captures', 'views', 'sideBar', 'main', 'details', 'status'])
    expect(
      reached.some((each) => each.endsWith(` ${region}`)),
      region,
    ).toBe(true)
})

test('the focus is visible: the focused control has an outline of 2 px', async () => {
  const { page } = app()
  await openByDrop(page, samplePath('oom'), 'oom.pickle')
  for (let step = 0; step < 6; step++) {
    await page.keyboard.press('F6')
    const outline = await page.evaluate(() => {
      const style = getComputedStyle(document.activeElement ?? document.body)
      return { style: style.outlineStyle, width: Number.parseFloat(style.outlineWidth) }
    })
    expect(outline.style, String(await focusedRegion(page))).not.toBe('none')
    expect(outline.width).toBeGreaterThanOrEqual(2)
  }
})

const spoken = (page: Page) => page.locator('[role=status][aria-live=polite]')

test('moving the selection is spoken: the allocation, its size, the event', async () => {
  const { page } = app()
  await openByDrop(page, samplePath('ft_lora'), 'ft_lora.pickle')
  await press(page, 'k')
  await expect(spoken(page)).toContainText('2,480')
  await expect(spoken(page)).toContainText('1.15\u00a0GiB')
  await press(page, 'ArrowDown')
  const size = (await textOf(page.locator('.details-headline .details-size'))).trim()
  await expect(spoken(page)).toContainText(size)
})

test('the picture is described in words, and its table is reached by keys alone', async () => {
  const { page } = app()
  await openByDrop(page, samplePath('ft_lora'), 'ft_lora.pickle')
  await expect(canvasOf(page)).toHaveAttribute('role', 'application')
  await expect(canvasOf(page)).toHaveAttribute(
    'aria-label',
    /^Timeline of GPU\u00a00: [\d,]+ events, [\d,]+ allocations shown, peak 1\.15\u00a0GiB/,
  )
  await press(page, 'k', 't')
  const choose = liveRows(page).first().getByRole('button')
  await canvasOf(page).focus()
  for (let steps = 0; steps < 20 && !(await choose.evaluate((element) => element === document.activeElement)); steps++)
    await page.keyboard.press('Tab')
  await expect(choose).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(choose).toHaveAttribute('aria-pressed', 'true')
  await expect(factOf(page, 'Address')).toBeVisible()
  await press(page, 't')
})

test('a range is made without dragging: Shift and arrows, or the life of the selection', async () => {
  const { page } = app()
  await openByDrop(page, samplePath('ft_lora'), 'ft_lora.pickle')
  await press(page, 'k', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowLeft')
  await expect(page.getByTitle('Zoom to the selected range')).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'In selection' })).toBeVisible()
  await press(page, 'Escape', 'ArrowDown', 'r')
  await expect(page.getByTitle('Zoom to the selected range')).toBeVisible()
})

test('a dialog keeps the focus inside and gives it back', async () => {
  const { page } = app()
  await openByDrop(page, samplePath('oom'), 'oom.pickle')
  await canvasOf(page).focus()
  await page.keyboard.press('Control+,')
  const dialog = page.getByRole('dialog', { name: 'Settings' })
  await expect(dialog).toBeVisible()
  for (let step = 0; step < 8; step++) {
    await page.keyboard.press('Tab')
    const isOutside = await page.evaluate(() => document.activeElement !== document.body && !document.activeElement?.closest('dialog'))
    expect(isOutside).toBe(false)
  }
  await page.keyboard.press('k')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(canvasOf(page)).toBeFocused()
  expect(await cursorEvent(page), 'keys do not reach what lies below').toBeUndefined()
})

test('with reduced motion nothing moves by itself', async () => {
  const { page } = app()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openByDrop(page, samplePath('oom'), 'oom.pickle')
  const moving = await page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter((element) => {
        const { animationDuration, transitionDuration } = getComputedStyle(element)
        return [animationDuration, transitionDuration].some((each) => each.split(',').some((part) => Number.parseFloat(part) > 0.01))
      })
      .map((element) => String(element.className)),
  )
  expect(moving).toEqual([])
  await page.emulateMedia({ reducedMotion: null })
})
