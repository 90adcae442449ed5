// Marks over the tracks: the selected slice with what it belongs to, its flows, the selected area, the cursor, and the scroll bar.
import type { SliceRow } from '../../../preload/contract/queries.ts'
import { xScaleOf } from '../../plot/axis-input.ts'
import { inkOf } from '../../plot/ink.ts'
import { bottomOf, rightOf } from '../../plot/layout.ts'
import { xToPx } from '../../plot/scales.ts'
import { crisp } from '../../plot/step-curve.ts'
import type { Frame, Item } from '../../scene/display-list.ts'
import type { Rgb } from '../../theme/palette.ts'
import { slicePx } from './cells.ts'
import { trackKey } from './layout.ts'
import { isStill, placeOfLane, scrolledFrame, type TraceInput } from './model-input.ts'

const leastOutlinePx = 4
/** Flows of the selected slice that are drawn. */
export const mostFlows = 40
const flowTurnPx = 10
const arrowPx = 5
const barPx = 8
const leastThumbPx = 24

/** Where a slice is drawn; undefined while its row is folded away. It may lie outside of what is in sight. */
export function sliceFrame(
  input: TraceInput,
  slice: Pick<SliceRow, 'trackId' | 'laneId' | 'startNs' | 'durNs'>,
): (Frame & { readonly isPinned: boolean }) | undefined {
  const row = input.rows.byKey.get(trackKey(slice.trackId))
  const yPx = placeOfLane(input, row, slice.laneId)
  if (!row || yPx === undefined) return undefined
  const scales = xScaleOf(input)
  const left = xToPx(scales, slice.startNs)
  const widthPx = Math.max(leastOutlinePx, xToPx(scales, slice.startNs + slice.durNs) - left)
  return { xPx: left, yPx, widthPx, heightPx: slicePx, isPinned: row.isPinned }
}

function ring(frame: Frame, by: number): number[] {
  const [left, right] = [Math.max(frame.xPx, -1e5) - by, Math.min(frame.xPx + frame.widthPx, 1e5) + by]
  const [top, bottom] = [frame.yPx - by, frame.yPx + frame.heightPx + by]
  return [left, top, right, top, right, bottom, left, bottom, left, top]
}

/** A frame of two colours, visible on every ground. */
function outline(frame: Frame, color: Rgb, edge: Rgb, widthPx = 2): Item[] {
  return [
    { kind: 'path', points: ring(frame, 0), color: edge, alpha: 1, widthPx: widthPx + 2 },
    { kind: 'path', points: ring(frame, 0), color, alpha: 1, widthPx },
  ]
}

/** The selected slice, and thinner ones around its op and the slices its flows lead to. */
export function drawSelectedSlice(input: TraceInput, pinned: boolean): Item[] {
  const { selected, op, flows } = input
  if (!selected) return []
  const ink = inkOf(input.tokens)
  const others = [...(op ? [op] : []), ...flows.slice(0, mostFlows).flatMap(({ from, to }) => [from, to])]
  const rings = new Map(others.filter(({ sliceId }) => sliceId !== selected.sliceId).map((each) => [each.sliceId, each]))
  const around = (slice: SliceRow, color: Rgb, edge: Rgb, widthPx: number): Item[] => {
    const frame = sliceFrame(input, slice)
    return frame?.isPinned === pinned ? outline(frame, color, edge, widthPx) : []
  }
  return [
    ...[...rings.values()].flatMap((each) => around(each, ink.t1, ink.canvas, 1)),
    ...around(selected, ink.selection, ink.selectionEdge, 2),
  ]
}

/** Arrows from the end of one slice to the start of another. */
export function drawFlows(input: TraceInput): Item[] {
  const { flows, tokens } = input
  const { t1, canvas } = inkOf(tokens)
  return flows.slice(0, mostFlows).flatMap(({ from, to }): Item[] => {
    const [a, b] = [sliceFrame(input, from), sliceFrame(input, to)]
    if (!a || !b) return []
    // What began before the other ended leaves it in its middle.
    const startX = Math.min(a.xPx + a.widthPx, Math.max(a.xPx, b.xPx - 2 * flowTurnPx))
    const [startY, endY] = [a.yPx + a.heightPx / 2, b.yPx + b.heightPx / 2]
    const turnX = Math.round(Math.max(startX, b.xPx - flowTurnPx)) + 0.5
    const points = [startX, crisp(startY), turnX, crisp(startY), turnX, crisp(endY), b.xPx - arrowPx, crisp(endY)]
    return [
      { kind: 'path', points, color: canvas, alpha: 0.8, widthPx: 3 },
      { kind: 'path', points, color: t1, alpha: 1, widthPx: 1 },
      { kind: 'triangle', points: [b.xPx - arrowPx - 1, endY - 4, b.xPx - arrowPx - 1, endY + 4, b.xPx, endY], color: t1, alpha: 1 },
    ]
  })
}

/** The selected range: a veil over the rows it is of, and its edges on the ruler. */
export function drawArea(input: TraceInput): Item[] {
  const { selectedRange: range, areaRows, layout } = input
  if (!range) return []
  const { plot, ruler } = layout
  const { t1 } = inkOf(input.tokens)
  const scales = xScaleOf(input)
  const left = Math.round(Math.max(xToPx(scales, range.x0), plot.xPx - 1))
  const right = Math.max(left + 1, Math.round(Math.min(xToPx(scales, range.x1), rightOf(plot) + 1)))
  if (right < plot.xPx || left > rightOf(plot)) return []
  const top = bottomOf(ruler) - 4
  return [
    { kind: 'box', xPx: left, yPx: top, widthPx: right - left, heightPx: 3, color: t1, alpha: 0.9 },
    ...areaBands(input, areaRows).flatMap(([fromPx, toPx]): Item[] => {
      const edge = { kind: 'box', yPx: fromPx, widthPx: 1, heightPx: toPx - fromPx, color: t1, alpha: 0.9 } as const
      return [
        { kind: 'box', xPx: left, yPx: fromPx, widthPx: right - left, heightPx: toPx - fromPx, color: t1, alpha: 0.12 },
        { ...edge, xPx: left },
        { ...edge, xPx: right - 1 },
      ]
    }),
  ]
}

/** Heights of the rows of an area, neighbours as one; of the whole plot when it is of all rows. */
function areaBands(input: TraceInput, rows: readonly string[] | undefined): [fromPx: number, toPx: number][] {
  const { plot } = input.layout
  if (!rows) return [[plot.yPx, bottomOf(plot)]]
  const keys = new Set(rows)
  const bands: [number, number][] = []
  for (const { row, topPx } of input.shown) {
    if (!keys.has(row.key)) continue
    const clip = row.isPinned ? { yPx: plot.yPx, heightPx: input.rows.pinnedPx } : scrolledFrame(input)
    const from = Math.max(topPx, clip.yPx)
    const to = Math.min(topPx + row.heightPx, clip.yPx + clip.heightPx)
    const last = bands.at(-1)
    if (to <= from) continue
    if (last && last[1] === from) last[1] = to
    else bands.push([from, to])
  }
  return bands
}

/** The pinned cursor: a line with a handle on the ruler. */
export function drawCursor(input: TraceInput): Item[] {
  const { cursor, layout } = input
  if (!cursor || !Number.isFinite(cursor.timeNs)) return []
  const xPx = crisp(xToPx(xScaleOf(input), cursor.timeNs))
  if (xPx < layout.plot.xPx || xPx > rightOf(layout.plot)) return []
  const ink = inkOf(input.tokens)
  const top = bottomOf(layout.ruler)
  return [
    { kind: 'path', points: [xPx, layout.plot.yPx, xPx, bottomOf(layout.plot)], color: ink.canvas, alpha: 0.6, widthPx: 3 },
    { kind: 'path', points: [xPx, top - 3, xPx, bottomOf(layout.plot)], color: ink.t1, alpha: 1, widthPx: 1 },
    { kind: 'triangle', points: [xPx - 5, top - 8, xPx + 5, top - 8, xPx, top - 1], color: ink.t1, alpha: 1 },
  ]
}

/** Frame and thumb of the scroll bar; undefined while all rows are in sight. */
export function scrollBar(
  input: Pick<TraceInput, 'layout' | 'rows' | 'scrollPx'>,
): { readonly frame: Frame; readonly thumb: Frame } | undefined {
  const { plot, widthPx } = input.layout
  const { contentPx, pinnedPx } = input.rows
  const roomPx = plot.heightPx - pinnedPx
  if (contentPx <= roomPx || roomPx <= leastThumbPx) return undefined
  const frame = { xPx: widthPx - barPx - 4, yPx: plot.yPx + pinnedPx, widthPx: barPx, heightPx: roomPx }
  const thumbPx = Math.max(leastThumbPx, (roomPx / contentPx) * roomPx)
  const yPx = frame.yPx + ((roomPx - thumbPx) * input.scrollPx) / (contentPx - roomPx)
  return { frame, thumb: { ...frame, yPx, heightPx: thumbPx } }
}

/** The scroll bar right of the plot. */
export function drawScrollBar(input: TraceInput): Item[] {
  const bar = scrollBar(input)
  if (!bar || isStill(input)) return []
  const { line, mark } = inkOf(input.tokens)
  return [
    { kind: 'box', ...bar.frame, color: line, alpha: 0.6 },
    { kind: 'box', ...bar.thumb, color: mark, alpha: 0.9 },
  ]
}
