// Where the parts of the report page lie, in CSS pixels. What a small page has no room for is left out from the bottom up.
import { titlePx } from '../../picture/title.ts'
import type { Frame } from '../../scene/display-list.ts'
import { type CurveLayout, layoutCurves, movedBy } from './curve-layout.ts'
import { legendRowPx } from './picture-legend.ts'

export interface PageLayout {
  readonly widthPx: number
  readonly heightPx: number
  readonly tiles: readonly Frame[]
  readonly legend: Frame | undefined // of the curves
  readonly curves: CurveLayout | undefined
  readonly sizes: Frame | undefined
  readonly groups: Frame | undefined
}

const marginPx = 16
const tilePx = 66
const oneRowFromPx = 1040
const leastCurvesPx = 200
const leastBelowPx = 190
const twoColumnsFromPx = 1000

/** Rows for the legend's six entries, by the room that they need in any language. */
const legendPx = (widthPx: number): number => legendRowPx * (widthPx >= 960 ? 1 : widthPx >= 520 ? 2 : 3)

/** The seven tiles: in one row, or four and three. */
function layoutTiles(widthPx: number): Frame[] {
  const rows = widthPx >= oneRowFromPx ? [7] : [4, 3]
  return rows.flatMap((count, row) =>
    Array.from({ length: count }, (_, index) => {
      const tileWidthPx = (widthPx - 2 * marginPx) / count
      return { xPx: marginPx + index * tileWidthPx, yPx: titlePx + row * tilePx, widthPx: tileWidthPx, heightPx: tilePx }
    }),
  )
}

/** Title, tiles, curves over the whole width, then sizes and pools side by side. */
export function layoutPage(widthPx: number, heightPx: number, laneRows: number, hasEvents: boolean): PageLayout {
  const tiles = layoutTiles(widthPx)
  const tilesEnd = titlePx + tilePx * (tiles.length === 7 && widthPx >= oneRowFromPx ? 1 : 2)
  const legend = hasEvents ? { xPx: marginPx, yPx: tilesEnd, widthPx: widthPx - 2 * marginPx, heightPx: legendPx(widthPx) } : undefined
  const top = tilesEnd + (legend ? legend.heightPx + 4 : 0)
  const roomPx = heightPx - top - 8
  const hasBelow = roomPx >= leastBelowPx + (hasEvents ? leastCurvesPx : 0)
  const curvesPx = hasEvents ? (hasBelow ? Math.max(leastCurvesPx, Math.round(roomPx * 0.56)) : roomPx) : 0
  const curves = hasEvents && curvesPx > 96 ? movedBy(layoutCurves(widthPx, curvesPx, laneRows, false), 0, top) : undefined
  const below = hasBelow ? { xPx: 0, yPx: top + curvesPx + 8, widthPx, heightPx: roomPx - curvesPx - 8 } : undefined
  if (!below) return { widthPx, heightPx, tiles, legend: curves && legend, curves, sizes: undefined, groups: undefined }
  const isWide = widthPx >= twoColumnsFromPx
  const sizesPx = isWide ? Math.round(widthPx * 0.46) : widthPx
  return {
    widthPx,
    heightPx,
    tiles,
    legend: curves && legend,
    curves,
    sizes: { ...below, widthPx: sizesPx },
    groups: isWide ? { ...below, xPx: sizesPx + marginPx, widthPx: widthPx - sizesPx - 2 * marginPx } : undefined,
  }
}
