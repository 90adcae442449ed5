// The legend below a finished picture.
import { counted, formatBytes, formatShare } from '../i18n/format.ts'
import { plotText } from '../i18n/part-texts.ts'
import { inkOf } from '../plot/ink.ts'
import type { Legend, Swatch } from '../plot/legend.ts'
import { fitText } from '../plot/text-fit.ts'
import type { Item, Measure } from '../scene/display-list.ts'
import type { Rgb } from '../theme/palette.ts'
import type { Tokens } from '../theme/tokens.ts'

const rowPx = 18
const columnPx = 300 // at most
const spareColumnPx = 28
const usualRows = 2
const restKey = 'rest' // of what has no swatch of its own: without it a colour of the picture would say nothing
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
  readonly rows?: number // at most so many; 2 where it is not given
  readonly emphasis: string | undefined // key of the swatch that stands out
  readonly tokens: Tokens
  readonly measure: Measure
}

const numbersText = ({ bytes }: Swatch, totalBytes: number): string =>
  bytes === undefined ? '' : `${formatBytes(bytes)} · ${formatShare(bytes, totalBytes)}`

/** How many entries have room beside each other. */
function columnsOf(swatches: readonly Swatch[], roomPx: number, measure: Measure, numbersOf: (swatch: Swatch) => string): number {
  const widthOf = (each: Swatch) => measure(`${each.title} ${each.place}  ${numbersOf(each)}`, 11, false) + spareColumnPx
  const widest = swatches.reduce((most, each) => Math.max(most, widthOf(each)), 1)
  return Math.max(1, Math.floor(roomPx / Math.min(columnPx, widest)))
}

/** False where names alone have room but not their numbers too: a colour without its name says nothing. */
function tellsNumbers(
  { swatches }: Legend & { kind: 'swatches' },
  { left, right, measure, totalBytes, rows: mostRows = usualRows }: LegendPlace,
): boolean {
  const roomPx = right - left
  const rows = (numbersOf: (swatch: Swatch) => string) => Math.ceil(swatches.length / columnsOf(swatches, roomPx, measure, numbersOf))
  const areNames = swatches.every(({ place }) => place === '')
  return !areNames || rows((each) => numbersText(each, totalBytes)) <= mostRows || rows(() => '') > mostRows
}

/** The first so many; that of all others instead of the last. */
function shownSwatches(swatches: readonly Swatch[], count: number): readonly Swatch[] {
  const shown = swatches.slice(0, count)
  const rest = swatches.find(({ key }) => key === restKey)
  return count < 2 || !rest || shown.includes(rest) ? shown : [...shown.slice(0, -1), rest]
}

/** What the colours mean, in few rows; what has no room is counted. */
export function drawColorLegend(legend: Legend, place: LegendPlace): Item[] {
  const { left, top, right, totalBytes, emphasis, tokens, measure, rows = usualRows } = place
  const ink = inkOf(tokens)
  if (legend.kind === 'scale') return drawScale(legend, left, top, right, ink.t2)
  const hasNumbers = tellsNumbers(legend, place)
  const numbersOf = (swatch: Swatch) => (hasNumbers ? numbersText(swatch, totalBytes) : '')
  const columns = columnsOf(legend.swatches, right - left, measure, numbersOf)
  const width = (right - left) / columns
  const placeOf = (index: number) => ({ xPx: left + (index % columns) * width, yPx: top + Math.floor(index / columns) * rowPx })
  const room = columns * rows
  const all = legend.swatches.length + legend.more
  const shown = shownSwatches(legend.swatches, all > room ? room - 1 : room)
  const leftOut = all - shown.length
  const more: Item[] =
    leftOut > 0
      ? [
          {
            kind: 'text',
            ...placeOf(shown.length),
            spans: [{ text: plotText('more', counted(leftOut)) }],
            sizePx: 11,
            align: 'left',
            color: ink.t3,
          },
        ]
      : []
  const entries = shown.flatMap((swatch, index): Item[] => {
    const { xPx, yPx } = placeOf(index)
    const numbers = numbersOf(swatch)
    const textPx = width - spareColumnPx - measure(numbers, 11, false)
    const title = fitText(swatch.title, textPx, (text) => measure(text, 11, false)) ?? ''
    // Half a file name would say nothing.
    const place = measure(`${title} ${swatch.place}`, 11, false) <= textPx ? ` ${swatch.place}` : ''
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
