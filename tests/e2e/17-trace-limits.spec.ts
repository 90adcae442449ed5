// What a trace has too much of: the window and its files say what they leave out.
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { dropFiles, waitUntilIdle } from './launch.ts'
import { closeAllTabs, messageOf, press, runByPalette, tabNamed } from './steps.ts'
import { sharedApp, sharedScratch } from './with-app.ts'

const app = sharedApp()
const scratch = sharedScratch()

test.beforeEach(async () => {
  const { page } = app()
  await page.mouse.move(2, 2)
  await closeAllTabs(page)
})

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

async function open(name: string, traceEvents: readonly object[]): Promise<void> {
  const { page } = app()
  await dropFiles(page, [scratch.write(name, JSON.stringify({ traceEvents }))])
  await expect(tabNamed(page, name)).toHaveAttribute('aria-selected', 'true', { timeout: 60_000 })
  await expect(page.getByTestId('trace-canvas')).toHaveAttribute('data-drawn', 'yes', { timeout: 60_000 })
  await waitUntilIdle(page)
  await page.getByTestId('trace-canvas').focus()
}

async function search(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Search slices by name' }).fill(text)
  await expect(page.getByTestId('trace-found')).toBeVisible()
  await waitUntilIdle(page)
}

async function saveTo(name: string): Promise<void> {
  await app().electron.evaluate(
    ({ dialog }, filePath) => {
      dialog.showSaveDialog = async () => ({ canceled: false, filePath })
    },
    join(scratch.path, name),
  )
}

test('a search beyond the names that are told says among which names it is, and so does the file', async () => {
  const { page } = app()
  const at = { ph: 'X', pid: 1, tid: 1, cat: 'c' }
  await open('names.json', [
    ...numbers(1100).map((index) => ({ ...at, name: `long ${index}`, ts: 10 * index, dur: 9 })),
    ...numbers(10).map((index) => ({ ...at, name: `short ${index}`, ts: 20_000 + 10 * index, dur: 1 })),
  ])
  await press(page, 't')
  await page.getByRole('button', { name: 'By name', exact: true }).click()
  const twin = page.getByRole('region', { name: 'Trace as a table' })
  await expect(twin).toContainText('1,000 rows · 110 more with less time or memory')
  await search(page, 'short')
  await expect(twin).toContainText('only among the 1,000 names with most time')
  await saveTo('names.csv')
  await runByPalette(page, 'Export as CSV…')
  await expect(messageOf(page, 'Saved names.csv · only among the 1,000 names with most time')).toBeVisible()
})

test('of a slice with many flows it is said how many the picture shows', async () => {
  const { page } = app()
  await open('flows.json', [
    { ph: 'X', name: 'cudaGraphLaunch', cat: 'cuda_runtime', pid: 1, tid: 1, ts: 0, dur: 9, args: { correlation: 5 } },
    ...numbers(45).map((index) => ({
      ph: 'X',
      name: `kernel ${index}`,
      cat: 'kernel',
      pid: 0,
      tid: 7,
      ts: 20 + 10 * index,
      dur: 5,
      args: { correlation: 5, stream: 7, device: 0 },
    })),
  ])
  await search(page, 'cudaGraphLaunch')
  await page.getByRole('textbox', { name: 'Search slices by name' }).press('Enter')
  await expect(page.getByTestId('trace-slice')).toContainText('The picture shows 40 of these 45 flows.')
})

test('memory by op of more ops than a table has is saved with a word about the rest', async () => {
  const { page } = app()
  const ops = numbers(10_003)
  await open(
    'ops.json',
    ops.flatMap((index) => [
      { ph: 'X', name: `op ${index}`, cat: 'cpu_op', pid: 1, tid: 1, ts: 10 * index, dur: 8 },
      {
        ph: 'i',
        s: 't',
        name: '[memory]',
        cat: 'cpu_instant_event',
        pid: 1,
        tid: 1,
        ts: 10 * index + 2,
        args: {
          Addr: 4096 + 512 * index,
          Bytes: 512,
          'Device Type': 1,
          'Device Id': 0,
          'Total Allocated': 512 * (index + 1),
          'Total Reserved': 1 << 24,
          'Ev Idx': index,
        },
      },
    ]),
  )
  await press(page, 't')
  await page.getByRole('button', { name: 'Memory by op', exact: true }).click()
  await expect(page.getByTestId('trace-op-table').locator('tbody th').first()).toBeVisible()
  await saveTo('ops.csv')
  await runByPalette(page, 'Export as CSV…')
  await expect(messageOf(page, 'Saved ops.csv · 3 rows with less time or memory are not in it')).toBeVisible()
})
