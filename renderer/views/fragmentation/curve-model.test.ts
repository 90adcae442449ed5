import { describe, expect, it } from 'vitest'
import { bytesToPx, xToPx } from '../../plot/scales.ts'
import { textFrame, textsOverlap } from '../../plot/text-fit.ts'
import type { Box, Frame, Item, TextItem } from '../../scene/display-list.ts'
import type { parts } from '../../space/measures.ts'
import { dark, light } from '../../theme/tokens.ts'
import { partColor } from './colors.ts'
import { type CurveInput, scalesOf, topBytes } from './curve-input.ts'
import { layoutCurves, movedBy } from './curve-layout.ts'
import { buildCurves, hitCurves } from './curve-model.ts'
import { curves, device, mebi, range } from './test-answers.ts'
import { fragmentationText as t } from './texts.ts'

const measure = (text: string, sizePx: number) => text.length * sizePx * 0.55

function inputOf(change: Partial<CurveInput> = {}): CurveInput {
  return {
    device,
    axis: 'event',
    hasTimes: true,
    startsLate: false,
    visible: range,
    home: range,
    y1: topBytes(device),
    overviewTop: topBytes(device),
    emphasis: undefined,
    curves,
    overview: undefined,
    spans: [],
    moment: { event: 6, timeNs: 6e6, isPinned: false },
    selectedRange: undefined,
    layout: layoutCurves(900, 400, 0, true),
    tokens: dark,
    measure,
    t,
    ...change,
  }
}

const itemsOf = (input: CurveInput): Item[] => buildCurves(input).flatMap(({ items }) => items)
const textsOf = (input: CurveInput): TextItem[] => itemsOf(input).filter((item) => item.kind === 'text')
const wordsOf = (input: CurveInput): string[] => textsOf(input).map(({ spans }) => spans.map(({ text }) => text).join(''))

/** The boxes of a part, from left to right. */
function boxesOf(input: CurveInput, part: (typeof parts)[number]): Box[] {
  const color = partColor(input.tokens, part, input.emphasis)
  return itemsOf(input).filter((item) => item.kind === 'box' && item.color.join() === color.join()) as Box[]
}

describe('the parts of reserved memory', () => {
  it('lie on each other from the floor up to what is reserved', () => {
    const input = inputOf()
    const x = xToPx(scalesOf(input), 3.5)
    const over = (part: (typeof parts)[number]) => boxesOf(input, part).find(({ xPx, widthPx }) => xPx <= x && x < xPx + widthPx)
    const [allocated, pending, stranded] = [over('allocated'), over('pending'), over('stranded')]
    const yOf = (mebibytes: number) => Math.round(bytesToPx(scalesOf(input), mebibytes * mebi))
    expect(allocated?.yPx).toBe(yOf(26))
    expect(pending?.yPx).toBe(yOf(30))
    expect((pending?.yPx ?? 0) + (pending?.heightPx ?? 0)).toBe(allocated?.yPx)
    expect(stranded?.yPx).toBe(yOf(40))
    expect(over('returnable')).toBeUndefined()
  })

  it('have names where there is room, and so have the lines: names alone, for a number would be that of another moment', () => {
    const words = wordsOf(inputOf({ layout: layoutCurves(1400, 500, 0, true) }))
    for (const name of ['Allocated', 'Stranded', 'Largest free', 'Reserved', 'External fragmentation', 'Free blocks'])
      expect(words).toContain(name)
    expect(words.filter((text) => /[A-Z][a-z ]+\d.*(iB|%)/.test(text))).toEqual([])
  })

  it('step back while another is emphasised', () => {
    const plain = inputOf()
    const emphasised = inputOf({ emphasis: 'stranded' })
    expect(partColor(dark, 'stranded', 'stranded')).toEqual(partColor(dark, 'stranded'))
    expect(boxesOf(emphasised, 'allocated')[0]?.color).not.toEqual(boxesOf(plain, 'allocated')[0]?.color)
  })
})

/** True where an axis-aligned stroke runs through a frame. */
function isStruck({ xPx, yPx, widthPx, heightPx }: Frame, points: readonly number[]): boolean {
  for (let index = 0; index + 3 < points.length; index += 2) {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = points.slice(index, index + 4)
    const isApart =
      Math.max(x0, x1) < xPx || Math.min(x0, x1) > xPx + widthPx || Math.max(y0, y1) < yPx || Math.min(y0, y1) > yPx + heightPx
    if (!isApart && ![x0, y0, x1, y1].some(Number.isNaN)) return true
  }
  return false
}

describe('names', () => {
  it.each([2, 3.2, 6])('are struck through by no line, nor by the moment at %d', (event) => {
    const input = inputOf({ layout: layoutCurves(1400, 500, 0, true), moment: { event, timeNs: null, isPinned: false } })
    const { plot, shares } = input.layout
    const texts = textsOf(input).filter(
      ({ xPx, yPx }) => xPx >= plot.xPx && yPx >= plot.yPx && xPx < plot.xPx + plot.widthPx && yPx < shares.yPx + shares.heightPx,
    )
    const paths = itemsOf(input).filter((item) => item.kind === 'path' && item.points.length > 0)
    expect(texts.length).toBeGreaterThan(6)
    for (const text of texts) {
      if (text.spans[0]?.text.startsWith('OOM')) continue
      const struck = paths.filter((path) => path.kind === 'path' && isStruck(textFrame(text, measure), path.points))
      expect(`${text.spans[0]?.text} ${struck.length}`).toBe(`${text.spans[0]?.text} 0`)
    }
  })
})

describe('texts of the curves', () => {
  it.each([
    [640, 300],
    [900, 400],
    [1600, 700],
  ])('never run into each other at %i × %i', (widthPx, heightPx) => {
    for (const tokens of [dark, light]) {
      const layout = layoutCurves(widthPx, heightPx, 0, true)
      const texts = textsOf(inputOf({ layout, tokens, startsLate: true, visible: { x0: -0.4, x1: 8 } }))
      for (const [index, a] of texts.entries())
        for (const b of texts.slice(index + 1))
          expect(textsOverlap(a, b, measure) ? `${a.spans[0]?.text} / ${b.spans[0]?.text}` : '').toBe('')
    }
  })
})

describe('marks', () => {
  it('name the request that failed', () => expect(wordsOf(inputOf())).toContain('OOM: 9.00\u00a0MiB requested'))

  it('draw the moment dashed until it is pinned, and nothing outside the visible range', () => {
    const layout = layoutCurves(900, 400, 0, true)
    const lineOf = (input: CurveInput) => {
      const x = Math.floor(xToPx(scalesOf(input), 3.5)) + 0.5
      return itemsOf(input).find((item) => item.kind === 'path' && item.points[0] === x && item.points[2] === x && item.points.length === 4)
    }
    const at = (isPinned: boolean) => inputOf({ layout, moment: { event: 3, timeNs: 3e6, isPinned } })
    expect(lineOf(at(false))).toHaveProperty('dashPx')
    expect(lineOf(at(true))).not.toHaveProperty('dashPx')
    expect(lineOf({ ...at(true), visible: { x0: 5, x1: 8 } })).toBeUndefined()
  })

  it('hatch the unknown past only where memory was in use before', () => {
    const visible = { x0: -0.5, x1: 8 }
    expect(itemsOf(inputOf({ visible })).some(({ kind }) => kind === 'hatch')).toBe(false)
    expect(itemsOf(inputOf({ visible, startsLate: true })).some(({ kind }) => kind === 'hatch')).toBe(true)
  })
})

describe('hitCurves', () => {
  const input = inputOf()
  const { plot, shares, ruler } = input.layout

  it('finds the place on the axis in both plots and on the ruler', () => {
    const xPx = xToPx(scalesOf(input), 3)
    for (const [yPx, region] of [
      [plot.yPx + 50, 'plot'],
      [shares.yPx + 5, 'plot'],
      [ruler.yPx + 5, 'ruler'],
    ] as const)
      expect(hitCurves(input, xPx, yPx)).toMatchObject({ region, x: expect.closeTo(3) })
  })

  it('finds a failure by its triangle', () =>
    expect(hitCurves(input, xToPx(scalesOf(input), 6.5), plot.yPx + 8)).toMatchObject({ mark: { event: 6 } }))

  it('finds nothing left of the plots', () => expect(hitCurves(input, 4, plot.yPx + 50)).toBeUndefined())
})

describe('the layout of the curves', () => {
  it.each([
    [620, 300],
    [1000, 480],
    [1900, 900],
  ])('keeps both plots inside the canvas at %i × %i', (widthPx, heightPx) => {
    const { plot, shares } = layoutCurves(widthPx, heightPx, 2, true)
    expect(plot.heightPx).toBeGreaterThan(90)
    expect(shares.yPx).toBeGreaterThan(plot.yPx + plot.heightPx)
    expect(shares.yPx + shares.heightPx).toBeLessThanOrEqual(heightPx)
    expect(plot.xPx + plot.widthPx).toBeLessThan(widthPx - 40)
  })

  it('moves as a whole', () => {
    const layout = layoutCurves(900, 400, 0, false)
    expect(movedBy(layout, 0, 100).shares.yPx).toBe(layout.shares.yPx + 100)
  })
})
