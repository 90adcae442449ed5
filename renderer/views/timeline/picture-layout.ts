// Layout of a finished picture: title above, legend below the timeline.
import type { Frame } from '../../scene/display-list.ts'
import { layoutTimeline, type TimelineLayout } from './layout.ts'

const titlePx = 60
const legendPx = 92
const smallHeightPx = 420

/** Height of the legend: small pictures keep one line of it. */
export const legendHeight = (heightPx: number): number => (heightPx < smallHeightPx ? 28 : legendPx)

/** The timeline's parts moved below the title; no overview. */
export function layoutPicture(widthPx: number, heightPx: number, laneRows: number): TimelineLayout {
  const inner = layoutTimeline(widthPx, Math.max(160, heightPx - titlePx - legendHeight(heightPx)), laneRows, false)
  const moved = (frame: Frame): Frame => ({ ...frame, yPx: frame.yPx + titlePx })
  return { widthPx, heightPx, overview: inner.overview, ruler: moved(inner.ruler), lane: moved(inner.lane), plot: moved(inner.plot) }
}
