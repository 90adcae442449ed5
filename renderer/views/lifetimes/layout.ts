// Where the parts of the view lie.
import type { LifetimeOrder } from '../../../preload/contract/queries.ts'
import { type AxisLayout, layoutAxis } from '../../plot/layout.ts'
import { byAddress } from './y-axis.ts'

const addressPx = 124
const stackPx = 200
const numberPx = 108
const mostShare = 0.24

/** Width of the labels left of the plot. */
function gutterOf(order: LifetimeOrder, widthPx: number): number {
  if (byAddress(order)) return addressPx
  return order === 'stack' ? Math.max(numberPx, Math.min(stackPx, Math.floor(widthPx * mostShare))) : numberPx
}

/** Lays out the canvas column. `overview` false leaves it out. */
export const layoutLifetimes = (widthPx: number, heightPx: number, laneRows: number, order: LifetimeOrder, overview = true): AxisLayout =>
  layoutAxis(widthPx, heightPx, { gutterPx: gutterOf(order, widthPx), laneRows, overview })
