// A folder of real failures dropped on the window: its table and its pages say what the command line says, and what happened.
import { dirname, join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import words from '../../renderer/i18n/en/diagnosis.json' with { type: 'json' }
import { corpusFolder, labelledRuns } from '../support/corpus.ts'
import { runCli } from './cli.ts'
import { dropFiles, waitUntilIdle } from './launch.ts'
import { closeAllTabs, exactText, momentRow, numberIn, press, textOf } from './steps.ts'
import { sharedApp } from './with-app.ts'

const app = sharedApp()
const runs = labelledRuns('oom')
const waiting = { timeout: 120_000 } // some fifty captures are read

test.beforeEach(() => {
  test.skip(runs.length === 0, 'the corpus is not here')
  test.setTimeout(600_000)
  return closeAllTabs(app().page)
})

/** Drops the folder of failures, waits for its table and answers the folder. */
async function openFolder(page: Page): Promise<string> {
  const folder = join(corpusFolder, 'oom')
  await dropFiles(page, [folder])
  await expect(tableOf(page)).toBeVisible(waiting)
  await waitUntilIdle(page)
  return folder
}

/** What `tidemark diagnose --json` says of a run. */
interface Report {
  readonly file: string
  readonly verdict: { readonly label: keyof typeof words.label }
  readonly facts: Readonly<Record<string, unknown>> & { readonly failure: boolean; readonly requested_bytes: number | null }
}

const reportsOf = (cacheFolder: string, folder: string): Report[] =>
  JSON.parse(runCli(cacheFolder, ['diagnose', folder, '--json'])) as Report[]

interface ShownRow {
  readonly verdict: string
  /** All digits. */
  readonly requested: string
}

const tableOf = (page: Page) => page.getByTestId('failures-table')
const rowsOf = (page: Page) => tableOf(page).locator('tbody tr[aria-rowindex]')

/** Every row by its name, walking with the keys: only rows in sight are in the page. */
async function allRows(page: Page): Promise<Map<string, ShownRow>> {
  const count = Number(await tableOf(page).getByRole('table').getAttribute('aria-rowcount')) - 1
  const found = new Map<string, ShownRow>()
  await tableOf(page).focus()
  await press(page, 'Home')
  for (let steps = 0; found.size < count && steps < count; steps++) {
    const shown = await rowsOf(page).evaluateAll((rows) =>
      rows.map((row) => {
        const cell = (column: string) => row.querySelector<HTMLElement>(`td.${column}`)
        return [cell('name')?.textContent, { verdict: cell('verdict')?.textContent, requested: cell('requested')?.title }] as const
      }),
    )
    for (const [name, row] of shown) found.set(name ?? '', { verdict: row.verdict ?? '', requested: row.requested ?? '' })
    await press(page, 'PageDown')
  }
  return found
}

/** The groups of failures that are alike: how many, with which share, and of what. */
const patternsOf = (page: Page) =>
  page
    .getByRole('region', { name: 'Patterns' })
    .getByRole('button')
    .evaluateAll((buttons) =>
      buttons.map((button) => {
        const text = (selector: string) => button.querySelector<HTMLElement>(selector)?.textContent ?? ''
        return { count: Number(text('.fail-count')), share: text('.fail-share'), verdict: text('strong') }
      }),
    )

const countBy = (names: readonly (readonly [string, number])[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const [name, count] of names) counts[name] = (counts[name] ?? 0) + count
  return counts
}

test('a folder of real failures is a table of all its runs, with the verdicts of the command line and patterns that add up', async () => {
  const { page, cacheFolder } = app()
  const folder = await openFolder(page)
  const reports = reportsOf(cacheFolder, folder)

  const failed = runs.filter(({ accepts }) => accepts.length > 0)
  const counts = page.getByTestId('failures-counts')
  await expect(counts).toContainText(`${failed.length} failures`)
  await expect(counts).toContainText(`${runs.length - failed.length} healthy`)
  const rows = await allRows(page)
  expect([...rows.keys()].map((name) => name.split('/')[0]).sort()).toEqual(runs.map(({ name }) => name))
  const said = reports.map(({ file, verdict, facts: { requested_bytes: requested } }) => [
    file.slice(folder.length + 1),
    { verdict: words.label[verdict.label], requested: requested === null ? '—' : exactText(requested) },
  ])
  // Behind a verdict stands whether it is certain.
  const shown = [...rows].map(([name, row]) => [name, { ...row, verdict: row.verdict.split(' · ')[0] }] as const)
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(said))

  const names: Readonly<Record<string, string>> = words.label
  const accepted = failed.filter(({ accepts, name }) => {
    const [, row] = shown.find(([file]) => file === join(name, 'snapshot.pickle')) ?? []
    return row !== undefined && accepts.some((label) => names[label] === row.verdict)
  })
  expect(accepted.length / failed.length).toBeGreaterThanOrEqual(0.95)

  const patterns = await patternsOf(page)
  await expect(counts).toContainText(`${patterns.length} patterns`)
  expect(countBy(patterns.map(({ verdict, count }) => [verdict, count]))).toEqual(
    countBy(reports.filter(({ facts }) => facts.failure).map(({ verdict }) => [words.label[verdict.label], 1])),
  )
  const all = patterns.reduce((sum, { count }) => sum + count, 0)
  expect(all).toBe(failed.length)
  expect(patterns.map(({ share }) => numberIn(share))).toEqual(patterns.map(({ count }) => Math.round((count / all) * 100)))
})

/** Numbers of the page beside those of the command line. */
const amounts = {
  Requested: 'requested_bytes',
  Limit: 'limit_bytes',
  Reserved: 'reserved_bytes',
  Allocated: 'allocated_bytes',
  'Free in its pool': 'free_bytes',
  'Largest free block': 'largest_free_bytes',
  'Outside PyTorch': 'outside_bytes',
  'Device free': 'device_free_bytes',
  'Device total': 'device_total_bytes',
} as const

test('a row of real failures opens its page, whose numbers are those of the command line for its run', async () => {
  const { page, cacheFolder } = app()
  const folder = await openFolder(page)
  await page.getByRole('button', { name: 'Requested' }).click()
  const largest = rowsOf(page).first().locator('td.name button')
  const file = join(folder, await textOf(largest))
  await largest.click()
  await press(page, 'Enter')
  await expect(momentRow(page, 'Requested')).toBeVisible(waiting)
  await waitUntilIdle(page)

  const [report] = reportsOf(cacheFolder, dirname(file))
  if (!report) throw new Error(`nothing is said of ${file}`)
  await expect(page.getByTestId('diagnosis').locator('.diag-cause')).toContainText(words.label[report.verdict.label])
  expect(report.facts.requested_bytes).toBeGreaterThan(0)
  for (const [label, fact] of Object.entries(amounts)) {
    const bytes = report.facts[fact]
    const row = momentRow(page, label)
    if (typeof bytes === 'number') await expect(row, label).toHaveAttribute('title', exactText(bytes))
    else await expect(row, label).toHaveCount(0)
  }
})
