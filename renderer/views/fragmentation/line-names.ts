// Places for names beside lines: where no other line, text or mark runs through them.
import { bottomOf, rightOf } from '../../plot/layout.ts'
import { textFrame, textsOverlap } from '../../plot/text-fit.ts'
import type { Frame, Measure, TextItem } from '../../scene/display-list.ts'

const samplePx = 4
const edgePx = 4 // kept free at the frame's edges
const abovePx = 9 // from a line to the middle of a name over it
const belowPx = 10
const tries = 48 // places along the frame

/** A line's height on screen, one every few pixels of its frame; NaN where it has none. */
export interface Profile {
  readonly frame: Frame
  readonly ys: Float64Array
}

/** Samples a line. `yAt`: its height at a place, both in pixels. */
export function profileOf(frame: Frame, yAt: (xPx: number) => number): Profile {
  const ys = new Float64Array(Math.max(1, Math.ceil(frame.widthPx / samplePx) + 1))
  for (let index = 0; index < ys.length; index++) ys[index] = yAt(frame.xPx + Math.min(index * samplePx, frame.widthPx - 1))
  return { frame, ys }
}

/** Between which heights a line runs over a stretch; undefined where it has none there. */
export function heightsIn({ frame, ys }: Profile, leftPx: number, rightPx: number): { topPx: number; bottomPx: number } | undefined {
  const first = Math.max(0, Math.floor((leftPx - frame.xPx) / samplePx))
  const last = Math.min(ys.length - 1, Math.ceil((rightPx - frame.xPx) / samplePx))
  let [topPx, bottomPx] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let index = first; index <= last; index++) {
    const y = ys[index] ?? Number.NaN
    if (y < topPx) topPx = y
    if (y > bottomPx) bottomPx = y
  }
  return bottomPx >= topPx ? { topPx, bottomPx } : undefined
}

/** True where a line runs through a rectangle. */
export function crosses(line: Profile, { xPx, yPx, widthPx, heightPx }: Frame): boolean {
  const heights = heightsIn(line, xPx - 2, xPx + widthPx + 2)
  return heights !== undefined && heights.topPx <= yPx + heightPx + 1 && heights.bottomPx >= yPx - 1
}

/** What a name must keep clear of. */
export interface Surroundings {
  readonly frame: Frame
  readonly lines: readonly Profile[]
  readonly placed: readonly TextItem[]
  readonly markPx: number | undefined // a vertical line through the frame
  readonly measure: Measure
}

/** True where a mark, a text or the frame's edge is in the way. */
export function isTaken(text: TextItem, { frame, placed, markPx, measure }: Surroundings): boolean {
  const { xPx, yPx, widthPx, heightPx } = textFrame(text, measure)
  const isInside =
    xPx >= frame.xPx + edgePx && xPx + widthPx <= rightOf(frame) - edgePx && yPx >= frame.yPx + 1 && yPx + heightPx <= bottomOf(frame) - 1
  const isMarked = markPx !== undefined && markPx > xPx - 4 && markPx < xPx + widthPx + 4
  return !isInside || isMarked || placed.some((other) => textsOverlap(text, other, measure))
}

const crossingCost = 400
const wayCost = 24 // from the right end to the left

/** The name of a line over or under it where it is calm and no other line passes, by choice far to the right; undefined where there is no room. */
export function nameBeside(
  text: string,
  own: Profile,
  around: Surroundings,
  look: (place: { xPx: number; yPx: number }) => Pick<TextItem, 'color' | 'halo'>,
): TextItem | undefined {
  const { frame, lines, measure } = around
  const widthPx = measure(text, 11, false)
  const roomPx = frame.widthPx - 2 * edgePx - widthPx
  let best: { readonly item: TextItem; readonly cost: number } | undefined
  for (let index = 0; index <= tries && roomPx > 0; index++) {
    const xPx = frame.xPx + edgePx + (roomPx * index) / tries
    const heights = heightsIn(own, xPx, xPx + widthPx)
    if (!heights) continue
    for (const yPx of [heights.topPx - abovePx, heights.bottomPx + belowPx]) {
      const place = { kind: 'text', xPx, yPx, spans: [{ text }], sizePx: 11, align: 'left' } as const
      const item: TextItem = { ...place, ...look({ xPx: xPx + widthPx / 2, yPx }) }
      const crossed = lines.filter((line) => line !== own && crosses(line, textFrame(item, measure))).length
      const cost = crossed * crossingCost + heights.bottomPx - heights.topPx + wayCost * (1 - index / tries)
      if (cost < (best?.cost ?? Number.POSITIVE_INFINITY) && !isTaken(item, around)) best = { item, cost }
    }
  }
  return best?.item
}
