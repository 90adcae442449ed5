// Layout of a finished picture: title above, legend below.
import { titlePx } from '../../picture/title.ts'
import type { AxisLayout } from '../../plot/layout.ts'
import type { Frame } from '../../scene/display-list.ts'
import { layoutTrace } from './layout.ts'

/** Height of the legend. */
export const legendPx = 60

/** The parts moved below the title; no overview. */
export function layoutPicture(widthPx: number, heightPx: number, markRows: number): AxisLayout {
  const inner = layoutTrace(widthPx, Math.max(160, heightPx - titlePx - legendPx), markRows, false)
  const moved = (frame: Frame): Frame => ({ ...frame, yPx: frame.yPx + titlePx })
  return { widthPx, heightPx, overview: inner.overview, ruler: moved(inner.ruler), lane: moved(inner.lane), plot: moved(inner.plot) }
}
