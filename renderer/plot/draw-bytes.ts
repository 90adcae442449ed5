// The vertical axis of a plot of bytes: grid lines, and labels left of them.
import type { Item } from '../scene/display-list.ts'
import type { Tokens } from '../theme/tokens.ts'
import { inkOf } from './ink.ts'
import { bottomOf } from './layout.ts'
import { bytesToPx, type Scales } from './scales.ts'
import { byteTickLabels, byteTicks } from './ticks.ts'

export interface ByteAxis {
  readonly scales: Scales
  readonly gapPx: number // between two lines, at the least
  readonly tokens: Tokens
}

/** Horizontal grid lines of the plot; the one at 0 is its floor. */
export function drawByteGrid({ scales, gapPx, tokens }: ByteAxis): (Item & { readonly kind: 'box' })[] {
  const { plot, y1 } = scales
  const ink = inkOf(tokens)
  return byteTicks(y1, plot.heightPx, gapPx).map((bytes) => ({
    kind: 'box',
    xPx: plot.xPx,
    yPx: Math.floor(bytesToPx(scales, bytes)),
    widthPx: plot.widthPx,
    heightPx: 1,
    color: bytes === 0 ? ink.line2 : ink.grid,
    alpha: 1,
  }))
}

/** Labels left of the plot. */
export function drawByteAxis({ scales, gapPx, tokens }: ByteAxis): Item[] {
  const { plot, y1 } = scales
  const ticks = byteTicks(y1, plot.heightPx, gapPx)
  const labels = byteTickLabels(ticks)
  return ticks.map((bytes, index) => ({
    kind: 'text',
    xPx: plot.xPx - 8,
    yPx: bytes === 0 ? bottomOf(plot) - 5 : bytesToPx(scales, bytes),
    spans: [{ text: labels[index] ?? '' }],
    sizePx: 11,
    align: 'right',
    color: inkOf(tokens).t3,
  }))
}
