// Layout of a finished picture: title above, legend below the timeline.
import { titlePx } from '../../picture/title.ts'
import type { AxisLayout } from '../../plot/layout.ts'
import type { Frame } from '../../scene/display-list.ts'
import { layoutTimeline } from './layout.ts'

const legendPx = 110
const smallHeightPx = 420

/** Height of the legend: small pictures keep one line of it. */
export const legendHeight = (heightPx: number): number => (heightPx < smallHeightPx ? 28 : legendPx)

/** The timeline's parts moved below the title; no overview. */
export function layoutPicture(widthPx: number, heightPx: number, laneRows: number): AxisLayout {
  const inner = layoutTimeline(widthPx, Math.max(160, heightPx - titlePx - legendHeight(heightPx)), laneRows, false)
  const moved = (frame: Frame): Frame => ({ ...frame, yPx: frame.yPx + titlePx })
  return { widthPx, heightPx, overview: inner.overview, ruler: moved(inner.ruler), lane: moved(inner.lane), plot: moved(inner.plot) }
}
