// Files that cannot be opened: answered in words with a code, and nothing else suffers.
import { expect, type Page, test } from '@playwright/test'
import { ftLora, pickleWithReduce, randomBytes, samplePath, truncatedPickle } from './files.ts'
import { dropFiles, waitUntilIdle } from './launch.ts'
import { closeAllTabs, countText, curveAtCursor, exactText, expectShown, openByDrop, press, summaryRow, tabNamed, tabsOf } from './steps.ts'
import { sharedApp, sharedScratch, withApp } from './with-app.ts'

const app = sharedApp()
const scratch = sharedScratch()

test.beforeEach(() => closeAllTabs(app().page))

async function expectFailure(page: Page, name: string, title: string, code: string): Promise<void> {
  const alert = page.getByRole('alert')
  await expect(alert.getByRole('heading')).toHaveText(title)
  await expect(alert).toContainText(name)
  await expect(alert.getByText(code, { exact: true })).toBeVisible()
  await expect(page.getByRole('tab', { name: `${name}, could not be opened` })).toBeVisible()
}

const cases = [
  ['random bytes', 'noise.bin', () => randomBytes(4000), 'This file is no capture that Tidemark knows', 'file/unknown_format'],
  ['an empty file', 'empty.pickle', () => '', 'The file is empty', 'file/empty'],
  ['a pickle cut off at its start', 'cut.pickle', () => truncatedPickle(60), 'The snapshot ends too early', 'snapshot/truncated'],
  ['a pickle that runs code', 'evil.pickle', pickleWithReduce, 'The snapshot asks to run code', 'snapshot/forbidden_opcode'],
  ['a trace without events', 'run.json', () => '{"traceEvents": []}', 'This JSON file is not a Chrome trace', 'trace/not_a_trace'],
] as const

for (const [what, name, bytes, title, code] of cases) {
  test(`${what} is answered with ${code}`, async () => {
    const { page } = app()
    await dropFiles(page, [scratch.write(name, bytes())])
    await waitUntilIdle(page)
    await expectFailure(page, name, title, code)
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Copy details' })).toBeVisible()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await expect(tabsOf(page)).toHaveCount(0)
  })
}

test('a pickle cut in the middle shows what came before the cut and says so', async () => {
  const { page } = app()
  await openByDrop(page, scratch.write('half.pickle', truncatedPickle(400_000)), 'half.pickle')
  const finding = page.getByRole('region', { name: 'Findings' }).locator('summary').filter({ hasText: 'The file ends early' })
  await finding.click()
  await expect(page.getByText('snapshot/truncated', { exact: true })).toBeVisible()
  await expect(page.getByText('Replay differs from the final state')).toBeVisible()
  await expect(summaryRow(page, 'at event'), 'the peak lies before the cut').toHaveText(countText(ftLora.peakEvent))
})

test('a missing file on the command line is answered with file/not_found', () =>
  withApp({ files: [samplePath('oom'), '/no/such/run.pickle'] }, async ({ page }) => {
    await expectFailure(page, 'run.pickle', 'The file is no longer there', 'file/not_found')
    await tabNamed(page, 'oom.pickle').click()
    await expectShown(page, 'oom.pickle')
  }))

test('a file that was repaired meanwhile opens by Try again', async () => {
  const { page } = app()
  await dropFiles(page, [scratch.write('later.pickle', '')])
  await expectFailure(page, 'later.pickle', 'The file is empty', 'file/empty')
  scratch.copy(samplePath('oom'), 'later.pickle')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expectShown(page, 'later.pickle')
})

test('the details to copy tell code and versions, and nothing of the file’s place', async () => {
  const { page, electron } = app()
  await dropFiles(page, [scratch.write('noise.bin', randomBytes(900))])
  await page.getByRole('button', { name: 'Copy details' }).click()
  await expect(page.getByRole('button', { name: 'Details copied' })).toBeVisible()
  const text = await electron.evaluate(async ({ clipboard }) => clipboard.readText())
  expect(text).toContain('code: file/unknown_format')
  expect(text).toMatch(/Tidemark \d+\.\d+\.\d+, Electron/)
  expect(text).not.toContain(scratch.path)
})

test('ten files dropped at once, good and bad, each get their answer, and the good ones stay usable', async () => {
  const { page } = app()
  const bad = cases.map(([, name, bytes]) => scratch.write(`ten-${name}`, bytes()))
  const more = [scratch.link(samplePath('oom'), 'ten-link.pickle'), scratch.write('ten-last.pickle', 'N.')]
  await dropFiles(page, [samplePath('ft_lora'), ...bad, samplePath('oom'), ...more, samplePath('two_devices')])
  await waitUntilIdle(page)
  // ten-link.pickle is oom.pickle by another name, so the two share a tab.
  await expect(tabsOf(page)).toHaveCount(9)
  await expect(page.getByRole('tab', { name: /could not be opened$/ })).toHaveCount(6)
  await tabNamed(page, 'ft_lora.pickle').click()
  await expectShown(page, 'ft_lora.pickle')
  await press(page, 'k')
  await expect(curveAtCursor(page, 'Allocated')).toHaveAttribute('title', exactText(ftLora.peakBytes))
})

test('a snapshot without history says what it does hold and what to do', async () => {
  const { page } = app()
  const text = JSON.stringify([
    {
      device: 0,
      address: 139637976727552,
      total_size: 2097152,
      allocated_size: 1048576,
      active_size: 1048576,
      requested_size: 1048576,
      stream: 0,
      segment_type: 'small',
      blocks: [
        { address: 139637976727552, size: 1048576, requested_size: 1048576, state: 'active_allocated' },
        { address: 139637977776128, size: 1048576, requested_size: 0, state: 'inactive' },
      ],
    },
  ])
  await dropFiles(page, [scratch.write('segments.json', text)])
  await waitUntilIdle(page)
  await expect(page.getByText('What the file does hold: 2.00\u00a0MiB reserved, 1.00\u00a0MiB allocated at the dump.')).toBeVisible()
  await openByDrop(page, samplePath('oom'), 'oom.pickle')
})
