// Paints a display list with Canvas2D: the text layer on screen, and everything in a PNG.
import { cssColor } from '../theme/palette.ts'
import type { Disc, DisplayList, Hatch, Item, Layer, Measure, Raster, StepPath, TextItem, Triangle } from './display-list.ts'
import { fontOf, middleAboveBaseline, widthOf } from './display-list.ts'
import { hatchLines } from './geometry.ts'

export type Context2D = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D

const mostWidths = 5000
const noRasters: ReadonlyMap<Raster, CanvasImageSource> = new Map()
// One cache a context: canvases on the page round glyph widths to pixels, others do not.
let widths = new WeakMap<Context2D, Map<string, number>>()

/** Measures anew from now on: call it when fonts have been loaded. */
export function forgetWidths(): void {
  widths = new WeakMap()
}

/** A measure by the given context. Widths are kept, since the same words come back every frame. */
export function measureWith(context: Context2D): Measure {
  return (text, sizePx, strong, mono = false) => {
    const known = widths.get(context) ?? new Map<string, number>()
    if (known.size === 0) widths.set(context, known)
    const key = `${sizePx}${strong ? 's' : 'n'}${mono ? 'm' : ''} ${text}`
    const kept = known.get(key)
    if (kept !== undefined) return kept
    context.font = fontOf(sizePx, strong, mono)
    const { width } = context.measureText(text)
    if (known.size > mostWidths) known.clear()
    known.set(key, width)
    return width
  }
}

const onTop = (item: Item): boolean => item.kind === 'text' || item.kind === 'triangle' || item.kind === 'disc' || item.kind === 'hatch'

/** What needs smooth edges (texts, marks, hatches) of a display list, on a cleared context. `scale`: device pixels a CSS pixel. */
export function paintOnTop(context: Context2D, list: DisplayList, scale: number): void {
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, context.canvas.width, context.canvas.height)
  context.setTransform(scale, 0, 0, scale, 0, 0)
  for (const layer of list) {
    if (layer.items.some(onTop)) withClip(context, layer, (item) => onTop(item) && paintItem(context, item, layer, noRasters))
  }
}

/** Everything, under the transform that the caller has set. `rasters`: each raster as an image (see `rasterImage`). */
export function paintAll(context: Context2D, list: DisplayList, rasters: ReadonlyMap<Raster, CanvasImageSource>): void {
  for (const layer of list) withClip(context, layer, (item) => paintItem(context, item, layer, rasters))
}

function withClip(context: Context2D, layer: Layer, paint: (item: Item) => void): void {
  const { xPx, yPx, widthPx, heightPx } = layer.clip
  context.save()
  context.beginPath()
  context.rect(xPx, yPx, widthPx, heightPx)
  context.clip()
  for (const item of layer.items) paint(item)
  context.restore()
}

function paintItem(context: Context2D, item: Item, layer: Layer, rasters: ReadonlyMap<Raster, CanvasImageSource>): void {
  if (item.kind === 'box') {
    context.globalAlpha = item.alpha
    context.fillStyle = cssColor(item.color)
    context.fillRect(item.xPx, item.yPx, item.widthPx, item.heightPx)
    context.globalAlpha = 1
  } else if (item.kind === 'path') paintPath(context, item)
  else if (item.kind === 'triangle') paintTriangle(context, item)
  else if (item.kind === 'disc') paintDisc(context, item)
  else if (item.kind === 'hatch') paintHatch(context, item, layer)
  else if (item.kind === 'text') paintText(context, item)
  else {
    const image = rasters.get(item)
    context.imageSmoothingEnabled = false
    if (image) context.drawImage(image, item.xPx, item.yPx, item.widthPx, item.heightPx)
  }
}

function paintPath(context: Context2D, path: StepPath): void {
  context.globalAlpha = path.alpha
  context.strokeStyle = cssColor(path.color)
  context.lineWidth = path.widthPx
  context.lineCap = path.dashPx || path.butt ? 'butt' : 'square'
  context.lineJoin = 'miter'
  context.setLineDash(path.dashPx ? [...path.dashPx] : [])
  context.beginPath()
  let penUp = true
  for (let i = 0; i + 1 < path.points.length; i += 2) {
    const [x, y] = [path.points[i] ?? Number.NaN, path.points[i + 1] ?? Number.NaN]
    if (Number.isNaN(x + y)) penUp = true
    else if (penUp) {
      context.moveTo(x, y)
      penUp = false
    } else context.lineTo(x, y)
  }
  context.stroke()
  context.globalAlpha = 1
}

function paintTriangle(context: Context2D, { points, color, alpha }: Triangle): void {
  context.globalAlpha = alpha
  context.fillStyle = cssColor(color)
  context.beginPath()
  context.moveTo(points[0], points[1])
  context.lineTo(points[2], points[3])
  context.lineTo(points[4], points[5])
  context.fill()
  context.globalAlpha = 1
}

function paintDisc(context: Context2D, { xPx, yPx, radiusPx, color }: Disc): void {
  context.fillStyle = cssColor(color)
  context.beginPath()
  context.arc(xPx, yPx, radiusPx, 0, 2 * Math.PI)
  context.fill()
}

function paintHatch(context: Context2D, hatch: Hatch, layer: Layer): void {
  context.strokeStyle = cssColor(hatch.color)
  context.lineWidth = 1
  context.setLineDash([])
  context.beginPath()
  for (const [x0, y0, x1, y1] of hatchLines(hatch, layer.clip)) {
    context.moveTo(x0, y0)
    context.lineTo(x1, y1)
  }
  context.stroke()
}

function paintText(context: Context2D, item: TextItem): void {
  const measure = measureWith(context)
  const width = widthOf(item, measure)
  let xPx = item.align === 'left' ? item.xPx : item.align === 'right' ? item.xPx - width : item.xPx - width / 2
  context.textAlign = 'left'
  context.textBaseline = 'middle'
  for (const span of item.spans) {
    const sizePx = span.sizePx ?? item.sizePx
    const yPx = item.yPx + (item.sizePx - sizePx) * middleAboveBaseline
    context.font = fontOf(sizePx, span.strong ?? false, span.mono)
    if (item.halo) {
      context.strokeStyle = cssColor(item.halo)
      context.lineWidth = 3
      context.lineJoin = 'round'
      context.setLineDash([])
      context.strokeText(span.text, xPx, yPx)
    }
    context.fillStyle = cssColor(span.color ?? item.color)
    context.fillText(span.text, xPx, yPx)
    xPx += measure(span.text, sizePx, span.strong ?? false, span.mono)
  }
}
