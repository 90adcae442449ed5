// Sessions and notes: what a user did to a capture is there again after a restart, wherever the same bytes lie then.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { samplePath } from './files.ts'
import { dropFiles, launch, waitUntilIdle } from './launch.ts'
import { canvasOf, expectShown, factOf, messageOf, openByDrop, press, runByPalette, statusOf, visibleEvents } from './steps.ts'
import { sharedScratch, withApp } from './with-app.ts'

const scratch = sharedScratch()
const foldersOf = (name: string) => ({ cache: join(scratch.path, name, 'cache'), userData: join(scratch.path, name, 'user') })

const notesOf = (page: Page) => page.getByRole('region', { name: 'Notes' }).getByRole('listitem')
const filterOf = (page: Page) => page.locator('.filter-text')
const dialogOf = (page: Page) => page.getByRole('dialog')

/** Keeps what is selected as a note, by key. */
async function keepNote(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Shift+M')
  await dialogOf(page).getByRole('textbox').fill(text)
  await page.keyboard.press('Enter')
  await expect(dialogOf(page)).toBeHidden()
  await waitUntilIdle(page)
}

test('view, range, filter and notes come back after a restart, for a copy of the file under another name', async () => {
  const folders = foldersOf('restart')
  const first = await launch({ folders })
  await openByDrop(first.page, samplePath('ft_lora'), 'ft_lora.pickle')
  await press(first.page, 'K', 'W', 'W')
  await keepNote(first.page, 'the peak')
  const seen = await visibleEvents(first.page)
  await press(first.page, '2', 'T')
  await filterOf(first.page).fill('linear.py')
  await waitUntilIdle(first.page)
  await press(first.page, 'Control+S')
  await expect(messageOf(first.page, 'Session saved')).toBeVisible()
  await filterOf(first.page).fill('backward') // the last change waits for no second
  await waitUntilIdle(first.page)
  await first.close()

  const copy = scratch.copy(samplePath('ft_lora'), join('elsewhere', 'renamed.pickle')) // of another time
  await withApp({ folders, files: [copy] }, async ({ page }) => {
    await expect(page.getByTestId('lifetimes-canvas')).toHaveAttribute('data-drawn', 'yes', { timeout: 60_000 })
    await waitUntilIdle(page)
    await expect(messageOf(page, 'Session restored')).toBeVisible()
    await expect(filterOf(page)).toHaveValue('backward')
    await expect(notesOf(page)).toHaveText([/Note 1: the peak Event [\d,]+/])
    expect(await visibleEvents(page)).toEqual(seen)
    await messageOf(page, 'Session restored').getByRole('button', { name: 'Reset views' }).click()
    await expectShown(page, 'renamed.pickle')
    await expect(filterOf(page)).toHaveValue('')
    await expect(notesOf(page)).toHaveCount(1)
    expect((await visibleEvents(page)).first).toBe(0)
    await press(page, 'Alt+ArrowLeft') // the view history leads back to what the session said
    await expect(filterOf(page)).toHaveValue('backward')
  })
})

test('notes are listed, found again from elsewhere, told on their allocation, deleted and undone by key', async () => {
  await withApp({}, async ({ page }) => {
    await openByDrop(page, samplePath('ft_lora'), 'ft_lora.pickle')
    await press(page, 'K', 'ArrowUp')
    const address = await factOf(page, 'Address').textContent()
    await keepNote(page, 'first')
    await press(page, 'Escape', 'Escape', 'N', 'M')
    await expect(notesOf(page)).toHaveCount(1)
    await keepNote(page, 'a step')
    await expect(notesOf(page)).toHaveCount(2)
    const list = page.getByRole('region', { name: 'Notes' })
    await list.getByRole('button', { name: /^Note 1: first/ }).click()
    await expect(factOf(page, 'Address')).toHaveText(address ?? '')
    await expect(page.locator('[data-region=details]').getByRole('button', { name: 'first' })).toBeVisible()
    expect((await new AxeBuilder({ page }).setLegacyMode().include('.side-bar').analyze()).violations).toEqual([])

    await page.locator('[data-region=details]').getByRole('button', { name: 'Add note…' }).click()
    await expect(dialogOf(page)).toContainText('MiB') // of the allocation, not of the range
    await press(page, 'Escape')

    await list.getByRole('button', { name: /^Note 1: first/ }).focus()
    await press(page, 'Delete')
    await expect(notesOf(page)).toHaveText([/Note 1: a step/])
    await expect(list.getByRole('button', { name: /^Note 1: a step/ })).toBeFocused()
    const range = await visibleEvents(page)
    await press(page, 'Control+Z')
    await expect(notesOf(page)).toHaveText([/Note 1: first/, /Note 2: a step/])
    expect(await visibleEvents(page)).toEqual(range) // undo moves no view
    await press(page, 'Control+Y')
    await expect(notesOf(page)).toHaveCount(1)
    await press(page, 'Control+Z', 'Control+Z')
    await expect(notesOf(page)).toHaveText([/Note 1: first/])

    await press(page, 'Escape', 'Escape', 'Escape')
    await expect(factOf(page, 'Address')).toBeHidden()
    const box = await canvasOf(page).boundingBox()
    const flag = { x: (box?.x ?? 0) + 92, y: (box?.y ?? 0) + 74 } // on the ruler, where the allocation begins
    await page.mouse.move(flag.x, flag.y)
    await expect(page.locator('.read-out').filter({ hasText: 'Note 1' })).toContainText('first')
    await page.mouse.click(flag.x, flag.y)
    await expect(factOf(page, 'Address')).toHaveText(address ?? '')
  })
})

test('a broken session opens the capture as at first, and what is switched off or forgotten is not kept', async () => {
  const folders = foldersOf('broken')
  const sessions = join(folders.userData, 'sessions')
  const first = await launch({ folders })
  await openByDrop(first.page, samplePath('ft_lora'), 'ft_lora.pickle')
  await keepNote(first.page, 'kept')
  await first.page.locator('body').press('Control+S')
  await expect(messageOf(first.page, 'Session saved')).toBeVisible()
  await first.close()
  const [name] = readdirSync(sessions)
  const good = readFileSync(join(sessions, name ?? ''), 'utf8')
  const hostile = JSON.parse(good) as { session: { view: unknown; looks: unknown; notes: unknown[] } }
  hostile.session.view = {
    view: 'flame',
    device: 9,
    axis: 'time',
    visible: { x0: 1e300, x1: -5 },
    cursorEvent: 1e12,
    filter: { minBytes: [] },
  }
  hostile.session.looks = {
    flame: { weight: 'moon', pivot: { frameId: 1e9, title: '' }, with: [{ frameId: -1 }] },
    blocks: { rowPx: 1e9, visible: { x0: 1e300, x1: 0 }, scrollPx: 1e300 },
    trace: 7,
  }
  hostile.session.notes.push({ id: 7 }, null)
  writeFileSync(join(sessions, name ?? ''), JSON.stringify(hostile))

  await withApp({ folders }, async ({ page }) => {
    await dropFiles(page, [samplePath('ft_lora')])
    await expect(page.getByTestId('flame-canvas')).toHaveAttribute('data-drawn', 'yes', { timeout: 60_000 })
    await expect(notesOf(page)).toHaveCount(1)
    await expect(page.getByRole('alert')).toHaveCount(0)
    await press(page, '3')
    await expect(page.getByTestId('blocks-canvas')).toHaveAttribute('data-drawn', 'yes')
    await expect(page.getByRole('alert')).toHaveCount(0)
    await press(page, '1')
    expect((await visibleEvents(page)).first).toBe(0)
    await press(page, 'Control+W')
    writeFileSync(join(sessions, name ?? ''), good.slice(0, good.length / 2))
    await openByDrop(page, samplePath('ft_lora'), 'ft_lora.pickle')
    await expect(notesOf(page)).toHaveCount(0)
    expect(readdirSync(sessions)).toContain(`${name}.broken`)

    await press(page, 'Control+,')
    await page.getByRole('checkbox', { name: /Keep sessions/ }).uncheck()
    await page.getByRole('button', { name: 'Forget all sessions' }).click()
    await press(page, 'Escape')
    await expect.poll(() => readdirSync(sessions)).toEqual([])
    await runByPalette(page, 'Save Session Now')
    await expect(messageOf(page, 'Sessions are not kept')).toBeVisible()
    await expect(statusOf(page)).toBeVisible()
    expect(readdirSync(sessions)).toEqual([])
  })
})

test('a session saved as a file shows a colleague the same, beside notes of their own, and says which capture it is of', async () => {
  const path = join(scratch.path, 'shared.tidemark-session.json')
  await withApp({}, async ({ page, electron }) => {
    await openByDrop(page, samplePath('ft_lora'), 'ft_lora.pickle')
    await press(page, 'K')
    await keepNote(page, 'the peak')
    await press(page, '5', 'U')
    await filterOf(page).fill('linear.py')
    await waitUntilIdle(page)
    await electron.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = async () => ({ canceled: false, filePath })
    }, path)
    await runByPalette(page, 'Save Session As…')
    await expect(messageOf(page, 'Saved shared.tidemark-session.json')).toBeVisible()
  })
  expect(readFileSync(path, 'utf8')).not.toContain(scratch.path)
  await withApp({}, async ({ page, electron }) => {
    await electron.evaluate(({ dialog }, filePath) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [filePath] })
    }, path)
    await runByPalette(page, 'Open Session…')
    await expect(messageOf(page, 'This session belongs to ft_lora.pickle')).toBeVisible()
    await openByDrop(page, scratch.copy(samplePath('ft_lora'), join('theirs', 'other.pickle')), 'other.pickle')
    await press(page, 'K')
    await keepNote(page, 'mine')
    await dropFiles(page, [path])
    await expect(page.getByRole('combobox', { name: 'Shape' })).toHaveValue('flame')
    await expect(filterOf(page)).toHaveValue('linear.py')
    await expect(notesOf(page)).toHaveText([/Note 1: mine/, /Note 2: the peak/])
  })
})
