// The second plot: external fragmentation in percent (left axis) and the number of free blocks (right axis).
import { formatCount, formatShare } from '../../i18n/format.ts'
import { inkOf } from '../../plot/ink.ts'
import { bottomOf, rightOf } from '../../plot/layout.ts'
import { columnAt } from '../../plot/placed.ts'
import { bytesToPx, pxToX, type Scales } from '../../plot/scales.ts'
import { curveStrokes } from '../../plot/step-curve.ts'
import { niceStep } from '../../plot/ticks.ts'
import type { Item, TextItem } from '../../scene/display-list.ts'
import { externalOf, measuresAt } from '../../space/measures.ts'
import type { Rgb } from '../../theme/palette.ts'
import type { CurveInput } from './curve-input.ts'
import { momentPx } from './draw-moment.ts'
import { nameBeside, type Profile, profileOf } from './line-names.ts'

const shareTop = 1.08 // so that 100 % is not the edge
const blocksDash = [2, 2] as const

/** External fragmentation in every column, 0–1. */
function externalShares({ curves }: CurveInput): Float64Array {
  return Float64Array.from(curves?.data.repEvent ?? [], (_, column) => (curves ? externalOf(measuresAt(curves, column)) : 0))
}

/** A round number of blocks at or above the most in sight. */
function blocksTop({ curves }: CurveInput): number {
  const most = curves ? curves.data.freeBlocks.rep.reduce((high, each) => Math.max(high, Number.isNaN(each) ? 0 : each), 1) : 1
  return Math.max(2, niceStep(most))
}

const scalesTo = ({ visible, layout }: CurveInput, y1: number): Scales => ({ visible, y1, plot: layout.shares })

/** Both axes with their labels. */
export function drawShareAxes(input: CurveInput): Item[] {
  const { shares: frame } = input.layout
  const ink = inkOf(input.tokens)
  const top = blocksTop(input)
  return [0, 0.5, 1].flatMap((share): Item[] => {
    const yPx = Math.round(bottomOf(frame) - (share / shareTop) * frame.heightPx)
    const text = { kind: 'text', yPx: share === 0 ? yPx - 5 : yPx, sizePx: 11, color: ink.t3 } as const
    const color = share === 0 ? ink.line2 : ink.grid
    return [
      { kind: 'box', xPx: frame.xPx, yPx, widthPx: frame.widthPx, heightPx: 1, color, alpha: 1 },
      { ...text, xPx: frame.xPx - 8, spans: [{ text: formatShare(share, 1) }], align: 'right' },
      { ...text, xPx: rightOf(frame) + 8, spans: [{ text: formatCount(top * share) }], align: 'left' },
    ]
  })
}

/** Both curves. */
export function drawShares(input: CurveInput): Item[] {
  const { curves } = input
  if (!curves) return []
  const ink = inkOf(input.tokens)
  const path = (values: Float64Array, y1: number, look: { readonly color: Rgb; readonly dashPx?: readonly [number, number] }): Item[] =>
    curveStrokes(curves, values, scalesTo(input, y1)).map(({ points, alpha }) => ({
      kind: 'path',
      points,
      alpha,
      widthPx: 1.5,
      butt: true,
      ...look,
    }))
  return [
    ...path(curves.data.freeBlocks.rep, blocksTop(input) * shareTop, { color: ink.curve2, dashPx: blocksDash }),
    ...path(externalShares(input), shareTop, { color: ink.curve }),
  ]
}

/** Names of both curves, each beside its own. */
export function drawShareNames(input: CurveInput): TextItem[] {
  const { curves, layout } = input
  if (!curves) return []
  const { shares: frame } = layout
  const ink = inkOf(input.tokens)
  const profile = (values: Float64Array, y1: number): Profile => {
    const scales = scalesTo(input, y1)
    return profileOf(frame, (xPx) => {
      const column = columnAt(curves, pxToX(scales, xPx))
      return column === undefined ? Number.NaN : bytesToPx(scales, values[column] ?? Number.NaN)
    })
  }
  const external = profile(externalShares(input), shareTop)
  const blocks = profile(curves.data.freeBlocks.rep, blocksTop(input) * shareTop)
  const names: TextItem[] = []
  const add = (text: string, own: Profile, color: Rgb): void => {
    const around = { frame, lines: [external, blocks], placed: names, markPx: momentPx(input), measure: input.measure }
    const name = nameBeside(text, own, around, () => ({ color, halo: ink.canvas }))
    if (name) names.push(name)
  }
  add(input.t('tile.external'), external, ink.t1)
  add(input.t('tile.freeBlocks'), blocks, ink.t2)
  return names
}
