// Where the parts of the timeline lie.
import { type AxisLayout, layoutAxis } from '../../plot/layout.ts'

const gutterPx = 84 // byte labels, and the names of the lane's rows

/** Lays out the canvas column. `overview` false leaves it out. */
export const layoutTimeline = (widthPx: number, heightPx: number, laneRows: number, overview = true): AxisLayout =>
  layoutAxis(widthPx, heightPx, { gutterPx, laneRows, overview })
