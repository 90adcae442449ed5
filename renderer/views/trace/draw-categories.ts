// Memory by category as areas on top of each other, with names on them and in the heading: colours alone tell nothing.
import { plotText } from '../../i18n/part-texts.ts'
import { xScaleOf } from '../../plot/axis-input.ts'
import { inkOf } from '../../plot/ink.ts'
import { xToPx } from '../../plot/scales.ts'
import { fitText } from '../../plot/text-fit.ts'
import type { Item, TextItem } from '../../scene/display-list.ts'
import { inkOn } from '../../theme/palette.ts'
import type { CategoriesRow, ShownRow } from './layout.ts'
import { categoryColor, type MemoryCategory } from './memory-categories.ts'
import type { TraceInput } from './model-input.ts'

const abovePx = 6 // room above the highest sum
const belowPx = 2
const leastEdgePx = 4 // lower bands have no edge above them
const labelPx = 14 // a band needs this height for its name
const labelInsetPx = 4
const sizePx = 11
const legendLinePx = 14
const swatchPx = 8
const whiteInk = [255, 255, 255] as const
const blackInk = [22, 24, 28] as const

/** A category's band by column, in pixels above the row's bottom. */
interface Band {
  readonly category: MemoryCategory
  readonly from: Int32Array
  readonly to: Int32Array
}

/** Stacks in sight, of the pinned rows or of the others. */
export function drawCategories(input: TraceInput, pinned: boolean): Item[] {
  return input.shown.flatMap((each) =>
    each.row.kind === 'categories' && each.row.isPinned === pinned ? drawStack(input, each.row, each) : [],
  )
}

function drawStack(input: TraceInput, row: CategoriesRow, { topPx }: ShownRow): Item[] {
  const answer = input.stacks.get(row.track.trackId)
  if (!answer) return []
  const scales = xScaleOf(input)
  const bottom = topPx + row.heightPx - belowPx
  const topOfScale = Math.max(input.stackPeaks.get(row.track.trackId) ?? 0, 1)
  const bands = bandsOf(row, answer.values, (row.heightPx - abovePx - belowPx) / topOfScale)
  const columns = answer.values[0]?.length ?? 0
  const { x0, x1 } = answer.range
  const xAt = (column: number) => Math.round(xToPx(scales, x0 + ((x1 - x0) * column) / columns))
  const areas = bands.flatMap((band) => drawBand(input, band, bottom, xAt))
  return [...areas, ...bands.flatMap((band) => bandLabel(input, band, bottom, xAt))]
}

/** Values above each other: `values` by category, then by column. What is below 0 or not known takes no room. */
export function bandsOf({ categories }: Pick<CategoriesRow, 'categories'>, values: readonly Float64Array[], pxPerByte: number): Band[] {
  const columns = values[0]?.length ?? 0
  const sums = new Float64Array(columns)
  let from = new Int32Array(columns)
  return categories.map((category, index) => {
    const to = new Int32Array(columns)
    for (let column = 0; column < columns; column++) {
      const value = values[index]?.[column] ?? 0
      if (value > 0) sums[column] = (sums[column] ?? 0) + value
      to[column] = Math.round((sums[column] ?? 0) * pxPerByte)
    }
    const band = { category, from, to }
    from = to
    return band
  })
}

function drawBand({ tokens }: TraceInput, { category, from, to }: Band, bottom: number, xAt: (column: number) => number): Item[] {
  const color = categoryColor(tokens, category)
  const items: Item[] = []
  for (let first = 0, end = 0; first < to.length; first = end) {
    const [low, high] = [from[first] ?? 0, to[first] ?? 0]
    while (end < to.length && from[end] === low && to[end] === high) end++
    if (high === low) continue
    const heightPx = high - low - (high - low >= leastEdgePx ? 1 : 0)
    items.push({ kind: 'box', xPx: xAt(first), yPx: bottom - low - heightPx, widthPx: xAt(end) - xAt(first), heightPx, color, alpha: 1 })
  }
  return items
}

/** The longest stretch of columns over which a band has room for a line of text. */
export function longestRoom({ from, to }: Pick<Band, 'from' | 'to'>): { first: number; end: number; middlePx: number } | undefined {
  let best: { first: number; end: number; middlePx: number } | undefined
  for (let first = 0; first < to.length; first++) {
    let [low, high, end] = [from[first] ?? 0, to[first] ?? 0, first]
    for (; end < to.length; end++) {
      const [nextLow, nextHigh] = [Math.max(low, from[end] ?? 0), Math.min(high, to[end] ?? 0)]
      if (nextHigh - nextLow < labelPx) break
      low = nextLow
      high = nextHigh
    }
    if (end === first) continue
    if (!best || end - first > best.end - best.first) best = { first, end, middlePx: (low + high) / 2 }
    first = end - 1
  }
  return best
}

function bandLabel(input: TraceInput, band: Band, bottom: number, xAt: (column: number) => number): TextItem[] {
  const room = longestRoom(band)
  if (!room) return []
  const { plot } = input.layout
  const left = Math.max(xAt(room.first), plot.xPx) + labelInsetPx
  const right = Math.min(xAt(room.end), plot.xPx + plot.widthPx) - labelInsetPx
  const name = plotText(`category.${band.category}`)
  if (input.measure(name, sizePx, false) > right - left) return []
  const color = inkOn(categoryColor(input.tokens, band.category)) === 'light' ? whiteInk : blackInk
  return [{ kind: 'text', xPx: left, yPx: bottom - room.middlePx, spans: [{ text: name }], sizePx, align: 'left', color }]
}

/** The names with their colours, in the order of the stack, from `topPx` on. */
export function drawCategoryLegend(input: TraceInput, row: CategoriesRow, left: number, right: number, topPx: number): Item[] {
  const { t2 } = inkOf(input.tokens)
  const textLeft = left + swatchPx + labelInsetPx
  const measure = (text: string) => input.measure(text, sizePx, false)
  return [...row.categories].reverse().flatMap((category, index): Item[] => {
    const yPx = topPx + index * legendLinePx
    const text = fitText(plotText(`category.${category}`), right - textLeft, measure) ?? ''
    return [
      {
        ...{ kind: 'box', xPx: left, yPx: yPx - swatchPx / 2, widthPx: swatchPx, heightPx: swatchPx, alpha: 1 },
        color: categoryColor(input.tokens, category),
      },
      { kind: 'text', xPx: textLeft, yPx, spans: [{ text }], sizePx, align: 'left', color: t2 },
    ]
  })
}
