// The byte axis over the bars and the heads of the number columns.
import { formatBytes, formatShare } from '../../i18n/format.ts'
import { inkOf } from '../../plot/ink.ts'
import { byteTickLabels } from '../../plot/ticks.ts'
import type { Item } from '../../scene/display-list.ts'
import { type BlocksInput, spanOf, xToPx } from './model-input.ts'

const tickGapPx = 84
const offsetsFrom = 500 // where a tick is so many steps from 0, labels count from the first tick

interface Tick {
  readonly x: number
  readonly text: string
}

/** Powers of two of bytes in sight; far from the start, offsets from the first. In normalised rows: shares of the segment. */
export function axisTicks({ visible, layout, picture }: Pick<BlocksInput, 'visible' | 'layout' | 'picture'>): Tick[] {
  const { longest } = picture.list
  const isShare = picture.scaling === 'normalise'
  const span = isShare ? spanOf(visible) / longest : spanOf(visible)
  const least = (span * tickGapPx) / layout.plot.widthPx
  const step = isShare ? niceShare(least) : 2 ** Math.max(0, Math.ceil(Math.log2(least)))
  const unit = isShare ? longest : 1
  const first = Math.ceil(visible.x0 / unit / step - 1e-9)
  const last = Math.floor(visible.x1 / unit / step + 1e-9)
  const counts = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
  const values = counts.map((count) => count * step)
  const texts = isShare ? values.map((share) => (share === 0 ? '0' : formatShare(share, 1))) : byteTexts(values, first > offsetsFrom)
  return values.map((value, index) => ({ x: value * unit, text: texts[index] ?? '' }))
}

function niceShare(least: number): number {
  return [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1].find((step) => step >= least) ?? 1
}

function byteTexts(values: readonly number[], asOffsets: boolean): string[] {
  const base = values[0] ?? 0
  if (!asOffsets) return byteTickLabels(values.length > 1 ? values : [0, ...values]).slice(values.length > 1 ? 0 : 1)
  return values.map((value, index) => (index === 0 ? formatBytes(base) : `+${formatBytes(value - base)}`))
}

/** Labels, ticks and the heads of the columns. */
export function drawAxis(input: BlocksInput): Item[] {
  const { layout, tokens, measure, t } = input
  const { ruler, plot } = layout
  const ink = inkOf(tokens)
  const bottom = ruler.yPx + ruler.heightPx
  const items: Item[] = [
    { kind: 'box', xPx: plot.xPx, yPx: bottom - 1, widthPx: plot.widthPx, heightPx: 1, color: ink.line2, alpha: 1 },
    { kind: 'text', xPx: 16, yPx: ruler.yPx + 14, spans: [{ text: t('head.segment') }], sizePx: 11, align: 'left', color: ink.t3 },
    ...layout.columns.map(({ name, rightPx }): Item => {
      const spans = [{ text: t(`head.${name}`) }]
      return { kind: 'text', xPx: rightPx, yPx: ruler.yPx + 14, spans, sizePx: 11, align: 'right', color: ink.t3 }
    }),
  ]
  const right = plot.xPx + plot.widthPx
  let freeFrom = Number.NEGATIVE_INFINITY
  for (const { x, text } of axisTicks(input)) {
    const xPx = Math.round(xToPx(input, x))
    items.push({ kind: 'box', xPx: Math.min(xPx, right - 1), yPx: bottom - 7, widthPx: 1, heightPx: 6, color: ink.line2, alpha: 1 })
    const width = measure(text, 11, false)
    const left = Math.min(Math.max(xPx - width / 2, plot.xPx - 4), right - width)
    if (left < freeFrom) continue
    items.push({ kind: 'text', xPx: left, yPx: ruler.yPx + 14, spans: [{ text }], sizePx: 11, align: 'left', color: ink.t2 })
    freeFrom = left + width + 8
  }
  return items
}
