// Hot spots: a template marks what a kind of program is known to need, and what has no stack is named by what is known of it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { adamStates, loraParameters, smallLlama, sumOf } from '../golden/model-sizes.ts'
import { numberOf } from './cli.ts'
import { root, samplePath } from './files.ts'
import { dropFiles, waitUntilIdle } from './launch.ts'
import { inkOf, pixelsOf } from './pixels.ts'
import { closeAllTabs, messageOf, openByDrop, press, runByPalette } from './steps.ts'
import { sharedApp, sharedScratch } from './with-app.ts'

const file = samplePath('ft_lora')
const app = sharedApp()
const scratch = sharedScratch()
const kibibytes = (bytes: number): string => `${Math.round(bytes / 1024)}\u00a0KiB`

const flameOf = (page: Page) => page.getByTestId('flame-canvas')
const spotsOf = (page: Page) => page.getByRole('region', { name: 'Hot spots' })
const spotOf = (page: Page, name: string) => spotsOf(page).getByRole('button', { name })

test.beforeEach(async () => closeAllTabs(app().page))

test('the template that fits marks adapters, by pointer and by key, filters to them, and its marks are in pictures', async () => {
  const { page, electron } = app()
  await openByDrop(page, file, 'ft_lora.pickle')
  await press(page, 'Control+G')
  const box = page.getByRole('combobox', { name: 'Command palette' })
  await box.fill('3470')
  await press(page, 'Enter', '5')
  await expect(flameOf(page)).toHaveAttribute('data-drawn', 'yes')
  const adapters = sumOf(loraParameters(smallLlama, 8))
  await expect(spotsOf(page).getByLabel('Template')).toHaveValue('auto')
  await expect(spotsOf(page).getByLabel('Template').locator('option').first()).toHaveText('Best fit: LoRA fine-tuning')
  // Every name fits beside the arrow of the list.
  const arrowPx = 20
  const [widestPx, roomPx] = await spotsOf(page)
    .getByLabel('Template')
    .evaluate((list: HTMLSelectElement) => {
      const context = document.createElement('canvas').getContext('2d')
      if (context) context.font = getComputedStyle(list).font
      return [Math.max(...[...list.options].map(({ text }) => context?.measureText(text).width ?? 0)), list.clientWidth] as const
    })
  expect(widestPx).toBeGreaterThan(0)
  expect(widestPx).toBeLessThan(roomPx - arrowPx)
  await expect(spotOf(page, 'Adapter weights')).toContainText(kibibytes(adapters))
  await expect(spotOf(page, 'Adapter gradients')).toContainText(kibibytes(adapters))
  await expect(spotOf(page, 'Adapter optimizer states')).toContainText(kibibytes(sumOf(adamStates(loraParameters(smallLlama, 8)))))

  await waitUntilIdle(page)
  const before = inkOf(await pixelsOf(flameOf(page)))
  await spotOf(page, 'Frozen base model').focus()
  await waitUntilIdle(page)
  expect(inkOf(await pixelsOf(flameOf(page)))).not.toEqual(before)

  await press(page, 'Enter')
  await expect(spotOf(page, 'Frozen base model')).toHaveAttribute('aria-pressed', 'true')
  const weights = numberOf(
    app().cacheFolder,
    file,
    `SELECT sum(size_bytes) FROM live_allocation(0, 3470) JOIN allocation_category(0) USING (allocation_id) WHERE category = 'parameter'`,
  )
  await expect(page.locator('[data-region=status]')).toContainText(`${((weights - adapters) / 2 ** 20).toFixed(1)}\u00a0MiB`)
  await press(page, 'Enter')
  await expect(spotOf(page, 'Frozen base model')).toHaveAttribute('aria-pressed', 'false')

  const save = async (name: string) => {
    const path = join(scratch.path, name)
    await electron.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath })
    }, path)
    await press(page, 'Control+E')
    const dialog = page.getByRole('dialog', { name: 'Export image' })
    await dialog.getByLabel('Format').selectOption('svg')
    await dialog.getByRole('button', { name: 'Save…' }).click()
    await expect(messageOf(page, `Saved ${name}`)).toBeVisible()
    return readFileSync(path, 'utf8')
  }
  // Only marks that are wide enough to be drawn are numbered and listed.
  expect(await save('marked.svg')).toContain('Hot spots: 1 Frozen base model')
  await spotsOf(page).getByLabel('Template').selectOption('None')
  await expect(spotOf(page, 'Adapter weights')).toHaveCount(0)
  expect(await save('plain.svg')).not.toContain('Hot spots')
})

test('what has no stack is a node a category, which says why it has none, and filters other views to just that', async () => {
  const { page } = app()
  await openByDrop(page, file, 'ft_lora.pickle')
  await press(page, '5', 't')
  await page.getByLabel('Weight').selectOption('peak')
  const rows = page.getByTestId('flame-table').locator('tbody tr[aria-rowindex]')
  await rows.getByRole('button', { name: 'Autograd detail · backward, no Python stack' }).click()
  const drawer = page.locator('[data-region=details]')
  await expect(drawer).toContainText('autograd’s backward pass runs in a thread of its own')
  await drawer.getByRole('button', { name: 'Timeline' }).click()
  await expect(page.locator('.filter-chips')).toContainText('In Autograd detail · backward, no Python stack')
  await press(page, '5')
  await expect(rows).toHaveCount(1)
  await runByPalette(page, '简体中文')
  await expect(rows).toContainText('自动求导细节 · 反向传播，没有 Python 调用栈')
  await runByPalette(page, 'English')
})

test('a trace has hot spots on each device, and a checker finds no fault', async () => {
  const { page } = app()
  await dropFiles(page, [join(root, 'resources', 'samples', 'trace_lora.json.gz')])
  await expect(page.getByTestId('trace-canvas')).toHaveAttribute('data-drawn', 'yes', { timeout: 60_000 })
  await press(page, '5')
  await expect(flameOf(page)).toHaveAttribute('data-drawn', 'yes')
  await expect(spotOf(page, 'Adapter forward pass')).toBeVisible()
  await spotsOf(page).getByText('What these are').click()
  await expect(spotsOf(page)).toContainText('rank × inputs')
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual([])
})
