import { describe, expect, it } from 'vitest'
import { dark } from '../theme/tokens.ts'
import type { AxisInput } from './axis-input.ts'
import { drawRuler } from './draw-ruler.ts'
import { layoutAxis } from './layout.ts'
import { flagAt, flagsOf, type RulerMark } from './note-flags.ts'
import { drawOverview } from './overview.ts'

const layout = layoutAxis(1100, 400, { gutterPx: 84, laneRows: 0, overview: true })
const inputOf = (noteMarks: readonly RulerMark[], visible = { x0: 0, x1: 1000 }): AxisInput => ({
  axis: 'event',
  hasTimes: false,
  visible,
  home: { x0: 0, x1: 1000 },
  curves: undefined,
  overview: undefined,
  overviewTop: 1,
  spans: [],
  selectedRange: undefined,
  noteMarks,
  layout,
  tokens: dark,
  measure: (text, sizePx) => text.length * sizePx * 0.6,
})
const note = (number: number, x0: number, x1 = x0 + 1): RulerMark => ({ noteId: `n${number}`, number, text: `note ${number}`, x0, x1 })
const ofMoment: RulerMark = { noteId: undefined, number: 0, text: '', x0: 500, x1: 600 }
const textsOf = (input: AxisInput) => drawRuler(input).flatMap((item) => (item.kind === 'text' ? item.spans.map(({ text }) => text) : []))

describe('flags of notes', () => {
  it('stand at the start of a range and in the middle of an event, by number, where they are in sight', () => {
    const flags = flagsOf(inputOf([note(2, 700, 900), note(1, 100), note(3, 5000)]))
    const px = (x: number) => layout.plot.xPx + (x / 1000) * layout.plot.widthPx
    expect(flags.map(({ label }) => label)).toEqual(['1', '2'])
    expect(flags.map(({ xPx }) => xPx)).toEqual([px(100.5), px(700)])
  })

  it('share one when they would cover each other, and say how many', () => {
    const [flag, other] = flagsOf(inputOf([note(1, 100), note(2, 101), note(3, 102), note(4, 400)]))
    expect(flag?.label).toBe('1+2')
    expect(flag?.marks.map(({ number }) => number)).toEqual([1, 2, 3])
    expect(other?.label).toBe('4')
  })

  it('turn to the left at the right edge', () => {
    const [flag] = flagsOf(inputOf([note(1, 999)]))
    const right = layout.plot.xPx + layout.plot.widthPx
    expect((flag?.frame.xPx ?? 0) + (flag?.frame.widthPx ?? 0)).toBeLessThanOrEqual(right + 1)
  })

  it('are hit where they are drawn; the mark of the moment before the notes', () => {
    const input = inputOf([note(1, 500, 600), ofMoment])
    const [first, last] = flagsOf(input)
    const middle = { xPx: (last?.frame.xPx ?? 0) + 4, yPx: (last?.frame.yPx ?? 0) + 7 }
    expect(first?.marks[0].noteId).toBe('n1')
    expect(flagAt(input, middle.xPx, middle.yPx)?.marks[0].noteId).toBeUndefined()
    expect(flagAt(input, middle.xPx + 300, middle.yPx)).toBeUndefined()
  })

  it('take the place of the ticks below them, and no other', () => {
    const without = textsOf(inputOf([]))
    const withFlag = textsOf({
      ...inputOf([note(7, 500)]),
      layout: layoutAxis(1100, 400, { gutterPx: 84, laneRows: 0, overview: true, rulerPx: 20 }),
    })
    expect(without).toContain('500')
    expect(withFlag).not.toContain('500')
    expect(withFlag).toEqual(expect.arrayContaining(['300', '700', '7']))
  })

  it('are triangles in the overview, also of what is not in sight', () => {
    const triangles = drawOverview(inputOf([note(1, 100), note(2, 900)], { x0: 0, x1: 200 })).filter(({ kind }) => kind === 'triangle')
    expect(triangles).toHaveLength(2)
  })
})
