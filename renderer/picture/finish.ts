// A display list as a finished picture. PNG is painted strip by strip, so its size is not bound by any texture or canvas; SVG keeps curves,
// axes and text as vectors.
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import { measureWith, paintAll } from '../scene/canvas-painter.ts'
import type { DisplayList, Measure, Raster } from '../scene/display-list.ts'
import { encodePng } from '../scene/png-writer.ts'
import { rasterImage } from '../scene/raster-image.ts'
import { toSvg } from '../scene/svg-painter.ts'
import { dark, light, type Tokens } from '../theme/tokens.ts'
import type { PictureOptions } from '../views/view.ts'

const stripPixels = 4_000_000
const pixelsPerMetreAt1 = 96 / 0.0254
const svgRasterScale = 2

/** What a picture is drawn with. */
export interface PictureTools {
  readonly widthPx: number // CSS pixels
  readonly heightPx: number
  readonly rasterScale: number // cells a CSS pixel that show in the result
  readonly tokens: Tokens
  readonly measure: Measure
}

/** The whole picture with its title and legend. */
export interface DrawnPicture {
  readonly list: DisplayList
  readonly palette: Uint8Array<ArrayBuffer> // 256 × RGBA for its rasters
  readonly title: string // kept in the file
  readonly description: string
}

/** PNG bytes or SVG text of what `draw` makes. Same list, same bytes. */
export async function finishPicture(
  options: PictureOptions,
  draw: (tools: PictureTools) => Promise<Result<DrawnPicture>>,
): Promise<Result<Uint8Array | string>> {
  const scale = options.format === 'png' ? options.scale : 1
  const context = new OffscreenCanvas(1, 1).getContext('2d')
  if (!context) return fail('engine/internal', 'No 2D canvas.')
  const tools = {
    widthPx: options.width / scale,
    heightPx: options.height / scale,
    rasterScale: options.format === 'png' ? scale : svgRasterScale,
    tokens: options.theme === 'dark' ? dark : light,
    measure: measureWith(context),
  }
  const drawn = await draw(tools)
  if (!drawn.ok) return drawn
  return ok(options.format === 'svg' ? await writeSvg(drawn.value, tools) : await writePng(drawn.value, tools, options))
}

const rastersOf = (list: DisplayList): Raster[] => list.flatMap((layer) => layer.items.filter((item) => item.kind === 'raster'))

async function writePng(
  { list, palette, title }: DrawnPicture,
  { tokens }: PictureTools,
  { width, height, scale }: PictureOptions,
): Promise<Uint8Array> {
  const rasters = new Map(rastersOf(list).map((raster) => [raster, rasterImage(raster, palette)]))
  const stripRows = Math.max(16, Math.floor(stripPixels / width))
  const canvas = new OffscreenCanvas(width, Math.min(stripRows, height))
  const context = canvas.getContext('2d', { willReadFrequently: true })
  const strip = (yPx: number, rows: number): Uint8ClampedArray => {
    if (!context) return new Uint8ClampedArray(width * rows * 4)
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.fillStyle = tokens.canvas
    context.fillRect(0, 0, width, rows)
    context.setTransform(scale, 0, 0, scale, 0, -yPx)
    paintAll(context, list, rasters)
    return context.getImageData(0, 0, width, rows).data
  }
  const texts = { Title: title, Software: 'Tidemark' }
  return encodePng({ widthPx: width, heightPx: height, pixelsPerMetre: pixelsPerMetreAt1 * scale, texts }, stripRows, strip)
}

async function writeSvg({ list, palette, title, description }: DrawnPicture, { tokens, widthPx, heightPx }: PictureTools): Promise<string> {
  const rasters = new Map<Raster, string>()
  for (const raster of rastersOf(list))
    rasters.set(raster, await dataUrl(await rasterImage(raster, palette).convertToBlob({ type: 'image/png' })))
  return toSvg(list, rasters, { widthPx, heightPx, background: tokens.canvas, title, description })
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('unreadable image'))
    reader.readAsDataURL(blob)
  })
}
