// The timeline by key, wheel and drag, its numbers against SQL on the same index.
import { expect, type Page, test } from '@playwright/test'
import { aliveAfter, numberOf, query } from './cli.ts'
import { ftLora, samplePath } from './files.ts'
import { waitUntilIdle } from './launch.ts'
import { differingShare, pixelsOf } from './pixels.ts'
import { eventUnder, pointOf } from './place.ts'
import {
  canvasOf,
  closeAllTabs,
  countText,
  cursorEvent,
  curveAtCursor,
  exactText,
  factOf,
  numberIn,
  openByDrop,
  press,
  spanOf,
  summaryRow,
  textOf,
  trailOf,
  visibleEvents,
} from './steps.ts'
import { sharedApp } from './with-app.ts'

const file = samplePath('ft_lora')
const { peakBytes, peakEvent } = ftLora
const app = sharedApp()
let eventCount: number

test.beforeEach(async () => {
  const { page } = app()
  await page.mouse.move(2, 2)
  await closeAllTabs(page)
  await openByDrop(page, file, 'ft_lora.pickle')
  eventCount = numberIn(await textOf(summaryRow(page, 'Events')))
})

const sql = (text: string): number => numberOf(app().cacheFolder, file, text)

test('K goes to the peak: the number of torch.cuda.memory_stats() at its event', async () => {
  const { page } = app()
  await press(page, 'k')
  expect(await cursorEvent(page)).toBe(peakEvent)
  await expect(curveAtCursor(page, 'Allocated')).toHaveAttribute('title', exactText(peakBytes))
  for (const curve of ['Reserved', 'Active', 'Requested']) {
    const bytes = sql(`SELECT ${curve.toLowerCase()}_bytes FROM memory_curve WHERE device = 0 AND event = ${peakEvent}`)
    await expect(curveAtCursor(page, curve)).toHaveAttribute('title', exactText(bytes))
  }
})

test('the read-out under the pointer tells the event, its time and the curves', async () => {
  const { page } = app()
  const { x, y } = await pointOf(page, eventCount, peakEvent, 0.95)
  await page.mouse.move(x, y)
  const box = page.locator('.read-out')
  await expect(box).toBeVisible()
  await expect(box).toContainText(`Event ${countText(peakEvent)}`)
  await expect(box).toContainText('1.15\u00a0GiB')
  await expect(box).toContainText(/\d(\.\d+)?\u00a0(s|ms|µs)/)
  await page.mouse.move(2, 2)
  await expect(box).toBeHidden()
})

test('W and S zoom, A and D pan, + and − zoom by a step, 0 shows everything again', async () => {
  const { page } = app()
  await expect(trailOf(page)).toHaveText(`All ${countText(eventCount)} events`)
  await press(page, 'w')
  const zoomed = await visibleEvents(page)
  expect(spanOf(zoomed)).toBeLessThan(eventCount - 1)
  await press(page, '+', '+')
  const closer = await visibleEvents(page)
  expect(spanOf(closer)).toBeLessThan(spanOf(zoomed) / 2)
  await press(page, 'd')
  const right = await visibleEvents(page)
  expect(right.first).toBeGreaterThan(closer.first)
  expect(Math.abs(spanOf(right) - spanOf(closer))).toBeLessThanOrEqual(2)
  await press(page, 'a', 'a')
  expect((await visibleEvents(page)).first).toBeLessThan(right.first)
  await press(page, '-')
  expect(spanOf(await visibleEvents(page))).toBeGreaterThan(spanOf(closer))
  await press(page, 's')
  await press(page, '0')
  await expect(trailOf(page)).toHaveText(`All ${countText(eventCount)} events`)
  expect(await visibleEvents(page)).toEqual({ first: 0, last: eventCount - 1 })
})

test('a held key goes on until it is let go', async () => {
  const { page } = app()
  await page.keyboard.down('w')
  await expect.poll(async () => spanOf(await visibleEvents(page))).toBeLessThan(eventCount / 4)
  await page.keyboard.up('w')
  const rest = await visibleEvents(page)
  await waitUntilIdle(page)
  expect(await visibleEvents(page)).toEqual(rest)
})

test('the wheel zooms at the pointer, with Shift it pans', async () => {
  const { page } = app()
  const point = await pointOf(page, eventCount, 1000, 0.5)
  await page.mouse.move(point.x, point.y)
  await page.mouse.wheel(0, -600)
  await expect.poll(async () => spanOf(await visibleEvents(page))).toBeLessThan(eventCount * 0.6)
  const zoomed = await visibleEvents(page)
  const under = await eventUnder(page, eventCount, point)
  const share = (under - zoomed.first) / spanOf(zoomed)
  expect(share, 'the event under the pointer keeps its place').toBeCloseTo(under / eventCount, 1)
  await page.keyboard.down('Shift')
  await page.mouse.wheel(0, 200)
  await page.keyboard.up('Shift')
  await expect.poll(async () => (await visibleEvents(page)).first).toBeGreaterThan(zoomed.first)
  expect(Math.abs(spanOf(await visibleEvents(page)) - spanOf(zoomed))).toBeLessThanOrEqual(2)
})

test('dragging selects a range of events, with statistics that equal SQL; Esc takes it away', async () => {
  const { page } = app()
  const from = await pointOf(page, eventCount, 1200, 0.5)
  const to = await pointOf(page, eventCount, 2600, 0.4)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move((from.x + to.x) / 2, to.y, { steps: 4 })
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await page.mouse.up()
  await expect(page.getByRole('columnheader', { name: 'In selection' })).toBeVisible()
  await waitUntilIdle(page)
  const selected = page.getByTitle('Zoom to the selected range')
  const [, first, last] = /([\d,]+) – ([\d,]+)/.exec(await textOf(selected)) ?? []
  const [a, b] = [numberIn(first ?? ''), numberIn(last ?? '')]
  expect(Math.abs(a - 1200)).toBeLessThan(15)
  expect(Math.abs(b - 2600)).toBeLessThan(15)
  const between = `device = 0 AND event BETWEEN ${a} AND ${b}`
  const allocated = page.locator('.data-table tr').filter({ has: page.getByRole('rowheader', { name: 'Allocated', exact: true }) })
  const max = sql(`SELECT max(allocated_bytes) FROM memory_curve WHERE ${between}`)
  await expect(allocated.locator('td').nth(2)).toHaveAttribute('title', exactText(max))
  expect(max).toBe(peakBytes)
  const made = sql(`SELECT count(*) FROM allocation WHERE device = 0 AND alloc_event BETWEEN ${a} AND ${b}`)
  const freed = sql(`SELECT count(*) FROM allocation WHERE device = 0 AND free_requested_event BETWEEN ${a} AND ${b}`)
  await expect(page.getByText(`${countText(made)} made`)).toBeVisible()
  await expect(page.getByText(`${countText(freed)} freed`)).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Top stacks by bytes allocated in the selection' })).toBeVisible()
  await press(page, 'Escape')
  await expect(selected).toBeHidden()
  await expect(page.getByRole('columnheader', { name: 'In view' })).toBeVisible()
})

test('a click on a band shows its allocation: address version, sizes, life, stack; bands lie in the order of allocation', async () => {
  const { page, cacheFolder } = app()
  const bands = query(
    cacheFolder,
    file,
    `SELECT allocation_id, address, version, requested_bytes, size_bytes, alloc_event, stack_id FROM allocation
     WHERE ${aliveAfter(peakEvent)} ORDER BY alloc_event IS NOT NULL, alloc_event, allocation_id`,
  )
  expect(
    bands.reduce((sum, { size_bytes }) => sum + Number(size_bytes), 0),
    'the bands add up to the curve',
  ).toBe(peakBytes)
  const found: number[] = []
  for (const height of [0.12, 0.35, 0.5, 0.62]) {
    const point = await pointOf(page, eventCount, peakEvent, height)
    await page.mouse.click(point.x, point.y)
    await waitUntilIdle(page)
    const address = await factOf(page, 'Address').getAttribute('title')
    const at = bands.findIndex((band) => band.address === address)
    const band = bands[at]
    if (!band) throw new Error(`${address} is not alive at the peak`)
    found.push(at)
    await expect(factOf(page, 'Version')).toHaveText(`b${String(address).replace('0x', '')}_${band.version}`)
    await expect(factOf(page, 'Requested')).toHaveText(exactText(Number(band.requested_bytes)))
    await expect(factOf(page, 'Rounded to')).toHaveText(exactText(Number(band.size_bytes)))
    await expect(factOf(page, 'Allocated')).toContainText(`event ${countText(Number(band.alloc_event))}`)
    await expectStack(page, Number(band.stack_id))
    expect(await cursorEvent(page), 'the cursor is pinned there').toBe(peakEvent)
  }
  expect(found, 'higher bands are later allocations').toEqual([...found].sort((a, b) => a - b))
  expect(new Set(found).size).toBeGreaterThanOrEqual(3)
})

/** The drawer shows a frame of the stack, or says that there is none. */
async function expectStack(page: Page, stackId: number): Promise<void> {
  const names = query(
    app().cacheFolder,
    file,
    `SELECT f.name FROM stack_frame s JOIN frame f USING (frame_id) WHERE s.stack_id = ${stackId} ORDER BY s.position`,
  ).map(({ name }) => String(name))
  const shown = await textOf(page.locator('[data-region=details]'))
  if (names.length === 0) expect(shown).toContain('No frames were recorded')
  else expect(names.some((name) => shown.includes(name))).toBe(true)
}

test('Esc steps back one thing at a time: range, selection, cursor', async () => {
  const { page } = app()
  await press(page, 'k', 'ArrowUp')
  await expect(factOf(page, 'Address')).toBeVisible()
  await press(page, 'r')
  await expect(page.getByTitle('Zoom to the selected range')).toBeVisible()
  await press(page, 'Escape')
  await expect(page.getByTitle('Zoom to the selected range')).toBeHidden()
  await expect(factOf(page, 'Address')).toBeVisible()
  await press(page, 'Escape')
  await expect(factOf(page, 'Address')).toBeHidden()
  expect(await cursorEvent(page)).toBe(peakEvent)
  await press(page, 'Escape')
  expect(await cursorEvent(page)).toBeUndefined()
  await press(page, 'Escape')
  await expect(canvasOf(page), 'Esc never closes a file').toBeVisible()
})

test('arrow keys move the cursor by events and the selection from band to band', async () => {
  const { page } = app()
  await press(page, 'k', 'ArrowRight')
  expect(await cursorEvent(page)).toBe(peakEvent + 1)
  await press(page, 'ArrowLeft', 'ArrowLeft')
  expect(await cursorEvent(page)).toBe(peakEvent - 1)
  await press(page, 'k', 'ArrowUp')
  const lowest = await factOf(page, 'Address').getAttribute('title')
  const [bottom] = query(
    app().cacheFolder,
    file,
    `SELECT address FROM allocation WHERE ${aliveAfter(peakEvent)} ORDER BY alloc_event IS NOT NULL, alloc_event, allocation_id LIMIT 1`,
  )
  expect(lowest).toBe(bottom?.address)
  await press(page, 'ArrowUp')
  const next = await factOf(page, 'Address').getAttribute('title')
  expect(next).not.toBe(lowest)
  await press(page, 'ArrowDown')
  await expect(factOf(page, 'Address')).toHaveAttribute('title', lowest ?? '')
})

test('F brings the selected allocation’s life into sight, F again shows everything', async () => {
  const { page } = app()
  await press(page, 'k', 'ArrowDown')
  const life = (await textOf(factOf(page, 'Allocated'))).split('·')[0] ?? ''
  await press(page, 'f')
  const shown = await visibleEvents(page)
  expect(spanOf(shown)).toBeLessThan(eventCount / 2)
  expect(shown.first).toBeLessThanOrEqual(numberIn(life))
  expect(shown.last).toBeGreaterThanOrEqual(numberIn(life))
  await press(page, 'f')
  await expect(trailOf(page)).toHaveText(`All ${countText(eventCount)} events`)
})

test('the next and previous use of an address are one key away', async () => {
  const { page } = app()
  await press(page, 'k', 'ArrowDown')
  const uses = page.locator('[data-region=details] .panel-head').getByText(/^\d+ of [\d,]+$/)
  await expect(uses).toBeVisible()
  const before = await textOf(uses)
  const [index, count] = before.split(' of ').map(numberIn)
  if (index === undefined || count === undefined) throw new Error(before)
  const [there, back] = index < count ? ['.', ','] : [',', '.']
  await press(page, there ?? '')
  await expect(uses).toHaveText(`${countText(index < count ? index + 1 : index - 1)} of ${countText(count)}`)
  await press(page, back ?? '')
  await expect(uses).toHaveText(before)
})

test('X switches the axis between events and time, and the same stretch stays in sight', async () => {
  const { page } = app()
  const byEvents = await pixelsOf(canvasOf(page))
  await press(page, 'k', '+', '+')
  const { first, last } = await visibleEvents(page)
  await press(page, 'x')
  await expect(page.getByRole('button', { name: 'Time', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await expect(trailOf(page)).toContainText(/Time .+ – .+(s|ms)/)
  await press(page, 'x')
  await expect(page.getByRole('button', { name: 'Events', exact: true })).toHaveAttribute('aria-pressed', 'true')
  const again = await visibleEvents(page)
  expect(Math.abs(again.first - first)).toBeLessThanOrEqual(3)
  expect(Math.abs(again.last - last)).toBeLessThanOrEqual(3)
  await press(page, '0', 'x')
  expect(differingShare(byEvents, await pixelsOf(canvasOf(page)))).toBeGreaterThan(0.05)
})

test('C goes through the ways to colour: the picture and the legend change each time and come back', async () => {
  const { page } = app()
  const legends = {
    stack: 'Stacks',
    size: 'Size of an allocation',
    age: 'Age at each moment',
    stream: 'Streams',
    pool: 'Pools',
    category: 'Categories',
  }
  const chooser = page.getByRole('combobox', { name: 'Color by' })
  const first = await pixelsOf(canvasOf(page))
  for (const [way, legend] of Object.entries(legends)) {
    await expect(chooser).toHaveValue(way)
    await expect(page.getByRole('heading', { name: legend, exact: true })).toBeVisible()
    if (way !== 'stack') expect(differingShare(first, await pixelsOf(canvasOf(page))), way).toBeGreaterThan(0.05)
    await press(page, 'c')
  }
  await expect(chooser).toHaveValue('stack')
  expect(differingShare(first, await pixelsOf(canvasOf(page)))).toBeLessThan(0.001)
})

test('O goes to the out-of-memory mark', async () => {
  const { page, cacheFolder } = app()
  const oom = samplePath('oom')
  await openByDrop(page, oom, 'oom.pickle')
  await expect(page.getByRole('tab', { name: 'oom.pickle, ran out of memory' })).toBeVisible()
  await press(page, 'o')
  const event = numberOf(cacheFolder, oom, "SELECT min(event) FROM event WHERE action = 'oom'")
  expect(await cursorEvent(page)).toBe(event)
})
