// The view as a finished picture for reports: title, axes, legend and units in it, drawn from the same model as the screen. PNG is painted
// strip by strip, so its size is not bound by any texture or canvas; SVG keeps curves, axes and text as vectors.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import { measureWith, paintAll } from '../../scene/canvas-painter.ts'
import type { DisplayList, Raster } from '../../scene/display-list.ts'
import { encodePng } from '../../scene/png-writer.ts'
import { rasterImage } from '../../scene/raster-image.ts'
import { toSvg } from '../../scene/svg-painter.ts'
import { cellPalette } from '../../theme/palette.ts'
import { dark, light, type Tokens } from '../../theme/tokens.ts'
import type { PictureOptions } from '../view.ts'
import { fetchPicture, type PictureData } from './picture-data.ts'
import { buildPicture, pictureTitle } from './picture-model.ts'

const stripPixels = 4_000_000
const pixelsPerMetreAt1 = 96 / 0.0254
const svgRasterScale = 2

/** Draws the view. Width and height: pixels of the PNG, CSS pixels of the SVG. Same capture, options and view: same bytes. */
export async function timelinePicture(capture: CaptureSummary, options: PictureOptions): Promise<Result<Uint8Array | string>> {
  const tokens = options.theme === 'dark' ? dark : light
  const scale = options.format === 'png' ? options.scale : 1
  const size = { widthPx: options.width / scale, heightPx: options.height / scale }
  const context = new OffscreenCanvas(1, 1).getContext('2d')
  if (!context) return fail('engine/internal', 'No 2D canvas.')
  const data = await fetchPicture(capture, size, options.format === 'png' ? scale : svgRasterScale, options.wholeRange)
  if (!data.ok) return data
  const list = buildPicture(capture, data.value, tokens, measureWith(context))
  return ok(
    options.format === 'svg'
      ? await drawSvg(capture, data.value, list, tokens, size)
      : await drawPng(capture, data.value, list, tokens, options),
  )
}

const rastersOf = (list: DisplayList): Raster[] => list.flatMap((layer) => layer.items.filter((item) => item.kind === 'raster'))

async function drawPng(
  capture: CaptureSummary,
  data: PictureData,
  list: DisplayList,
  tokens: Tokens,
  options: PictureOptions,
): Promise<Uint8Array> {
  const { width, height, scale } = options
  const palette = cellPalette(tokens, data.view.colorBy, data.emphasis?.slots)
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
  const texts = { Title: pictureTitle(capture, data), Software: 'Tidemark' }
  return encodePng({ widthPx: width, heightPx: height, pixelsPerMetre: pixelsPerMetreAt1 * scale, texts }, stripRows, strip)
}

async function drawSvg(
  capture: CaptureSummary,
  data: PictureData,
  list: DisplayList,
  tokens: Tokens,
  size: { readonly widthPx: number; readonly heightPx: number },
): Promise<string> {
  const palette = cellPalette(tokens, data.view.colorBy, data.emphasis?.slots)
  const rasters = new Map<Raster, string>()
  for (const raster of rastersOf(list))
    rasters.set(raster, await dataUrl(await rasterImage(raster, palette).convertToBlob({ type: 'image/png' })))
  return toSvg(list, rasters, { ...size, background: tokens.canvas, title: pictureTitle(capture, data), description: 'Tidemark timeline' })
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('unreadable image'))
    reader.readAsDataURL(blob)
  })
}
