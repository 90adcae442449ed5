// Failures without a snapshot, and many at once: logs, metrics, folders and pasted texts become tables and pages.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type ElectronApplication, expect, type Page, test } from '@playwright/test'
import { killEngine } from './engine-process.ts'
import { errorText, metricsText, trainLog } from './failure-texts.ts'
import { randomBytes, samplePath } from './files.ts'
import { dragFilesOver, dropFiles, waitUntilIdle } from './launch.ts'
import { closeAllTabs, messageOf, press, runByPalette, tabNamed, tabsOf } from './steps.ts'
import { sharedApp, sharedScratch, withApp } from './with-app.ts'

const app = sharedApp()
const scratch = sharedScratch()
test.beforeEach(() => closeAllTabs(app().page))

const countsOf = (page: Page) => page.getByTestId('failures-counts')
const tableOf = (page: Page) => page.getByTestId('failures-table')
const rowsOf = (page: Page) => tableOf(page).locator('tbody tr[aria-rowindex]')
const cellOf = (page: Page, row: number, column: string) => rowsOf(page).nth(row).locator(`td.${column}`)
const viewInFront = (page: Page) => page.locator('.view-button[aria-current]')
const pageOf = (page: Page) => page.getByTestId('diagnosis')

async function copied(electron: ElectronApplication): Promise<string> {
  return electron.evaluate(({ clipboard }) => clipboard.readText())
}

async function paste(page: Page, electron: ElectronApplication, text: string): Promise<void> {
  await electron.evaluate(({ clipboard }, each) => clipboard.writeText(each), text)
  await press(page, 'Control+V')
}

/** A folder of runs: two that failed alike by their logs, one snapshot of a failure, one that is well, one that cannot be read. */
function runsFolder(name: string): string {
  scratch.write(`${name}/run_1/train.log`, trainLog([errorText({ requested: '2.00 GiB' })]))
  scratch.write(`${name}/run_2/train.log`, trainLog([errorText({ requested: '4.00 GiB' })]))
  scratch.copy(samplePath('oom'), `${name}/run_3/snapshot.pickle`)
  scratch.write(`${name}/run_4/metrics.jsonl`, metricsText(40))
  scratch.write(`${name}/run_5/snapshot.pickle`, randomBytes(500))
  return join(scratch.path, name)
}

test('a log with three failures opens as a table that filters, sorts, copies and leads to a page for each of them and back', async () => {
  const { page, electron } = app()
  const amounts = ['2.00 GiB', '512.00 MiB', '4.00 GiB']
  const log = scratch.write('train.log', trainLog(amounts.map((requested) => errorText({ requested }))))
  await dropFiles(page, [log])
  await expect(countsOf(page)).toContainText('3 failures')
  await expect(tabNamed(page, 'train.log')).toHaveAttribute('aria-label', 'train.log, 3 failures')
  await expect(page).toHaveTitle('train.log – Tidemark')
  await expect(rowsOf(page)).toHaveCount(3)

  await page.getByRole('button', { name: 'Requested' }).click()
  const requested = page.locator('td.requested')
  await expect(requested).toHaveText(['4.00\u00a0GiB', '2.00\u00a0GiB', '512\u00a0MiB'])
  await tableOf(page).focus()
  await press(page, 'ArrowDown', 'ArrowDown')
  await page.keyboard.press('Control+C')
  await expect
    .poll(() => copied(electron), 'cells apart by tabs, as in the other tables')
    .toMatch(/^train\.log:\d+\t.*\t2\.00\sGiB\t[^\n]*\n$/)
  await page.keyboard.press('Control+Shift+C')
  await expect.poll(async () => (await copied(electron)).split('\n')[2]).toMatch(/^\| train\.log:\d+ \| /)

  await press(page, 'Enter')
  await expect(pageOf(page)).toContainText('2.00')
  await expect(pageOf(page), 'the keys scroll the page').toBeFocused()
  await press(page, 'Escape')
  await expect(tableOf(page), 'the keys go on in the table').toBeFocused()
  await expect(rowsOf(page).nth(1)).toHaveClass('selected')

  await page.keyboard.press('Control+F')
  await page.keyboard.type('512')
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(countsOf(page)).toContainText('1 of 3 shown')
  await rowsOf(page).first().dblclick()
  await expect(pageOf(page)).toContainText('512')
  await page.getByRole('button', { name: 'All failures' }).click()
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(rowsOf(page)).toHaveCount(3)
})

test('a folder opens as a table of its runs: patterns filter it, a snapshot opens as a capture, what is unreadable says why', async () => {
  const { page, electron } = app()
  await dropFiles(page, [runsFolder('runs')])
  await expect(countsOf(page)).toContainText('3 failures')
  await expect(countsOf(page)).toContainText('1 healthy')
  await expect(countsOf(page)).toContainText('1 unreadable')
  const patterns = page.getByRole('region', { name: 'Patterns' }).getByRole('button')
  await expect(patterns.first()).toContainText('67\u00a0%')
  await patterns.first().click()
  await expect(rowsOf(page)).toHaveCount(2)
  await expect(page.locator('td.name')).toHaveText([/run_1/, /run_2/])
  await press(page, 'Escape')
  await expect(rowsOf(page)).toHaveCount(4)

  const saved = join(scratch.path, 'saved.csv')
  await electron.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = (async () => ({ canceled: false, filePath })) as never
  }, saved)
  await page.getByRole('button', { name: 'CSV…' }).click()
  await expect(messageOf(page, 'Saved saved.csv')).toBeVisible()
  expect(scratch.read('saved.csv').split('\n')).toHaveLength(6)

  await page.getByText('1 file could not be read').click()
  await expect(page.getByText(/^run_5/)).toBeVisible()
  await page.locator('td.name').filter({ hasText: 'run_3' }).click()
  await press(page, 'Enter')
  await expect(tabNamed(page, 'snapshot.pickle')).toHaveAttribute('aria-selected', 'true')
  await expect(viewInFront(page)).toContainText('Diagnosis')
  await expect(pageOf(page)).toContainText('400')
})

test('a pasted text shows the page of its failure at once; one without a failure is told in a message', async () => {
  const { page, electron } = app()
  await paste(page, electron, 'Epoch 3: loss 0.71\n')
  await expect(messageOf(page, 'The clipboard holds no failure.')).toBeVisible()
  await expect(tabsOf(page)).toHaveCount(0)
  await paste(page, electron, errorText({ requested: '2.00 GiB' }))
  await expect(tabNamed(page, 'Pasted text · 2.00\u00a0GiB on GPU 0')).toHaveAttribute('aria-selected', 'true')
  await expect(pageOf(page)).toContainText('2.00')
  await expect(page.getByRole('button', { name: 'All failures' })).toHaveCount(0)
  await runByPalette(page, 'Diagnose Pasted Text')
  await expect(tabsOf(page)).toHaveCount(2)
})

test('a log and metrics dropped with a snapshot are read with it; files that are nothing keep their own answer', async () => {
  const { page } = app()
  const log = scratch.write('beside/train.log', trainLog([errorText({ requested: '400.00 MiB' })]))
  const metrics = scratch.write('beside/metrics-a.jsonl', metricsText(40, 3e8))
  await dropFiles(page, [log, samplePath('oom'), metrics, scratch.write('beside/noise.bin', randomBytes(900))])
  await expect(messageOf(page, 'Read with the diagnosis of oom.pickle: train.log, metrics-a.jsonl.')).toBeVisible()
  await waitUntilIdle(page)
  await expect(tabsOf(page)).toHaveCount(2)
  await expect(page.getByRole('tab', { name: 'noise.bin, could not be opened' })).toBeVisible()
  await tabNamed(page, 'oom.pickle').click()
  await expect(viewInFront(page)).toContainText('Diagnosis')
  await expect(pageOf(page)).toContainText('train.log, line 11')
  await expect(pageOf(page)).toContainText('metrics-a.jsonl')
})

test('metrics dropped on a diagnosis are read with it, as the drop target says; behind another view they have a tab of their own', async () => {
  const { page } = app()
  const metrics = scratch.write('late/metrics-b.jsonl', metricsText(40, 3e8))
  await dropFiles(page, [samplePath('oom')])
  await expect(pageOf(page)).toBeVisible()
  await expect(pageOf(page)).not.toContainText('metrics-b.jsonl')
  await dragFilesOver(page, [metrics])
  await expect(page.getByText('A log or metrics is read with the diagnosis of oom.pickle')).toBeVisible()
  await dropFiles(page, [metrics])
  await expect(pageOf(page)).toContainText('metrics-b.jsonl')
  await expect(tabsOf(page)).toHaveCount(1)
  // What tells of other failures is no text of this one, and says so.
  await dropFiles(page, [scratch.write('late/others.log', trainLog([errorText({ requested: '2.00 GiB' })]))])
  await expect(pageOf(page)).toContainText('others.log tells of other failures (1)')
  await expect(messageOf(page, 'Not read with the diagnosis of oom.pickle, as it tells of another failure: others.log.')).toBeVisible()
  // What was given can be taken off, by keys too.
  const takeOff = page.getByRole('button', { name: 'Take off others.log' })
  await takeOff.focus()
  await press(page, 'Enter')
  await expect(takeOff).toHaveCount(0)
  await expect(pageOf(page)).not.toContainText('others.log')
  await press(page, '1')
  await dropFiles(page, [scratch.write('late/metrics-c.jsonl', metricsText(50))])
  await expect(tabNamed(page, 'metrics-c.jsonl')).toHaveAttribute('aria-selected', 'true')
})

test('metrics of another run are opened by themselves, and a pasted text of the failure in front joins its page', async () => {
  const { page, electron } = app()
  await dropFiles(page, [samplePath('oom')])
  await expect(pageOf(page)).toBeVisible()
  await waitUntilIdle(page)
  await dropFiles(page, [scratch.write('foreign/metrics-f.jsonl', metricsText(40))])
  await expect(messageOf(page, 'metrics-f.jsonl is of another run')).toBeVisible()
  await expect(tabNamed(page, 'metrics-f.jsonl')).toHaveAttribute('aria-selected', 'true')
  await tabNamed(page, 'oom.pickle').click()
  await expect(pageOf(page)).not.toContainText('metrics-f.jsonl')
  await paste(page, electron, errorText({ requested: '400.00 MiB' }))
  await expect(pageOf(page)).toContainText('Pasted text')
  await expect(tabsOf(page)).toHaveCount(2)
})

test('a folder with nothing of use says what would be, and opens once there is something', async () => {
  const { page } = app()
  const folder = join(scratch.path, 'nothing')
  mkdirSync(folder)
  await dropFiles(page, [folder])
  const alert = page.getByRole('alert')
  await expect(alert.getByRole('heading')).toHaveText('There is no failure and no metrics in this folder')
  await expect(alert.getByText('file/unknown_format', { exact: true })).toBeVisible()
  scratch.write('nothing/late.log', trainLog([errorText({ requested: '2.00 GiB' })]))
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect(pageOf(page)).toContainText('2.00')
})

test('files dropped while a folder is read, closed while it is read, and an engine that dies leave the table as it was looked at', () =>
  withApp({}, async ({ page, electron }) => {
    const folder = runsFolder('rude')
    await dropFiles(page, [folder])
    await dropFiles(page, [folder])
    await expect(tabsOf(page), 'the same folder has one tab').toHaveCount(1)
    await page.keyboard.press('Control+W')
    await expect(tabsOf(page)).toHaveCount(0)
    await waitUntilIdle(page)
    await dropFiles(page, [folder])
    await dropFiles(page, [scratch.write('rude.log', trainLog([errorText({ requested: '1.00 GiB' })]))])
    await expect(tabsOf(page)).toHaveCount(2)
    await tabNamed(page, 'rude').click()
    await expect(countsOf(page)).toContainText('3 failures')
    await page.locator('td.name').filter({ hasText: 'run_3' }).dblclick()
    await expect(viewInFront(page)).toContainText('Diagnosis')
    await tabNamed(page, 'rude').click()
    await page.keyboard.press('Control+F')
    await page.keyboard.type('run_2')
    await expect(rowsOf(page)).toHaveCount(1)
    await killEngine(electron)
    await expect(messageOf(page, 'The analysis process was restarted')).toBeVisible()
    await expect(countsOf(page)).toContainText('1 of 4 shown')
    await expect(cellOf(page, 0, 'name')).toContainText('run_2')
    await tabNamed(page, 'snapshot.pickle').click()
    await expect(pageOf(page), 'a file of the folder is found again').toContainText('400')
    await tabNamed(page, 'rude').click()
    await dragFilesOver(page, [samplePath('oom'), samplePath('ft_lora')])
    await expect(page.getByText('Captures get a tab each; logs and metrics among them are read with the snapshots')).toBeVisible()
  }))
