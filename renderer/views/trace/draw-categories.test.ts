import { describe, expect, it } from 'vitest'
import type { Box, DisplayList, TextItem } from '../../scene/display-list.ts'
import { contrast } from '../../theme/palette.ts'
import { dark, light } from '../../theme/tokens.ts'
import { bandsOf, longestRoom } from './draw-categories.ts'
import { categoriesPx, layoutRows } from './layout.ts'
import { categoryColor, isMemoryTimeline, memoryCategories } from './memory-categories.ts'
import { buildTrace } from './model.ts'
import { stackHeights } from './questions.ts'
import { inputOf, tracks } from './test-answers.ts'

const f64 = (...values: number[]) => new Float64Array(values)
const series = memoryCategories.map((name, index) => ({ seriesId: 10 + index, name, sampleCount: 3, min: 0, max: 100 }))
const plain = tracks.tracks.find(({ kind }) => kind === 'counter')
if (!plain) throw new Error('no counter')
const timeline = { ...plain, trackId: 9, name: 'Memory by category', series }
const look = { tracks: { processes: tracks.processes, tracks: [...tracks.tracks, timeline] } }
const none = f64(0, 0, 0, 0)
const values = [f64(Number.NaN, 60, 60, 60), none, none, none, none, f64(Number.NaN, 0, 40, 40), none, f64(Number.NaN, -5, -5, 0)]
const patch = { stacks: new Map([[9, { range: { x0: 0, x1: 1000 }, values }]]), stackPeaks: new Map([[9, 100]]) }

const boxesOf = (list: DisplayList, color: Box['color']): Box[] =>
  list.flatMap(({ items }) => items.filter((item): item is Box => item.kind === 'box' && item.color.join() === color.join()))
const textsOf = (list: DisplayList): TextItem[] =>
  list.flatMap(({ items }) => items.filter((item): item is TextItem => item.kind === 'text'))

describe('a memory timeline', () => {
  it('is told from other counters by its name, its series and their samples', () => {
    expect(isMemoryTimeline(timeline)).toBe(true)
    expect(isMemoryTimeline(plain)).toBe(false)
    expect(isMemoryTimeline({ ...timeline, name: 'Memory' })).toBe(false)
    expect(isMemoryTimeline({ ...timeline, series: series.map((each) => ({ ...each, name: 'other' })) })).toBe(false)
    expect(isMemoryTimeline({ ...timeline, series: series.map((each, index) => ({ ...each, sampleCount: index })) })).toBe(false)
  })

  it('is one high row in place of eight', () => {
    const { rows } = layoutRows({ ...look, devices: [], collapsed: new Set(), pinned: [], plotPx: 800 })
    expect(rows.filter(({ kind }) => kind === 'categories').map(({ key, heightPx }) => [key, heightPx])).toEqual([['t9', categoriesPx]])
    expect(rows.filter(({ kind }) => kind === 'counter').map(({ key }) => key)).toEqual(['c5'])
  })

  it('stacks what is held, without what is unknown or below 0', () => {
    const bands = bandsOf({ categories: memoryCategories }, values, 0.5)
    const bandOf = (name: string) => bands.find(({ category }) => category === name)
    expect([...(bandOf('parameter')?.to ?? [])]).toEqual([0, 30, 30, 30])
    expect([...(bandOf('gradient')?.from ?? [])]).toEqual([0, 30, 30, 30])
    expect([...(bandOf('gradient')?.to ?? [])]).toEqual([0, 30, 50, 50])
    expect(bandOf('unknown')?.to).toEqual(bandOf('unknown')?.from)
  })

  it('draws each band from the one below it up to its share of the peak', () => {
    const input = inputOf({ look, patch, heightPx: 900 })
    const list = buildTrace(input)
    const { plot } = input.layout
    const top = input.shown.find(({ row }) => row.key === 't9')?.topPx ?? Number.NaN
    const inPlot = (box: Box) => box.xPx >= plot.xPx
    const [parameters] = boxesOf(list, categoryColor(input.tokens, 'parameter')).filter(inPlot)
    const [gradients] = boxesOf(list, categoryColor(input.tokens, 'gradient')).filter(inPlot)
    expect(parameters).toMatchObject({ xPx: plot.xPx + Math.round(plot.widthPx / 4), heightPx: Math.round(0.6 * (categoriesPx - 8)) - 1 })
    expect(gradients).toMatchObject({ xPx: plot.xPx + Math.round(plot.widthPx / 2), yPx: top + 7 })
    expect((gradients?.yPx ?? 0) + (gradients?.heightPx ?? 0)).toBe((parameters?.yPx ?? 0) - 1)
  })

  it('names every category beside its colour from top to bottom, and the wide bands on themselves', () => {
    const input = inputOf({ look, patch, heightPx: 900 })
    const texts = textsOf(buildTrace(input))
    const names = ['Unknown', 'Autograd detail', 'Gradient', 'Activation', 'Temporary', 'Input', 'Optimizer state', 'Parameter']
    const legend = texts.filter(({ xPx, spans }) => xPx < input.layout.plot.xPx && names.includes(spans[0]?.text ?? ''))
    expect(legend.sort((a, b) => a.yPx - b.yPx).map(({ spans }) => spans[0]?.text)).toEqual(names)
    const onBands = texts.filter(({ xPx, spans }) => xPx > input.layout.plot.xPx && names.includes(spans[0]?.text ?? ''))
    expect(onBands.map(({ spans }) => spans[0]?.text)).toEqual(['Parameter', 'Gradient'])
    expect(texts.some(({ spans }) => /^peak 100\sB$/.test(spans[0]?.text ?? ''))).toBe(true)
  })

  it('is the overview of a trace without slices', () => {
    expect([...stackHeights(values, 4).allocated.max]).toEqual([0, 0.54, 0.9, 0.9])
    expect([...stackHeights([], 2).allocated.max]).toEqual([0, 0])
  })

  it('takes the longest stretch with room for a line', () => {
    const [from, to] = [Int32Array.of(0, 0, 0, 0, 20, 20), Int32Array.of(5, 20, 20, 40, 40, 30)]
    expect(longestRoom({ from, to })).toEqual({ first: 1, end: 4, middlePx: 10 })
    expect(longestRoom({ from: Int32Array.of(0), to: Int32Array.of(9) })).toBeUndefined()
  })

  it('has a colour of its own for each category in both themes', () => {
    for (const tokens of [dark, light]) {
      const colors = memoryCategories.map((category) => categoryColor(tokens, category))
      expect(new Set(colors.map(String)).size).toBe(memoryCategories.length)
      expect(contrast(categoryColor(tokens, 'input'), categoryColor(tokens, 'unknown'))).toBeGreaterThan(1.5)
    }
  })
})
