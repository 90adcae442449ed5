// Display list → quads with a colour a vertex: the one mesh that draws all boxes and strokes between two rasters of a frame.
import type { Rgb } from '../theme/palette.ts'
import type { Box, Frame, Hatch, Item, StepPath } from './display-list.ts'

const hatchStepPx = 8

type Stretch = readonly [x0: number, y0: number, x1: number, y1: number]

/** Growing arrays of a triangle list: 2 floats and one RGBA (premultiplied, 4 bytes) a vertex, 4 vertices a quad. */
export class QuadBuilder {
  positions = new Float32Array(4096)
  colors = new Uint8Array(8192)
  indices = new Uint32Array(6144)
  vertexCount = 0
  indexCount = 0

  clear(): void {
    this.vertexCount = 0
    this.indexCount = 0
  }

  /** Adds a box or a path cut to the clip; other items are not for this mesh and are passed over. */
  add(item: Item, clip: Frame): void {
    if (item.kind === 'box') this.#box(item, clip)
    else if (item.kind === 'path') this.#path(item, clip)
  }

  #grow(): void {
    if ((this.vertexCount + 4) * 2 > this.positions.length) {
      this.positions = grown(this.positions, new Float32Array(this.positions.length * 2))
      this.colors = grown(this.colors, new Uint8Array(this.colors.length * 2))
    }
    if (this.indexCount + 6 > this.indices.length) this.indices = grown(this.indices, new Uint32Array(this.indices.length * 2))
  }

  #vertex(xPx: number, yPx: number, color: Rgb, alpha: number): void {
    const index = this.vertexCount++
    this.positions[index * 2] = xPx
    this.positions[index * 2 + 1] = yPx
    const at = index * 4
    this.colors[at] = color[0] * alpha
    this.colors[at + 1] = color[1] * alpha
    this.colors[at + 2] = color[2] * alpha
    this.colors[at + 3] = 255 * alpha
  }

  #rect(x0: number, y0: number, x1: number, y1: number, color: Rgb, alpha: number, clip: Frame): void {
    const left = Math.max(x0, clip.xPx)
    const right = Math.min(x1, clip.xPx + clip.widthPx)
    const top = Math.max(y0, clip.yPx)
    const bottom = Math.min(y1, clip.yPx + clip.heightPx)
    if (right <= left || bottom <= top) return
    this.#grow()
    const first = this.vertexCount
    this.#vertex(left, top, color, alpha)
    this.#vertex(right, top, color, alpha)
    this.#vertex(right, bottom, color, alpha)
    this.#vertex(left, bottom, color, alpha)
    this.indices.set([first, first + 1, first + 2, first, first + 2, first + 3], this.indexCount)
    this.indexCount += 6
  }

  #box(box: Box, clip: Frame): void {
    this.#rect(box.xPx, box.yPx, box.xPx + box.widthPx, box.yPx + box.heightPx, box.color, box.alpha, clip)
  }

  /** One axis-aligned stretch, reaching `before` and `after` past its ends (CSS pixels). */
  #stroke([x0, y0, x1, y1]: Stretch, before: number, after: number, path: StepPath, clip: Frame): void {
    const half = path.widthPx / 2
    const isFlat = y0 === y1
    const forward = isFlat ? x1 >= x0 : y1 >= y0
    const [low, high] = forward ? [before, after] : [after, before]
    const left = Math.min(x0, x1) - (isFlat ? low : half)
    const right = Math.max(x0, x1) + (isFlat ? high : half)
    const top = Math.min(y0, y1) - (isFlat ? half : low)
    const bottom = Math.max(y0, y1) + (isFlat ? half : high)
    this.#rect(left, top, right, bottom, path.color, path.alpha, clip)
  }

  #path(path: StepPath, clip: Frame): void {
    const { points, dashPx, butt } = path
    if (dashPx) {
      walkDashes(points, dashPx, clip, (...ends) => this.#stroke(ends, 0, 0, path, clip))
      return
    }
    const half = path.widthPx / 2
    // Corners are always filled; only free ends of a butt path stop at their point.
    const past = (index: number) => (butt && Number.isNaN(points[index] ?? Number.NaN) ? 0 : half)
    for (let i = 0; i + 3 < points.length; i += 2) {
      const [x0, y0, x1, y1] = [points[i], points[i + 1], points[i + 2], points[i + 3]] as [number, number, number, number]
      if (!Number.isNaN(x0 + y0 + x1 + y1)) this.#stroke([x0, y0, x1, y1], past(i - 2), past(i + 4), path, clip)
    }
  }
}

function grown<T extends Float32Array | Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from)
  return to
}

/** Calls back with each drawn stretch of a dashed axis-aligned path that may lie in the clip: zoomed in, a path can be billions of pixels long. */
export function walkDashes(
  points: readonly number[],
  dashPx: readonly [on: number, off: number],
  clip: Frame,
  draw: (x0: number, y0: number, x1: number, y1: number) => void,
): void {
  let phase = 0
  for (let i = 0; i + 3 < points.length; i += 2) {
    const [x0, y0, x1, y1] = [points[i], points[i + 1], points[i + 2], points[i + 3]] as [number, number, number, number]
    if (Number.isNaN(x0 + y0 + x1 + y1)) continue
    phase = dashSegment([x0, y0, x1, y1], dashPx, phase, clip, draw)
  }
}

function dashSegment(
  [x0, y0, x1, y1]: Stretch,
  [on, off]: readonly [number, number],
  phase: number,
  clip: Frame,
  draw: (x0: number, y0: number, x1: number, y1: number) => void,
): number {
  const length = Math.abs(x1 - x0) + Math.abs(y1 - y0)
  if (length === 0) return phase
  const period = on + off
  const [from, to] = y0 === y1 ? within(x0, x1, clip.xPx, clip.widthPx) : within(y0, y1, clip.yPx, clip.heightPx)
  const first = Math.max(0, Math.floor((from + phase) / period)) * period - phase
  for (let at = first; at < Math.min(length, to); at += period) {
    const a = Math.max(0, at) / length
    const b = Math.min(length, at + on) / length
    if (b > a) draw(x0 + (x1 - x0) * a, y0 + (y1 - y0) * a, x0 + (x1 - x0) * b, y0 + (y1 - y0) * b)
  }
  return (phase + length) % period
}

/** The part of a way from `start` to `end` that lies in [low, low + size], as distances from its start. */
const within = (start: number, end: number, low: number, size: number): readonly [from: number, to: number] =>
  end >= start ? [low - start, low + size - start] : [start - low - size, start - low]

/** The 45° lines of a hatch, cut to its own rectangle and the clip. Anchored to the page, so they stand still while the edge moves. */
export function hatchLines(hatch: Hatch, clip: Frame): (readonly [number, number, number, number])[] {
  const left = Math.max(hatch.xPx, clip.xPx)
  const right = Math.min(hatch.xPx + hatch.widthPx, clip.xPx + clip.widthPx)
  const top = Math.max(hatch.yPx, clip.yPx)
  const bottom = Math.min(hatch.yPx + hatch.heightPx, clip.yPx + clip.heightPx)
  const lines: (readonly [number, number, number, number])[] = []
  if (right <= left || bottom <= top) return lines
  // A line is x + y = sum.
  for (let sum = Math.ceil((left + top) / hatchStepPx) * hatchStepPx; sum < right + bottom; sum += hatchStepPx) {
    const xTop = Math.min(right, sum - top)
    const xBottom = Math.max(left, sum - bottom)
    lines.push([xTop, sum - xTop, xBottom, sum - xBottom])
  }
  return lines
}
