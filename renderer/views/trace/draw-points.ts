// Counters as step curves, and instants as ticks on the first line of their track.
import { xScaleOf } from '../../plot/axis-input.ts'
import { inkOf } from '../../plot/ink.ts'
import { xToPx } from '../../plot/scales.ts'
import type { Item } from '../../scene/display-list.ts'
import { mix } from '../../theme/palette.ts'
import { eachRun } from './draw-memory.ts'
import { type CounterRow, rowPaddingPx, type ShownRow } from './layout.ts'
import type { TraceInput } from './model-input.ts'

const abovePx = 6
const belowPx = 3
const tickPx = 16

/** Values from the bottom to the top of a counter's row: 0 is always among them. */
const counterEnds = ({ min, max }: CounterRow['series']): readonly [low: number, high: number] => {
  const [low, high] = [Math.min(0, min), Math.max(0, max)]
  return high > low ? [low, high] : [low, low + 1]
}

/** Counters in sight, of the pinned rows or of the others. */
export function drawCounters(input: TraceInput, pinned: boolean): Item[] {
  return input.shown.flatMap((each) =>
    each.row.kind === 'counter' && each.row.isPinned === pinned ? drawCounter(input, each.row, each) : [],
  )
}

function drawCounter(input: TraceInput, row: CounterRow, { topPx }: ShownRow): Item[] {
  const answer = input.series.get(row.series.seriesId)
  if (!answer) return []
  const { canvas, curve2: line } = inkOf(input.tokens)
  const scales = xScaleOf(input)
  const [low, high] = counterEnds(row.series)
  const perUnit = (row.heightPx - abovePx - belowPx) / (high - low)
  const zeroPx = topPx + row.heightPx - belowPx + Math.round(low * perUnit)
  const columns = answer.max.length
  const { x0, x1 } = answer.range
  const xAt = (column: number) => Math.round(xToPx(scales, x0 + ((x1 - x0) * column) / columns))
  const area = mix(canvas, line, 0.35)
  const items: Item[] = []
  eachRun(answer.max, perUnit, (first, end, heightPx) => {
    const box = { kind: 'box', xPx: xAt(first), widthPx: xAt(end) - xAt(first), alpha: 1 } as const
    if (heightPx !== 0) items.push({ ...box, yPx: Math.min(zeroPx, zeroPx - heightPx), heightPx: Math.abs(heightPx), color: area })
    items.push({ ...box, yPx: zeroPx - heightPx - (heightPx > 0 ? 0 : 1), heightPx: 1, color: line })
  })
  return items
}

/** Instants in sight: a tick a column that holds any, on the track's first line. */
export function drawInstants(input: TraceInput, pinned: boolean): Item[] {
  const { t1, canvas } = inkOf(input.tokens)
  const scales = xScaleOf(input)
  return input.shown.flatMap(({ row, topPx }): Item[] => {
    if (row.kind !== 'track' || row.isPinned !== pinned || row.track.instantCount === 0) return []
    const answer = input.marks.get(row.track.trackId)
    if (!answer) return []
    const { x0, x1 } = answer.range
    const columns = answer.count.length
    const items: Item[] = []
    for (let column = 0; column < columns; column++) {
      if (!((answer.count[column] ?? 0) > 0)) continue
      const xPx = Math.round(xToPx(scales, x0 + ((x1 - x0) * (column + 0.5)) / columns))
      const tick = { kind: 'box', yPx: topPx + rowPaddingPx, heightPx: tickPx, alpha: 1 } as const
      items.push({ ...tick, xPx: xPx - 1, widthPx: 3, color: canvas }, { ...tick, xPx, widthPx: 1, color: t1 })
    }
    return items
  })
}
