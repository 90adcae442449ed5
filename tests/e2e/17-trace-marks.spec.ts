// Steps and annotations on the time axis of a trace, with and without memory events: drawn, stuck to, gone through by key. Compared with SQL.
import { join } from 'node:path'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { homeRange, xToPx } from '../../renderer/plot/scales.ts'
import { layoutTrace } from '../../renderer/views/trace/layout.ts'
import { query } from './cli.ts'
import { root } from './files.ts'
import { dropFiles, waitUntilIdle } from './launch.ts'
import { closeAllTabs, factOf, numberIn, press, tabNamed } from './steps.ts'
import { sharedApp, sharedScratch } from './with-app.ts'

const sample = join(root, 'resources', 'samples', 'trace_lora.json.gz')
const app = sharedApp()
const scratch = sharedScratch()

test.beforeEach(async () => {
  const { page } = app()
  await page.mouse.move(2, 2)
  await closeAllTabs(page)
})

const canvasOf = (page: Page): Locator => page.getByTestId('trace-canvas')

async function open(file: string, name: string): Promise<void> {
  const { page } = app()
  await dropFiles(page, [file])
  await expect(tabNamed(page, name)).toHaveAttribute('aria-selected', 'true', { timeout: 60_000 })
  await expect(canvasOf(page)).toHaveAttribute('data-drawn', 'yes', { timeout: 60_000 })
  await waitUntilIdle(page)
}

interface Step {
  readonly start: number
  readonly end: number
}

/** The steps of the program as SQL has them. */
const stepsOf = (file: string): Step[] =>
  query(
    app().cacheFolder,
    file,
    "SELECT start_ns, start_ns + dur_ns AS end_ns FROM slice WHERE name LIKE 'ProfilerStep#%' AND category = 'user_annotation' ORDER BY start_ns",
  ).map((row) => ({ start: Number(row.start_ns), end: Number(row.end_ns) }))

/** Places of the canvas while everything is in sight: of a time, of the ruler and of the lane of steps. */
async function places(file: string) {
  const { page } = app()
  const box = await canvasOf(page).boundingBox()
  if (!box) throw new Error('there is no canvas')
  const { plot, ruler, lane } = layoutTrace(box.width, box.height, 1)
  const [capture] = query(app().cacheFolder, file, 'SELECT duration_ns FROM capture')
  const visible = homeRange({ x0: 0, x1: Number(capture?.duration_ns) }, false)
  return {
    xOf: (ns: number) => box.x + xToPx({ visible, plot }, ns),
    rulerY: box.y + ruler.yPx + ruler.heightPx / 2,
    laneY: box.y + lane.yPx + 10,
  }
}

/** The selected range as the drawer tells it. */
async function selected(page: Page): Promise<Step> {
  const exact = async (label: string) => numberIn((await factOf(page, label).getAttribute('title')) ?? '')
  return { start: await exact('From'), end: await exact('To') }
}

async function drag(page: Page, from: { x: number; y: number }, toX: number): Promise<void> {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(toX, from.y, { steps: 5 })
  await page.mouse.up()
  await waitUntilIdle(page)
}

/** Two steps with an op each, without memory events. */
const plain = JSON.stringify({
  traceEvents: [
    { ph: 'X', name: 'ProfilerStep#8', cat: 'user_annotation', pid: 1, tid: 1, ts: 1000, dur: 3000 },
    { ph: 'X', name: 'forward', cat: 'user_annotation', pid: 1, tid: 1, ts: 1500, dur: 700 },
    { ph: 'X', name: 'ProfilerStep#9', cat: 'user_annotation', pid: 1, tid: 1, ts: 5000, dur: 2500 },
    { ph: 'X', name: 'aten::mm', cat: 'cpu_op', pid: 1, tid: 1, ts: 1600, dur: 500 },
    { ph: 'X', name: 'tail', cat: 'cpu_op', pid: 1, tid: 1, ts: 9000, dur: 1000 },
    { ph: 'X', name: 'head', cat: 'cpu_op', pid: 1, tid: 1, ts: 0, dur: 100 },
  ],
})

for (const [name, fileOf] of [
  ['trace_lora.json.gz', () => sample],
  ['plain.json', () => scratch.write('plain.json', plain)],
] as const) {
  test(`a range drawn on the ruler of ${name} sticks to the ends of a step, and not with Ctrl`, async () => {
    const { page } = app()
    const file = fileOf()
    await open(file, name)
    const [, step] = stepsOf(file)
    if (!step) throw new Error('there is no second step')
    /** From 3 pixels behind its start to 3 pixels before its end. */
    const dragInside = async () => {
      const { xOf, rulerY } = await places(file)
      await drag(page, { x: xOf(step.start) + 3, y: rulerY }, xOf(step.end) - 3)
    }
    await dragInside()
    expect(await selected(page)).toEqual(step)
    await page.keyboard.down('Control')
    await dragInside()
    await page.keyboard.up('Control')
    const free = await selected(page)
    expect(free.start).toBeGreaterThan(step.start)
    expect(free.end).toBeLessThan(step.end)
  })

  test(`keys go from step to step of ${name}, and a click on its bar selects one`, async () => {
    const { page } = app()
    const file = fileOf()
    await open(file, name)
    const steps = stepsOf(file)
    await canvasOf(page).focus()
    await press(page, 'n')
    expect(await selected(page)).toEqual(steps[0])
    await press(page, 'n')
    expect(await selected(page)).toEqual(steps[1])
    await press(page, 'Shift+N')
    expect(await selected(page)).toEqual(steps[0])
    const last = steps.at(-1)
    const { xOf, laneY } = await places(file)
    await page.mouse.click(xOf(((last?.start ?? 0) + (last?.end ?? 0)) / 2), laneY)
    await waitUntilIdle(page)
    expect(await selected(page)).toEqual(last)
  })
}

test('a range extended by key stops at the end of a step', async () => {
  const { page } = app()
  const file = scratch.write('plain.json', plain)
  await open(file, 'plain.json')
  const [step] = stepsOf(file)
  await canvasOf(page).focus()
  await press(page, 'n')
  // A key press is a hundredth of what is in sight: the tenth would pass the start of the next step.
  await press(page, ...Array.from({ length: 10 }, () => 'Shift+ArrowRight'))
  expect((await selected(page)).end).toBe(5_000_000)
  await press(page, 'Shift+ArrowRight')
  expect((await selected(page)).end).toBeGreaterThan(5_000_000)
  expect((await selected(page)).start).toBe(step?.start)
})
