// The byte axis over the bars, the heads of the number columns, and the size asked for at the scale of the rows.
import { formatBytes, formatCount, formatShare } from '../../i18n/format.ts'
import { inkOf } from '../../plot/ink.ts'
import { byteTickLabels } from '../../plot/ticks.ts'
import type { Item } from '../../scene/display-list.ts'
import { type BlocksInput, spanOf, xToPx } from './model-input.ts'
import { streamWord } from './names.ts'
import { outcomeOf } from './verdict.ts'

const tickGapPx = 84
const insideFromPx = 240 // a shorter bar has its words beside it
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

/** The request as an empty bar, as long as a block must be that could hold it. */
export function drawRequest(input: BlocksInput): Item[] {
  const { request, layout, tokens, measure, t } = input
  const { request: frame, plot } = layout
  if (!request || frame.heightPx === 0) return []
  const ink = inkOf(tokens)
  const { fit } = request
  const outcome = fit && outcomeOf(fit, request.isFailed)
  const color = outcome === 'fits' ? ink.good : outcome === 'fails' ? ink.bad : ink.t2
  const bytes = fit?.rounded ?? request.bytes
  const insetPx = frame.heightPx / 6
  const [top, bottom] = [Math.round(frame.yPx + insetPx) + 0.5, Math.round(frame.yPx + frame.heightPx - insetPx) + 0.5]
  const right = plot.xPx + plot.widthPx
  const isStretched = input.picture.scaling === 'normalise'
  const barPx = isStretched ? plot.widthPx : (bytes / spanOf(input.visible)) * plot.widthPx
  const [left, end] = [plot.xPx + 0.5, Math.min(plot.xPx + Math.max(barPx, 3), right) - 0.5]
  const points = [left, top, end, top, end, bottom, left, bottom, left, top]
  const aside = fit ? t('request.place', { stream: streamWord(fit.stream, t) }) : ''
  const words = isStretched ? t('request.unscaled') : t(barPx > plot.widthPx + 1 ? 'request.cut' : 'request.toScale')
  const fits = fit ? t('request.fitting', { count: formatCount(fit.fittingCount), all: formatCount(fit.free.count) }) : words
  const textLeft = (end - left < insideFromPx ? end : left) + 12
  const size = formatBytes(request.bytes)
  const room = right - textLeft - measure(size, 12, true) - 12
  // Whole words only: the longest of these that has room.
  const sentence = [`  ${words} · ${fits}`, `  ${fits}`, `  ${words}`].find((text) => measure(text, 12, false) <= room) ?? ''
  const middle = (top + bottom) / 2
  return [
    { kind: 'path', points, color, alpha: 1, widthPx: 1.5, dashPx: [5, 3] },
    {
      kind: 'text',
      xPx: 16,
      yPx: middle - 8,
      spans: [{ text: t('request.title'), strong: true }],
      sizePx: 12,
      align: 'left',
      color: ink.t1,
    },
    { kind: 'text', xPx: 16, yPx: middle + 8, spans: [{ text: aside }], sizePx: 11, align: 'left', color: ink.t3 },
    {
      kind: 'text',
      xPx: textLeft,
      yPx: middle,
      spans: [{ text: size, strong: true, color: ink.t1 }, { text: sentence }],
      sizePx: 12,
      align: 'left',
      color: ink.t2,
      halo: ink.canvas,
    },
  ]
}
