// Raster cells → row-major RGBA, top row first: what PNG and SVG embed. The screen does the same look-up in a shader.
import type { Raster } from './display-list.ts'

/** columns × rows × 4 bytes; palette: 256 × RGBA. */
export function rasterPixels(raster: Raster, palette: Uint8Array): Uint8ClampedArray<ArrayBuffer> {
  const { columns, rows, cells } = raster
  const words = new Uint32Array(columns * rows)
  const colors = new Uint32Array(palette.slice().buffer)
  for (let column = 0; column < columns; column++) {
    for (let row = 0; row < rows; row++) words[(rows - 1 - row) * columns + column] = colors[cells[column * rows + row] ?? 0] ?? 0
  }
  return new Uint8ClampedArray(words.buffer)
}
