// Labels of the rows left of the plot, and the lines between rows.
import { formatCount } from '../../i18n/format.ts'
import { inkOf } from '../../plot/ink.ts'
import { bottomOf } from '../../plot/layout.ts'
import { fitMiddle, fitText } from '../../plot/text-fit.ts'
import { byteTickLabels, niceTicks } from '../../plot/ticks.ts'
import type { Item, TextItem } from '../../scene/display-list.ts'
import { type LifetimesInput, yScaleOf } from './model-input.ts'
import { rowWords } from './row-labels.ts'
import { byAddress, heightOf, rowsIn, type SpaceRow, yToPx } from './y-axis.ts'

const linePx = 14
const twoLinesPx = 36 // rows at least this high say more
const tickGapPx = 48
const separatedPx = 4 // rows at least this high are parted by a line
const leastRowPx = 2 // rows at least this high go by height; there are so few of them that sorting costs nothing
const countGapPx = 44

interface ShownRow {
  readonly row: SpaceRow
  readonly top: number // of what is in sight
  readonly heightPx: number
}

function shownRows(input: LifetimesInput): ShownRow[] {
  const { plot } = input.layout
  const scale = yScaleOf(input)
  return rowsIn(input.space?.rows ?? [], input.y).map((row) => {
    const top = Math.max(plot.yPx, yToPx(scale, row.y0))
    return { row, top, heightPx: Math.min(bottomOf(plot), yToPx(scale, row.y1)) - top }
  })
}

/** Names of rows where there is room for them, the highest first; ticks inside high stretches of addresses. */
export function drawRowLabels(input: LifetimesInput): Item[] {
  if (input.order === 'allocation') return drawNumbers(input)
  const { plot } = input.layout
  const ink = inkOf(input.tokens)
  const taken: Stretch[] = []
  const items: Item[] = []
  const text = { kind: 'text', xPx: plot.xPx - 8, sizePx: 11, align: 'right' } as const
  const short = (words: string) => fitMiddle(words, plot.xPx - 16, (part) => input.measure(part, 11, false)) ?? ''
  const { high, low } = rowsToName(input)
  for (const { row, top, heightPx } of [...high, ...low]) {
    const hasTwo = heightPx >= twoLinesPx
    // High stretches of addresses are named where they begin, as ticks count from there.
    const middle = hasTwo
      ? top + (byAddress(input.order) ? linePx / 2 + 2 : (heightPx - linePx) / 2)
      : Math.min(Math.max(top + heightPx / 2, plot.yPx + linePx / 2), bottomOf(plot) - linePx / 2)
    const place: Stretch = [middle - linePx / 2, middle + linePx * (hasTwo ? 1.5 : 0.5)]
    if (taken.some(([from, to]) => place[0] < to && place[1] > from)) continue
    taken.push(place)
    const [first, second] = rowWords(row, input.order, input.t)
    items.push({ ...text, yPx: middle, spans: [{ text: hasTwo ? short(first) : nameAndPlace(input, first, row.place) }], color: ink.t2 })
    if (!hasTwo) continue
    items.push({ ...text, yPx: middle + linePx, spans: [{ text: short(second) }], color: ink.t3 })
  }
  return [...items, ...high.filter(({ heightPx }) => heightPx >= twoLinesPx).flatMap(({ row }) => drawOffsets(input, row, taken))]
}

/** Rows by height, then those too low to be sorted from top to bottom: of a crowd of these, every one that finds room is named. */
function rowsToName(input: LifetimesInput): { readonly high: readonly ShownRow[]; readonly low: readonly ShownRow[] } {
  const rows = shownRows(input).filter(({ row }) => row.count !== 0)
  const high = rows.filter(({ heightPx }) => heightPx >= leastRowPx).sort((a, b) => b.heightPx - a.heightPx)
  const low: ShownRow[] = []
  let end = Number.NEGATIVE_INFINITY
  for (const row of rows) {
    if (row.heightPx >= leastRowPx || row.top < end) continue
    low.push(row)
    end = row.top + linePx
  }
  return { high, low }
}

/** A name with its file and line, which tell equal names apart: the name gives way first. */
function nameAndPlace(input: LifetimesInput, name: string, place: string | undefined): string {
  const roomPx = input.layout.plot.xPx - 16
  const measure = (words: string) => input.measure(words, 11, false)
  if (!place) return fitMiddle(name, roomPx, measure) ?? ''
  const tail = fitMiddle(place, roomPx, measure) ?? ''
  const head = fitText(name, roomPx - measure(` ${tail}`), measure)
  return head === undefined ? tail : `${head} ${tail}`
}

type Stretch = [top: number, bottom: number]

/** Bytes from the start of a high stretch, where no label stands. */
function drawOffsets(input: LifetimesInput, row: SpaceRow, taken: readonly Stretch[]): Item[] {
  const { bytes } = row
  if (bytes === undefined) return []
  const { plot } = input.layout
  const ink = inkOf(input.tokens)
  const scale = yScaleOf(input)
  const bytesPerPx = (bytes / heightOf(row)) * (heightOf(input.y) / plot.heightPx)
  const step = 2 ** Math.max(0, Math.ceil(Math.log2(bytesPerPx * tickGapPx)))
  const offsetAt = (y: number) => ((y - row.y0) / heightOf(row)) * bytes
  const ticks: number[] = []
  for (
    let n = Math.max(1, Math.ceil(offsetAt(Math.max(input.y.y0, row.y0)) / step));
    n * step < offsetAt(Math.min(input.y.y1, row.y1));
    n++
  )
    ticks.push(n * step)
  const labels = byteTickLabels([0, ...ticks]).slice(1)
  return ticks.flatMap((offset, index): Item[] => {
    const yPx = yToPx(scale, row.y0 + (offset / bytes) * heightOf(row))
    if (yPx > bottomOf(plot) - linePx / 2 || taken.some(([from, to]) => yPx - linePx / 2 < to && yPx + linePx / 2 > from)) return []
    const label: TextItem = {
      kind: 'text',
      xPx: plot.xPx - 8,
      yPx,
      spans: [{ text: `+${labels[index] ?? ''}` }],
      sizePx: 11,
      align: 'right',
      color: ink.t3,
    }
    return [label, { kind: 'box', xPx: plot.xPx - 5, yPx: Math.round(yPx), widthPx: 4, heightPx: 1, color: ink.line2, alpha: 1 }]
  })
}

/** Numbers of allocations. */
function drawNumbers(input: LifetimesInput): Item[] {
  const { plot } = input.layout
  const ink = inkOf(input.tokens)
  const scale = yScaleOf(input)
  return niceTicks(input.y.y0, input.y.y1, plot.heightPx, countGapPx, 1).flatMap((number): Item[] => {
    const yPx = Math.min(Math.max(yToPx(scale, number), plot.yPx + 6), bottomOf(plot) - 6)
    return [
      { kind: 'text', xPx: plot.xPx - 8, yPx, spans: [{ text: formatCount(number) }], sizePx: 11, align: 'right', color: ink.t3 },
      { kind: 'box', xPx: plot.xPx - 5, yPx: Math.round(yToPx(scale, number)), widthPx: 4, heightPx: 1, color: ink.line2, alpha: 1 },
    ]
  })
}

/** Lines between rows that are high enough to be told apart. */
export function drawSeparators(input: LifetimesInput): Item[] {
  const { plot } = input.layout
  const ink = inkOf(input.tokens)
  return shownRows(input).flatMap(({ top, heightPx }): Item[] =>
    heightPx < separatedPx || top <= plot.yPx
      ? []
      : [{ kind: 'box', xPx: plot.xPx, yPx: Math.round(top), widthPx: plot.widthPx, heightPx: 1, color: ink.canvas, alpha: 1 }],
  )
}
