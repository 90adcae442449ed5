// The window around the views: palette, keys, language, theme, settings, size.
import { join } from 'node:path'
import { type ElectronApplication, expect, type Page, test } from '@playwright/test'
import { commands } from '../../preload/contract/commands.ts'
import { samplePath } from './files.ts'
import { launch, waitUntilIdle } from './launch.ts'
import { canvasOf, closeAllTabs, cursorEvent, liveTable, openByDrop, press, runByPalette, tabNamed, textOf } from './steps.ts'
import { sharedApp, sharedScratch, withApp } from './with-app.ts'

const app = sharedApp()
const scratch = sharedScratch()

test.beforeEach(async () => {
  await closeAllTabs(app().page)
  await openByDrop(app().page, samplePath('ft_lora'), 'ft_lora.pickle')
})

const palette = (page: Page) => page.getByRole('combobox', { name: 'Command palette' })

test('the palette finds a command by some of its letters and words in any order, in both languages, and runs it', async () => {
  const { page } = app()
  const searches = [
    ['peak', 'Go to Peak'],
    ['fit zoom', 'Zoom to Fit'],
    ['gopeak', 'Go to Peak'],
    ['峰值', 'Go to Peak'],
  ] as const
  for (const [typed, title] of searches) {
    await page.keyboard.press('Control+K')
    await palette(page).fill(typed)
    await expect(page.getByRole('dialog').getByRole('option').first(), typed).toContainText(title)
    await page.keyboard.press('Escape')
    await expect(palette(page)).toBeHidden()
  }
  await runByPalette(page, 'Go to Peak')
  expect(await cursorEvent(page)).toBe(2480)
})

test('the palette opens by its three keys, moves by arrows, says when nothing fits and gives the focus back', async () => {
  const { page } = app()
  await canvasOf(page).focus()
  for (const key of ['Control+K', 'Control+Shift+P', 'F1']) {
    await page.keyboard.press(key)
    await expect(palette(page)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(canvasOf(page)).toBeFocused()
  }
  await page.keyboard.press('Control+K')
  const first = await textOf(page.getByRole('dialog').getByRole('option', { selected: true }))
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('dialog').getByRole('option', { selected: true })).not.toHaveText(first)
  await palette(page).fill('xqzxqz')
  await expect(page.getByText('Nothing found')).toBeVisible()
  await page.keyboard.press('Escape')
})

test('quick open goes between captures, and > and : switch what is searched', async () => {
  const { page } = app()
  await openByDrop(page, samplePath('oom'), 'oom.pickle')
  await page.keyboard.press('Control+P')
  await palette(page).fill('lora')
  await expect(page.getByRole('dialog').getByRole('option').first()).toContainText('ft_lora.pickle')
  await page.keyboard.press('Enter')
  await expect(tabNamed(page, 'ft_lora.pickle')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Control+P')
  await palette(page).fill('>legend')
  await expect(page.getByRole('dialog').getByRole('option').first()).toContainText('Legend')
  await palette(page).fill(':77')
  await expect(page.getByRole('dialog').getByRole('option')).toHaveText(/Event 77/)
  await page.keyboard.press('Enter')
  await waitUntilIdle(page)
  expect(await cursorEvent(page)).toBe(77)
})

test('keys typed into a text field are text, not commands', async () => {
  const { page } = app()
  await page.keyboard.press('Control+K')
  await palette(page).pressSequentially('kt0')
  await expect(palette(page)).toHaveValue('kt0')
  await page.keyboard.press('Escape')
  expect(await cursorEvent(page)).toBeUndefined()
  await expect(liveTable(page)).toBeHidden()
})

test('the key table lists every command and can be searched', async () => {
  const { page } = app()
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keys' })
  await expect(dialog.locator('tbody tr')).toHaveCount(commands.length)
  await expect(dialog.getByRole('row').filter({ hasText: 'Go to Peak' })).toContainText('K')
  await dialog.getByRole('searchbox').fill('peak')
  await expect(dialog.locator('tbody tr')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

const menuTitles = (electron: ElectronApplication) =>
  electron.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map((item) => item.label) ?? [])

test('the language changes at once, in window and menu, and comes back', async () => {
  const { page, electron } = app()
  expect(await menuTitles(electron)).toEqual(['File', 'Edit', 'View', 'Go', 'Help'])
  const english = await canvasOf(page).getAttribute('aria-label')
  await page.keyboard.press('Control+,')
  await page.getByRole('combobox', { name: 'Language' }).selectOption('zh-CN')
  await expect(page.getByRole('heading', { name: '设置' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: '峰值', exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: '概要' })).toBeVisible()
  expect(await canvasOf(page).getAttribute('aria-label')).not.toBe(english)
  await expect.poll(() => menuTitles(electron)).toEqual(['文件', '编辑', '视图', '转到', '帮助'])
  const words = (await textOf(page.locator('.app'))).match(/\b(Summary|Findings|Legend|Stacks|Curves|Export|Details|Timeline)\b/g)
  expect(words, 'nothing is left in English').toBeNull()
  await page.keyboard.press('Control+,')
  await page.getByRole('combobox', { name: '语言' }).selectOption('en')
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect.poll(() => menuTitles(electron)).toEqual(['File', 'Edit', 'View', 'Go', 'Help'])
  expect(await canvasOf(page).getAttribute('aria-label')).toBe(english)
})

test('the menu holds the commands and runs them in the window', async () => {
  const { page, electron } = app()
  const missing = await electron.evaluate(
    ({ Menu }, ids) => ids.filter((id) => !Menu.getApplicationMenu()?.getMenuItemById(id)),
    commands.filter(({ menu }) => menu !== null).map(({ id }) => id),
  )
  expect(missing).toEqual([])
  await electron.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('go.peak')?.click())
  await expect.poll(() => cursorEvent(page)).toBe(2480)
})

const looks = (page: Page) =>
  page.evaluate(() => {
    const style = getComputedStyle(document.documentElement)
    return {
      theme: document.documentElement.dataset.theme,
      canvas: style.getPropertyValue('--canvas'),
      text: style.getPropertyValue('--t1'),
      background: getComputedStyle(document.body).backgroundColor,
    }
  })

test('the theme changes every token at once, the system’s dialogs too', async () => {
  const { page, electron } = app()
  await runByPalette(page, 'Dark Theme')
  const dark = await looks(page)
  await runByPalette(page, 'Light Theme')
  const light = await looks(page)
  expect([dark.theme, light.theme]).toEqual(['dark', 'light'])
  for (const part of ['canvas', 'text', 'background'] as const) expect(light[part], part).not.toBe(dark[part])
  await expect.poll(() => electron.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('light')
  await page.getByTitle('Switch between dark and light').click()
  expect(await looks(page)).toEqual(dark)
})

test('settings and the window’s place survive a restart', async () => {
  const folders = { cache: join(scratch.path, 'cache'), userData: join(scratch.path, 'user') }
  const first = await launch({ folders })
  await first.page.keyboard.press('Control+,')
  await first.page.getByRole('combobox', { name: 'Theme' }).selectOption('light')
  await first.page.getByRole('combobox', { name: 'Language' }).selectOption('zh-CN')
  await expect(first.page.getByRole('heading', { name: '设置' })).toBeVisible()
  const size = { width: 1111, height: 707 }
  await first.electron.evaluate(({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]?.setSize(wanted.width, wanted.height), size)
  const saved = () => first.electron.evaluate(({ app: program }) => program.getPath('userData'))
  expect(await saved()).toBe(folders.userData)
  await expect.poll(() => scratch.read('user/window.json')).toContain('1111')
  await first.close()
  await withApp({ folders }, async ({ page, electron }) => {
    await expect(page.getByRole('heading', { name: '看清显存去了哪里' })).toBeVisible()
    expect((await looks(page)).theme).toBe('light')
    expect(await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getSize())).toEqual([size.width, size.height])
  })
})

/** Parts of the frame that reach out of the window, and single-line parts whose content is cut. */
const cutParts = (page: Page) =>
  page.evaluate(() => {
    const { innerWidth, innerHeight } = window
    const isOutside = (element: Element) => {
      const box = element.getBoundingClientRect()
      return box.left < -0.5 || box.top < -0.5 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5
    }
    const describe = (element: Element) => `${element.className || element.tagName}: ${(element.textContent ?? '').slice(0, 40)}`
    const frame = [...document.querySelectorAll('[data-region], .title-row > *, .view-bar > *, .status-line > *, .tool-row > *')]
    const rows = [...document.querySelectorAll('.title-row, .view-bar, .status-line, .tool-row')]
    const overflowing = rows.filter((row) => row.scrollWidth > row.clientWidth + 1 || row.scrollHeight > row.clientHeight + 1)
    const covering = frame.filter((element, index) => {
      const box = element.getBoundingClientRect()
      return frame.slice(index + 1).some((other) => {
        if (element.contains(other) || other.contains(element) || box.width === 0) return false
        const with_ = other.getBoundingClientRect()
        const width = Math.min(box.right, with_.right) - Math.max(box.left, with_.left)
        const height = Math.min(box.bottom, with_.bottom) - Math.max(box.top, with_.top)
        return width > 1 && height > 1
      })
    })
    return {
      outside: frame.filter(isOutside).map(describe),
      overflowing: overflowing.map(describe),
      covering: covering.map(describe),
      pageScrolls: document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight,
    }
  })

const whole = { outside: [], overflowing: [], covering: [], pageScrolls: false }

test('at 1024 × 640 every part of the frame is whole, in both languages, with range and selection', async () => {
  const { page, electron } = app()
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1024, 640))
  await expect.poll(() => page.evaluate(() => [window.innerWidth, window.innerHeight])).toEqual([1024, 640])
  await press(page, 'k', 'ArrowDown', '+', 'r', 'm')
  for (const language of ['English', '简体中文']) {
    await runByPalette(page, language)
    expect(await cutParts(page), language).toEqual(whole)
    expect((await canvasOf(page).boundingBox())?.height ?? 0, 'room for the picture').toBeGreaterThan(200)
  }
  await runByPalette(page, 'English')
  await press(page, 'Escape', '0', 't')
  expect(await cutParts(page)).toEqual(whole)
  await press(page, 't')
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1280, 800))
})

test('panels are put away and brought back by key', async () => {
  const { page } = app()
  await press(page, 'k', 'ArrowDown')
  const panels = [
    ['Control+b', page.locator('[data-region=sideBar]')],
    ['q', page.locator('[data-region=details]')],
    ['l', page.getByRole('region', { name: 'Stacks' })],
  ] as const
  for (const [key, panel] of panels) {
    await expect(panel).toBeVisible()
    await press(page, key)
    await expect(panel).toBeHidden()
    await press(page, key)
    await expect(panel).toBeVisible()
  }
})

test('the welcome page comes over the captures and goes by Esc', async () => {
  const { page } = app()
  await runByPalette(page, 'Welcome and Samples')
  await expect(page.getByRole('heading', { name: 'See where GPU memory went' })).toBeVisible()
  await press(page, 'Escape')
  await expect(canvasOf(page)).toBeVisible()
})
