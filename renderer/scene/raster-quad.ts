// A raster of cells as one quad: the fragment shader looks the cell up in a data texture and its colour in a palette. The cost does not
// depend on how many allocations the cells stand for.
import { Buffer, BufferImageSource, BufferUsage, Geometry, Mesh, Shader } from 'pixi.js'
import type { Frame, Raster } from './display-list.ts'

const vertex = `#version 300 es
in vec2 aPosition;
out vec2 vUnit;
uniform mat3 uProjectionMatrix;
uniform mat3 uWorldTransformMatrix;
uniform mat3 uTransformMatrix;
void main() {
  vUnit = aPosition;
  gl_Position = vec4((uProjectionMatrix * uWorldTransformMatrix * uTransformMatrix * vec3(aPosition, 1.0)).xy, 0.0, 1.0);
}`

// Cells are column-major with row 0 at the bottom, so the texture's width runs along the rows and its height along the columns.
const fragment = `#version 300 es
precision highp float;
in vec2 vUnit;
out vec4 finalColor;
uniform sampler2D uCells;
uniform sampler2D uPalette;
uniform vec2 uGrid;
void main() {
  ivec2 cell = ivec2(clamp(vec2(1.0 - vUnit.y, vUnit.x) * uGrid, vec2(0.0), uGrid - 1.0));
  int value = int(texelFetch(uCells, cell, 0).r * 255.0 + 0.5);
  finalColor = texelFetch(uPalette, ivec2(value, 0), 0);
}`

const rowAlignment = 4 // WebGL's default unpack alignment, which Pixi keeps

export class RasterQuad {
  readonly mesh: Mesh<Geometry, Shader>
  readonly #corners = new Buffer({ data: new Float32Array(8), usage: BufferUsage.VERTEX | BufferUsage.COPY_DST })
  #cells: BufferImageSource
  readonly #palette: BufferImageSource
  #shown: Raster | undefined
  #shownPalette: Uint8Array | undefined

  constructor() {
    const geometry = new Geometry({
      attributes: { aPosition: { buffer: this.#corners, format: 'float32x2' } },
      indexBuffer: new Uint32Array([0, 1, 2, 0, 2, 3]),
    })
    this.#cells = cellSource(4, 1, new Uint8Array(4))
    this.#palette = new BufferImageSource({
      resource: new Uint8Array(1024),
      width: 256,
      height: 1,
      format: 'rgba8unorm',
      scaleMode: 'nearest',
      alphaMode: 'premultiplied-alpha',
    })
    const shader = Shader.from({
      gl: { vertex, fragment, name: 'raster' },
      resources: { uCells: this.#cells, uPalette: this.#palette, grid: { uGrid: { value: new Float32Array([1, 1]), type: 'vec2<f32>' } } },
    })
    this.mesh = new Mesh({ geometry, shader })
  }

  /** Places the raster and cuts it to the clip; uploads cells and palette only when they are others than last time. Palette: 256 × RGBA, premultiplied. */
  show(raster: Raster, clip: Frame, palette: Uint8Array): void {
    const { mesh } = this
    mesh.visible = true
    mesh.position.set(raster.xPx, raster.yPx)
    mesh.scale.set(raster.widthPx, raster.heightPx)
    this.#corners.data = unitCorners(raster, clip)
    if (this.#shown?.cells !== raster.cells) this.#upload(raster)
    if (this.#shownPalette !== palette) {
      ;(this.#palette.resource as Uint8Array).set(palette)
      this.#palette.update()
    }
    this.#shown = raster
    this.#shownPalette = palette
  }

  #upload(raster: Raster): void {
    const width = Math.ceil(raster.rows / rowAlignment) * rowAlignment
    const resource = width === raster.rows ? raster.cells : padded(raster, width)
    if (this.#cells.pixelWidth === width && this.#cells.pixelHeight === raster.columns) {
      this.#cells.resource = resource
      this.#cells.update()
    } else {
      const old = this.#cells
      this.#cells = cellSource(width, raster.columns, resource)
      if (this.mesh.shader) this.mesh.shader.resources.uCells = this.#cells
      old.destroy()
    }
    const grid = this.mesh.shader?.resources.grid as { uniforms: { uGrid: Float32Array }; update(): void }
    grid.uniforms.uGrid = new Float32Array([raster.rows, raster.columns])
    grid.update()
  }

  destroy(): void {
    const { shader } = this.mesh
    this.mesh.destroy()
    shader?.destroy()
    this.#corners.destroy()
    this.#cells.destroy()
    this.#palette.destroy()
  }
}

/** The part of the raster inside the clip, in units of the raster (0–1), as a quad. */
function unitCorners(raster: Raster, clip: Frame): Float32Array {
  const unit = (value: number) => Math.min(Math.max(value, 0), 1)
  const x0 = unit((clip.xPx - raster.xPx) / raster.widthPx)
  const x1 = unit((clip.xPx + clip.widthPx - raster.xPx) / raster.widthPx)
  const y0 = unit((clip.yPx - raster.yPx) / raster.heightPx)
  const y1 = unit((clip.yPx + clip.heightPx - raster.yPx) / raster.heightPx)
  return new Float32Array([x0, y0, x1, y0, x1, y1, x0, y1])
}

function cellSource(width: number, height: number, resource: Uint8Array): BufferImageSource {
  return new BufferImageSource({ resource, width, height, format: 'r8unorm', scaleMode: 'nearest', alphaMode: 'no-premultiply-alpha' })
}

function padded(raster: Raster, width: number): Uint8Array {
  const cells = new Uint8Array(width * raster.columns)
  for (let column = 0; column < raster.columns; column++) {
    cells.set(raster.cells.subarray(column * raster.rows, (column + 1) * raster.rows), column * width)
  }
  return cells
}
