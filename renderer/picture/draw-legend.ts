// The legend below a finished picture.
import { formatBytes, formatCount, formatShare } from '../i18n/format.ts'
import { plotText } from '../i18n/part-texts.ts'
import { inkOf } from '../plot/ink.ts'
import type { Legend } from '../plot/legend.ts'
import { fitText } from '../plot/text-fit.ts'
import type { Item, Measure } from '../scene/display-list.ts'
import type { Rgb } from '../theme/palette.ts'
import type { Tokens } from '../theme/tokens.ts'

const rowPx = 18
const columnPx = 300
const dimmedAlpha = 0.25 // swatches beside the emphasised one

function drawScale(legend: Legend & { kind: 'scale' }, left: number, top: number, right: number, ink: Rgb): Item[] {
  const widthPx = Math.min(320, right - left)
  const stepPx = widthPx / legend.steps.length
  const step = { kind: 'box', yPx: top - 6, widthPx: stepPx + 0.5, heightPx: 12, alpha: 1 } as const
  const label = { kind: 'text', yPx: top + 16, sizePx: 11, align: 'left', color: ink } as const
  return [
    ...legend.steps.map((color, index): Item => ({ ...step, xPx: left + index * stepPx, color })),
    ...legend.labels.map(({ share, text }): Item => ({ ...label, xPx: left + share * widthPx, spans: [{ text }] })),
  ]
}

export interface LegendPlace {
  readonly left: number // CSS pixels of the picture
  readonly top: number
  readonly right: number
  readonly totalBytes: number // what shares are of
  readonly emphasis: string | undefined // key of the swatch that stands out
  readonly tokens: Tokens
  readonly measure: Measure
}

/** What the colours mean, in at most two rows; what has no room is counted. */
export function drawColorLegend(legend: Legend, { left, top, right, totalBytes, emphasis, tokens, measure }: LegendPlace): Item[] {
  const ink = inkOf(tokens)
  if (legend.kind === 'scale') return drawScale(legend, left, top, right, ink.t2)
  const columns = Math.max(1, Math.floor((right - left) / columnPx))
  const width = (right - left) / columns
  const placeOf = (index: number) => ({ xPx: left + (index % columns) * width, yPx: top + Math.floor(index / columns) * rowPx })
  const room = columns * 2
  const all = legend.swatches.length + legend.more
  const shown = legend.swatches.slice(0, all > room ? room - 1 : room)
  const leftOut = all - shown.length
  const more: Item[] =
    leftOut > 0
      ? [
          {
            kind: 'text',
            ...placeOf(shown.length),
            spans: [{ text: plotText('more', { count: formatCount(leftOut) }) }],
            sizePx: 11,
            align: 'left',
            color: ink.t3,
          },
        ]
      : []
  const entries = shown.flatMap((swatch, index): Item[] => {
    const { xPx, yPx } = placeOf(index)
    const numbers = swatch.bytes === undefined ? '' : `${formatBytes(swatch.bytes)} · ${formatShare(swatch.bytes, totalBytes)}`
    const textPx = width - 40 - measure(numbers, 11, false)
    const title = fitText(swatch.title, textPx, (text) => measure(text, 11, false)) ?? ''
    const place = fitText(` ${swatch.place}`, textPx - measure(title, 11, false), (text) => measure(text, 11, false)) ?? ''
    const spans = [{ text: title, color: ink.t1 }, { text: place }, { text: `  ${numbers}`, color: ink.t2 }]
    return [
      {
        kind: 'box',
        xPx,
        yPx: yPx - 5,
        widthPx: 10,
        heightPx: 10,
        color: swatch.color,
        alpha: emphasis === undefined || emphasis === swatch.key ? 1 : dimmedAlpha,
      },
      { kind: 'text', xPx: xPx + 16, yPx, spans, sizePx: 11, align: 'left', color: ink.t3 },
    ]
  })
  return [...entries, ...more]
}
