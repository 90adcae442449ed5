// The second plot: external fragmentation in percent (left axis) and the number of free blocks (right axis).
import { formatCount, formatShare } from '../../i18n/format.ts'
import { inkOf } from '../../plot/ink.ts'
import { bottomOf, rightOf } from '../../plot/layout.ts'
import { columnAt } from '../../plot/placed.ts'
import { pxToX, type Scales } from '../../plot/scales.ts'
import { curveStrokes } from '../../plot/step-curve.ts'
import { freePlace } from '../../plot/text-fit.ts'
import { niceStep } from '../../plot/ticks.ts'
import type { Item, TextItem } from '../../scene/display-list.ts'
import type { Rgb } from '../../theme/palette.ts'
import type { CurveInput } from './curve-input.ts'
import { cachedOf, externalOf, measuresAt } from './measures.ts'

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

/** Names of both curves with their last values, each beside its curve where there is room; external fragmentation first. */
export function drawShareNames(input: CurveInput): TextItem[] {
  const { curves, layout } = input
  const { shares: frame } = layout
  const last = curves && curves.data.repEvent.length - 1
  if (!curves || last === undefined || last < 0) return []
  const ink = inkOf(input.tokens)
  const top = blocksTop(input)
  const names: TextItem[] = []
  const add = (text: string, shareAt: (column: number) => number, color: Rgb): void => {
    const halfPx = input.measure(text, 11, false) / 2
    const along = [0.985, 0.75, 0.5, 0.3].map((each) => frame.xPx + frame.widthPx * each)
    const places = along.flatMap((xPx) => {
      const column = columnAt(curves, pxToX(scalesTo(input, 1), xPx - halfPx)) ?? last
      const curveY = bottomOf(frame) - (shareAt(column) / shareTop) * frame.heightPx
      return [curveY + 11, curveY - 9].map((yPx): TextItem => ({ ...line, xPx, yPx, color, spans: [{ text }] }))
    })
    const inside = places.filter(({ yPx }) => yPx > frame.yPx + 5 && yPx < bottomOf(frame) - 6)
    const free = freePlace(inside, names, input.measure)
    if (free) names.push(free)
  }
  const line = { kind: 'text', sizePx: 11, align: 'right', halo: ink.canvas } as const
  const measures = measuresAt(curves, last)
  add(
    `${input.t('tile.external')} ${formatShare(externalOf(measures), cachedOf(measures) > 0 ? 1 : 0)}`,
    (column) => externalOf(measuresAt(curves, column)),
    ink.t1,
  )
  add(`${input.t('tile.freeBlocks')} ${formatCount(measures.freeBlocks)}`, (column) => measuresAt(curves, column).freeBlocks / top, ink.t2)
  return names
}
