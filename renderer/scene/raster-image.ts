// Raster cells → images: what PNG and SVG embed and Canvas2D paints. The screen does the same look-up in a shader.
import type { Raster } from './display-list.ts'

/** Row-major RGBA, top row first: columns × rows × 4 bytes; palette: 256 × RGBA. */
export function rasterPixels(raster: Raster, palette: Uint8Array): Uint8ClampedArray<ArrayBuffer> {
  const { columns, rows, cells } = raster
  const words = new Uint32Array(columns * rows)
  const colors = new Uint32Array(palette.slice().buffer)
  for (let column = 0; column < columns; column++) {
    for (let row = 0; row < rows; row++) words[(rows - 1 - row) * columns + column] = colors[cells[column * rows + row] ?? 0] ?? 0
  }
  return new Uint8ClampedArray(words.buffer)
}

/** The raster as an image of one pixel a cell. */
export function rasterImage(raster: Raster, palette: Uint8Array): OffscreenCanvas {
  const image = new OffscreenCanvas(raster.columns, raster.rows)
  image.getContext('2d')?.putImageData(new ImageData(rasterPixels(raster, palette), raster.columns, raster.rows), 0, 0)
  return image
}
