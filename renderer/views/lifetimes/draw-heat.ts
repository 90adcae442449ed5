// The heat map: the answer's cells, stretched into place until the one for what is in sight arrives.

import { xScaleOf } from '../../plot/axis-input.ts'
import { xToPx } from '../../plot/scales.ts'
import type { Item } from '../../scene/display-list.ts'
import { type LifetimesInput, yScaleOf } from './model-input.ts'
import { byAddress, yToPx } from './y-axis.ts'

/** The raster; none until an answer of this order has come. Below single lifetimes it is their ground where rows are addresses. */
export function drawHeat(input: LifetimesInput): Item[] {
  const { raster } = input
  if (!raster || (input.bars && !byAddress(input.order))) return []
  const { columns, rows, cells } = raster.data
  const [x, y] = [xScaleOf(input), yScaleOf(input)]
  const [xPx, yPx] = [xToPx(x, raster.range.x0), yToPx(y, raster.y.y0)]
  return [
    { kind: 'raster', xPx, yPx, widthPx: xToPx(x, raster.range.x1) - xPx, heightPx: yToPx(y, raster.y.y1) - yPx, columns, rows, cells },
  ]
}

/** The cell at a place of the canvas; 0 where nothing is. */
export function cellAt(input: LifetimesInput, xPx: number, yPx: number): number {
  const [raster] = drawHeat(input)
  if (raster?.kind !== 'raster') return 0
  const column = Math.floor(((xPx - raster.xPx) / raster.widthPx) * raster.columns)
  const row = raster.rows - 1 - Math.floor(((yPx - raster.yPx) / raster.heightPx) * raster.rows)
  const isInside = column >= 0 && column < raster.columns && row >= 0 && row < raster.rows
  return isInside ? (raster.cells[column * raster.rows + row] ?? 0) : 0
}
