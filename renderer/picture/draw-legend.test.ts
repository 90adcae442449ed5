import { expect, it } from 'vitest'
import type { Swatch } from '../plot/legend.ts'
import { light } from '../theme/tokens.ts'
import { drawColorLegend } from './draw-legend.ts'

const swatch = (key: string): Swatch => ({ key, slots: [], color: [0, 0, 0], title: key, place: '', count: undefined, bytes: undefined })
const named = (keys: readonly string[], rows: number) =>
  drawColorLegend(
    { kind: 'swatches', swatches: keys.map(swatch), more: 0 },
    { left: 0, top: 0, right: 80, rows, totalBytes: 1, emphasis: undefined, tokens: light, measure: (text) => text.length },
  ).flatMap((item) => (item.kind === 'text' ? [item.spans[0]?.text] : []))

it('names the colour of all others even where the list is cut, and counts what is left out', () => {
  expect(named(['a', 'b', 'c', 'd', 'rest'], 2)).toEqual(['a', 'b', 'rest', '2 more'])
  expect(named(['a', 'b', 'c', 'd', 'rest'], 3)).toEqual(['a', 'b', 'c', 'd', 'rest'])
})
