// What a user does and reads, in the words of the window. English texts: the tests start the app in English.
import { expect, type Locator, type Page } from '@playwright/test'
import { dropFiles, waitUntilIdle } from './launch.ts'

const nbsp = '\u00a0'

/** A count as the window writes it: 2,480. */
export const countText = (count: number): string => count.toLocaleString('en-US')

/** Bytes with all digits as the window writes them: 1,234,779,648 B. */
export const exactText = (bytes: number): string => `${countText(bytes)}${nbsp}B`

/** The number in a text like "1,234 B" or "at event 2,480". */
export function numberIn(text: string): number {
  const digits = /\d[\d,]*/.exec(text)?.[0]
  if (digits === undefined) throw new Error(`no number in "${text}"`)
  return Number(digits.replaceAll(',', ''))
}

/** The text of an element, waiting for it. */
export const textOf = async (locator: Locator): Promise<string> => (await locator.textContent()) ?? ''

export const canvasOf = (page: Page): Locator => page.getByTestId('timeline-canvas')
export const tabsOf = (page: Page): Locator => page.getByRole('tab')
export const tabNamed = (page: Page, name: string): Locator => page.getByRole('tab').and(page.getByTitle(name, { exact: true }))
export const trailOf = (page: Page): Locator => page.getByRole('navigation', { name: 'Visible range' })
export const statusOf = (page: Page): Locator => page.locator('[data-region=status]')

export const diagnosisOf = (page: Page): Locator => page.locator('.view-button[aria-current]', { hasText: 'Diagnosis' })

/** Waits until the capture is in front and its picture is drawn; a failure opens with its diagnosis, so its timeline is asked for. */
export async function expectShown(page: Page, name: string): Promise<void> {
  await expect(tabNamed(page, name)).toHaveAttribute('aria-selected', 'true', { timeout: 60_000 })
  await expect(page.locator('.view-main')).toBeVisible({ timeout: 60_000 })
  if (await diagnosisOf(page).isVisible()) await page.keyboard.press('1')
  await expect(canvasOf(page)).toHaveAttribute('data-drawn', 'yes', { timeout: 60_000 })
  await waitUntilIdle(page)
}

/** Drops one file and waits for its picture. */
export async function openByDrop(page: Page, file: string, name: string): Promise<void> {
  await dropFiles(page, [file])
  await expectShown(page, name)
}

/** Presses keys one after the other and waits for what they bring. */
export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key)
    await waitUntilIdle(page)
  }
}

/** A row of the summary in the side bar. */
export const summaryRow = (page: Page, label: string): Locator =>
  page.getByRole('region', { name: 'Summary' }).locator('.row').filter({ hasText: label }).first().locator('dd')

/** A curve's value at the cursor, in the side bar; its title holds all digits. */
export const curveAtCursor = (page: Page, curve: string): Locator =>
  page.getByRole('region', { name: 'Curves' }).locator('.row').filter({ hasText: curve }).locator('dd')

/** A number of the moment that a diagnosis is of; its title holds all digits. */
export const momentRow = (page: Page, label: string): Locator =>
  page
    .getByRole('region', { name: 'At the failure' })
    .locator('.row')
    .filter({ has: page.locator('dt').getByText(label, { exact: true }) })
    .locator('dd')

/** A fact of the selected allocation. */
export const factOf = (page: Page, label: string): Locator =>
  page
    .locator('[data-region=details] .row')
    .filter({ has: page.locator('dt').getByText(label, { exact: true }) })
    .locator('dd')
    .first()

/** A short message at the bottom (not its spoken copy). */
export const messageOf = (page: Page, text: string): Locator => page.locator('.message').filter({ hasText: text }).last()

/** The table twin, and its rows without head and padding. */
export const liveTable = (page: Page): Locator => page.getByRole('table', { name: 'Live allocations' })
export const liveRows = (page: Page): Locator => liveTable(page).locator('tbody tr[aria-rowindex]')

/** The event of the pinned cursor, read from the heading of the stacks; undefined without a cursor. */
export async function cursorEvent(page: Page): Promise<number | undefined> {
  const text = await textOf(page.locator('.data-table.stacks thead th').first())
  return text.includes('at event') ? numberIn(text) : undefined
}

/** The visible range of events, from the status line. */
export async function visibleEvents(page: Page): Promise<{ readonly first: number; readonly last: number }> {
  await waitUntilIdle(page)
  const text = await textOf(statusOf(page))
  const [, first, last] = /Events\s+([\d,]+)\s+–\s+([\d,]+)/.exec(text) ?? []
  if (first === undefined || last === undefined) throw new Error(`the status line tells no events: ${text}`)
  return { first: numberIn(first), last: numberIn(last) }
}

export const spanOf = ({ first, last }: { readonly first: number; readonly last: number }): number => last - first

/** Runs a command by its title through the palette. */
export async function runByPalette(page: Page, title: string): Promise<void> {
  await page.keyboard.press('Control+K')
  const box = page.getByRole('dialog').getByRole('combobox')
  await box.fill(title)
  await expect(page.getByRole('dialog').getByRole('option').first()).toContainText(title)
  await box.press('Enter')
  await expect(box).toBeHidden()
  await waitUntilIdle(page)
}

/** Closes every tab by key. */
export async function closeAllTabs(page: Page): Promise<void> {
  for (let left = await tabsOf(page).count(); left > 0; left--) {
    await page.keyboard.press('Control+W')
    await expect(tabsOf(page)).toHaveCount(left - 1)
  }
}
