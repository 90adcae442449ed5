// Every way by which a file comes into the window.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename, dirname, join } from 'node:path'
import { expect, test } from '@playwright/test'
import { ftLora, root, samplePath } from './files.ts'
import { dragFilesOver, dropFiles, launch, waitUntilIdle } from './launch.ts'
import { inkOf, pixelsOf } from './pixels.ts'
import { canvasOf, closeAllTabs, countText, exactText, expectShown, openByDrop, summaryRow, tabNamed, tabsOf } from './steps.ts'
import { sharedApp, sharedScratch, withApp } from './with-app.ts'

const app = sharedApp()
const scratch = sharedScratch()
test.beforeEach(() => closeAllTabs(app().page))

test('the window starts with the welcome page: what can be dropped, samples, recent files, how to record', () =>
  withApp({}, async ({ page }) => {
    await expect(page.getByRole('heading', { name: 'See where GPU memory went' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Drop memory snapshots, traces, profiles or logs here' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Samples' }).getByRole('button')).toHaveCount(4)
    await expect(page.getByRole('region', { name: 'Recent files' })).toContainText('Files you open appear here.')
    await expect(page.getByText('torch.cuda.memory._dump_snapshot("snapshot.pickle")')).toBeVisible()
    await expect(page).toHaveTitle('Tidemark')
  }))

test('a dropped capture shows its numbers and a picture', { tag: '@smoke' }, async () => {
  const { page } = app()
  const address = page.url()
  await openByDrop(page, samplePath('ft_lora'), 'ft_lora.pickle')
  await expect(summaryRow(page, 'Peak allocated')).toHaveAttribute('title', exactText(ftLora.peakBytes))
  await expect(summaryRow(page, 'at event')).toHaveText(countText(ftLora.peakEvent))
  await expect(summaryRow(page, 'Peak reserved')).toHaveAttribute('title', exactText(ftLora.peakReservedBytes))
  await expect(page.getByText('Replay equals the final state')).toBeVisible()
  await expect(page).toHaveTitle('ft_lora.pickle – Tidemark')
  const ink = inkOf(await pixelsOf(canvasOf(page)))
  expect(ink.colours).toBeGreaterThan(40)
  expect(ink.background).toBeLessThan(0.8)
  expect(page.url(), 'a drop must not navigate').toBe(address)
})

test('files held over the window are announced before they are dropped', async () => {
  const { page } = app()
  await dragFilesOver(page, [samplePath('oom'), samplePath('ft_lora')])
  await expect(page.getByText('Open 2 files')).toBeVisible()
  await dropFiles(page, [samplePath('oom')])
  await expect(page.getByText('Open 2 files')).toBeHidden()
  await expectShown(page, 'oom.pickle')
})

test('several dropped files become tabs, and the same file dropped again, by any name, brings its tab to the front', async () => {
  const { page } = app()
  await dropFiles(page, [samplePath('ft_lora'), samplePath('oom'), samplePath('two_devices')])
  await expect(tabsOf(page)).toHaveCount(3)
  await expectShown(page, 'two_devices.pickle')
  const otherName = scratch.link(samplePath('ft_lora'), 'another-name.pickle')
  for (const again of [samplePath('ft_lora'), otherName]) {
    await tabNamed(page, 'oom.pickle').click()
    await expectShown(page, 'oom.pickle')
    await dropFiles(page, [again])
    await expect(tabNamed(page, 'oom.pickle')).toHaveAttribute('aria-selected', 'false')
    await expect(tabsOf(page)).toHaveCount(3)
    await expectShown(page, 'ft_lora.pickle')
  }
})

test('each sample of the welcome page opens', () =>
  withApp({}, async ({ page }) => {
    const samples = [
      ['LoRA fine-tuning', 'ft_lora.pickle'],
      ['Out of memory', 'oom.pickle'],
      ['Two devices', 'two_devices.pickle'],
    ] as const
    for (const [title, name] of samples) {
      await page.getByRole('region', { name: 'Samples' }).getByRole('button', { name: title }).click()
      await expectShown(page, name)
      await closeAllTabs(page)
    }
    await expect(page.getByRole('region', { name: 'Recent files' }), 'samples are not the user’s files').toContainText(
      'Files you open appear',
    )
  }))

test('paths on the command line open in their order, relative ones too', () =>
  withApp({ files: [samplePath('ft_lora'), 'resources/samples/oom.pickle'] }, async ({ page }) => {
    await expectShown(page, 'oom.pickle')
    await expect(tabsOf(page)).toHaveCount(2)
    await expect(tabsOf(page).first()).toHaveAttribute('title', 'ft_lora.pickle')
  }))

test('a second start hands its files to the window that runs, resolved in its own folder, and ends', () =>
  withApp({}, async ({ electron, page }) => {
    const started = await electron.evaluate(({ app }) => ({ program: process.execPath, userData: app.getPath('userData') }))
    const file = samplePath('two_devices')
    const second = spawn(started.program, ['--no-sandbox', `--user-data-dir=${started.userData}`, root, basename(file)], {
      cwd: dirname(file),
      stdio: 'ignore',
    })
    const [status] = await once(second, 'exit')
    expect(status).toBe(0)
    await expectShown(page, 'two_devices.pickle')
    expect(await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
  }))

test('the open dialog opens what was chosen, several files too', async () => {
  const { electron, page } = app()
  await electron.evaluate(
    ({ dialog }, filePaths) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths })
    },
    [samplePath('oom'), samplePath('ft_lora')],
  )
  await page.keyboard.press('Control+O')
  await expectShown(page, 'ft_lora.pickle')
  await expect(tabsOf(page)).toHaveCount(2)
})

test('opened files are listed as recent after a restart, open from there, and one that is gone says so', async () => {
  const folders = { cache: join(scratch.path, 'kept', 'cache'), userData: join(scratch.path, 'kept', 'user') }
  const kept = scratch.copy(samplePath('oom'), 'kept run.pickle')
  const lost = scratch.copy(samplePath('two_devices'), 'lost run.pickle')
  const first = await launch({ folders, files: [kept, lost] })
  await expectShown(first.page, 'lost run.pickle')
  await first.close()
  scratch.discard(lost)
  await withApp({ folders }, async ({ page }) => {
    const recent = page.getByRole('region', { name: 'Recent files' }).getByRole('button')
    await expect(recent).toHaveCount(2)
    await expect(recent.filter({ hasText: 'lost run.pickle' })).toBeDisabled()
    await expect(recent.filter({ hasText: 'lost run.pickle' })).toContainText('missing')
    await recent.filter({ hasText: 'kept run.pickle' }).click()
    await expectShown(page, 'kept run.pickle')
    await expect(page.getByText('Opened from index')).toBeVisible()
  })
})

test('names with Chinese characters, spaces, quotes and emoji open and are shown whole', async () => {
  const { page } = app()
  const name = `显存 快照 🔥 "v1" & 100% #2.pickle`
  await openByDrop(page, scratch.copy(samplePath('oom'), join('实验 一 🚀', name)), name)
  await expect(page).toHaveTitle(`${name} – Tidemark`)
  await expect(tabNamed(page, name)).toContainText(name)
})

test('closing a tab brings its neighbour to the front, closing the last one the welcome page', () =>
  withApp({ files: [samplePath('ft_lora'), samplePath('oom')] }, async ({ page }) => {
    await expectShown(page, 'oom.pickle')
    await page.keyboard.press('Control+W')
    await expectShown(page, 'ft_lora.pickle')
    await tabNamed(page, 'ft_lora.pickle').focus()
    await page.keyboard.press('Delete')
    await waitUntilIdle(page)
    await expect(page.getByRole('heading', { name: 'See where GPU memory went' })).toBeVisible()
  }))
