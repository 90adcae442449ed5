// The view model: answers of the engine + viewport + theme → display list and hit index. Pure; screen, PNG and SVG share it.

import type { PlacedSpan } from '../../plot/annotations.ts'
import { xScaleOf } from '../../plot/axis-input.ts'
import { drawLane, drawLaneNames, drawStepBorders, spanAt } from '../../plot/draw-lane.ts'
import { drawRuler } from '../../plot/draw-ruler.ts'
import { bottomOf, contains, rightOf } from '../../plot/layout.ts'
import { type Flag, flagAt } from '../../plot/note-flags.ts'
import { drawOverview, type OverviewHit, overviewHit } from '../../plot/overview.ts'
import { pxToX } from '../../plot/scales.ts'
import { nearestEnd, reachPx } from '../../plot/snap.ts'
import type { DisplayList, Frame } from '../../scene/display-list.ts'
import { drawCategories } from './draw-categories.ts'
import { drawEdges, drawHeads, drawSpillMarks, headParts, pinLeft } from './draw-heads.ts'
import { drawArea, drawCursor, drawFlows, drawScrollBar, drawSelectedSlice, scrollBar } from './draw-marks.ts'
import { drawMemory } from './draw-memory.ts'
import { drawCounters, drawInstants } from './draw-points.ts'
import { drawBoxes, drawCells } from './draw-slices.ts'
import { lanePx, rowPaddingPx, type ShownRow } from './layout.ts'
import { scrolledFrame, type TraceInput } from './model-input.ts'
import type { HoveredSlice } from './trace-data.ts'

const handlePx = 8 // of marks at the plot's edges

/** All layers, back to front. */
export function buildTrace(input: TraceInput): DisplayList {
  const { layout, rows } = input
  const { plot, ruler, widthPx } = layout
  const whole: Frame = { xPx: 0, yPx: 0, widthPx, heightPx: layout.heightPx }
  const scrolled = scrolledFrame(input)
  const pinned: Frame = { ...plot, heightPx: rows.pinnedPx }
  const across = (frame: Frame): Frame => ({ ...frame, xPx: 0, widthPx })
  const below: Frame = {
    ...plot,
    xPx: plot.xPx - handlePx,
    widthPx: plot.widthPx + 2 * handlePx,
    yPx: ruler.yPx,
    heightPx: bottomOf(plot) - ruler.yPx,
  }
  const marks = (isPinned: boolean) => [
    ...drawBoxes(input, isPinned),
    ...drawInstants(input, isPinned),
    ...drawSelectedSlice(input, isPinned),
  ]
  return [
    { clip: whole, items: [...drawOverview(input), ...drawRuler(input), ...drawLaneNames(input)] },
    { clip: layout.lane, items: drawLane(input) },
    { clip: across(pinned), items: [...drawHeads(input, true), ...drawSpillMarks(input, true)] },
    { clip: across(scrolled), items: [...drawHeads(input, false), ...drawSpillMarks(input, false)] },
    { clip: pinned, items: [...drawMemory(input, true), ...drawCounters(input, true), ...drawCategories(input, true)] },
    { clip: scrolled, items: [...drawMemory(input, false), ...drawCounters(input, false), ...drawCategories(input, false)] },
    { clip: plot, items: drawCells(input) },
    { clip: pinned, items: marks(true) },
    { clip: scrolled, items: marks(false) },
    { clip: plot, items: [...drawStepBorders(input), ...drawFlows(input)] },
    { clip: below, items: drawArea(input) },
    { clip: below, items: drawCursor(input) },
    { clip: whole, items: [...drawEdges(input), ...drawScrollBar(input)] },
  ]
}

export type Hit =
  | OverviewHit
  | { readonly region: 'ruler'; readonly x: number; readonly flag: Flag | undefined }
  | { readonly region: 'lane'; readonly x: number; readonly mark: PlacedSpan | undefined }
  | { readonly region: 'scrollBar'; readonly isThumb: boolean }
  | { readonly region: 'head'; readonly row: ShownRow; readonly part: 'fold' | 'pin' | 'name' }
  | { readonly region: 'rows'; readonly x: number; readonly row: ShownRow | undefined; readonly laneId: number | undefined }

/** What lies under a point of the canvas. */
export function hitTest(input: TraceInput, xPx: number, yPx: number): Hit | undefined {
  const { layout } = input
  const { plot } = layout
  if (layout.overview.heightPx > 0 && yPx < bottomOf(layout.overview)) return overviewHit(input, xPx)
  const x = pxToX(xScaleOf(input), xPx)
  if (contains(layout.ruler, xPx, yPx)) return { region: 'ruler', x, flag: flagAt(input, xPx, yPx) }
  if (contains(layout.lane, xPx, yPx)) return { region: 'lane', x, mark: spanAt(input, x, yPx) }
  const bar = scrollBar(input)
  if (bar && xPx >= rightOf(plot) && yPx >= bar.frame.yPx && yPx < bottomOf(bar.frame))
    return { region: 'scrollBar', isThumb: yPx >= bar.thumb.yPx && yPx < bottomOf(bar.thumb) }
  if (yPx < plot.yPx || yPx >= bottomOf(plot)) return undefined
  const row = rowAt(input, yPx)
  if (xPx < plot.xPx) return row && { region: 'head', row, part: partOf(input, row, xPx) }
  return xPx < rightOf(plot) ? { region: 'rows', x, row, laneId: row && laneAt(row, yPx) } : undefined
}

/** The row at a height of the canvas; pinned rows lie over the others. */
export function rowAt(input: Pick<TraceInput, 'shown' | 'layout' | 'rows'>, yPx: number): ShownRow | undefined {
  const isPinned = yPx < input.layout.plot.yPx + input.rows.pinnedPx
  return input.shown.find(({ row, topPx }) => row.isPinned === isPinned && yPx >= topPx && yPx < topPx + row.heightPx)
}

function laneAt({ row, topPx }: ShownRow, yPx: number): number | undefined {
  if (row.kind !== 'track' || row.laneCount === 0) return undefined
  const index = Math.floor((yPx - topPx - rowPaddingPx) / lanePx)
  return row.track.firstLane + Math.min(Math.max(0, index), row.laneCount - 1)
}

function partOf(input: TraceInput, { row }: ShownRow, xPx: number): 'fold' | 'pin' | 'name' {
  const { folds, pins } = headParts(row)
  if (pins && xPx >= pinLeft(input.layout.plot.xPx)) return 'pin'
  return folds ? 'fold' : 'name'
}

/** Keys of the rows between two heights of the canvas, whichever comes first. A process stands for its tracks while they are folded into it, else for none. */
export function rowsBetween(input: TraceInput, a: number, b: number): string[] {
  const [from, to] = [Math.min(a, b), Math.max(a, b)]
  const scrolled = scrolledFrame(input)
  return input.shown.flatMap(({ row, topPx }) => {
    if (row.kind === 'process' && !row.isCollapsed) return []
    const top = row.isPinned ? topPx : Math.max(topPx, scrolled.yPx)
    return top <= to && topPx + row.heightPx > from ? [row.key] : []
  })
}

/** The slice that is drawn as a box at a place of a lane. */
export function boxAt(input: Pick<TraceInput, 'raster' | 'tracks'>, laneId: number, x: number): HoveredSlice | undefined {
  const { raster } = input
  const place = raster?.placeOf.get(laneId)
  if (!raster || place === undefined) return undefined
  const { boxes } = raster.data
  const end = raster.firstBox[place + 1] ?? 0
  for (let index = raster.firstBox[place] ?? 0; index < end; index++) {
    const startNs = boxes.start[index] ?? 0
    const durNs = boxes.dur[index] ?? 0
    if (x < startNs || x >= startNs + durNs) continue
    const category = boxes.category[index]
    const text = input.tracks.categories.find(({ categoryId }) => categoryId === category)?.text ?? ''
    const isUnfinished = boxes.unfinished[index] === 1
    return { sliceId: boxes.slice[index] ?? 0, laneId, name: boxes.titles[index] ?? '', category: text, startNs, durNs, isUnfinished }
  }
  return undefined
}

/** x moved to the nearest end of a mark, or of a box in that row, within reach; unchanged when `off` or none is near. */
export function snapToEdge(input: TraceInput, x: number, row: ShownRow | undefined, off: boolean): number {
  if (off) return x
  const { visible, layout, spans } = input
  const reach = (reachPx * (visible.x1 - visible.x0)) / layout.plot.widthPx
  return nearestEnd([...spans, ...boxesOfRow(input, row)], x, reach) ?? x
}

/** Start and end of the boxes in a row. */
function boxesOfRow({ raster }: TraceInput, row: ShownRow | undefined): { readonly x0: number; readonly x1: number }[] {
  if (!raster || row?.row.kind !== 'track') return []
  const { start, dur } = raster.data.boxes
  const { track, laneCount } = row.row
  const found: { readonly x0: number; readonly x1: number }[] = []
  for (let lane = track.firstLane; lane < track.firstLane + laneCount; lane++) {
    const place = raster.placeOf.get(lane)
    if (place === undefined) continue
    for (let index = raster.firstBox[place] ?? 0; index < (raster.firstBox[place + 1] ?? 0); index++) {
      const x0 = start[index] ?? 0
      found.push({ x0, x1: x0 + (dur[index] ?? 0) })
    }
  }
  return found
}

const instantReachPx = 3

/** The instant that is drawn nearest to a place, within reach, on the first line of its track; undefined without. */
export function instantAt(input: TraceInput, { row, topPx }: ShownRow, x: number, yPx: number): number | undefined {
  if (row.kind !== 'track' || yPx >= topPx + rowPaddingPx + lanePx) return undefined
  const answer = input.marks.get(row.track.trackId)
  if (!answer) return undefined
  const { x0, x1 } = answer.range
  const perColumn = (x1 - x0) / answer.count.length
  const perPx = (input.visible.x1 - input.visible.x0) / input.layout.plot.widthPx
  const middle = (column: number) => x0 + (column + 0.5) * perColumn
  const from = Math.floor((x - instantReachPx * perPx - x0) / perColumn)
  const to = Math.ceil((x + instantReachPx * perPx - x0) / perColumn)
  let best: number | undefined
  for (let column = Math.max(0, from); column <= Math.min(to, answer.count.length - 1); column++) {
    if (!((answer.count[column] ?? 0) > 0)) continue
    if (best === undefined || Math.abs(middle(column) - x) < Math.abs(middle(best) - x)) best = column
  }
  return best === undefined ? undefined : answer.first[best]
}
