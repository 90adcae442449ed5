// Owner of a picture on screen: a WebGL canvas (Pixi) with a Canvas2D layer for text above it. Draws a display list when told to, never
// by itself. A lost GL context is replaced by a fresh one and the last list drawn again; after three losses, or without WebGL, Canvas2D
// draws everything.
import 'pixi.js/unsafe-eval'
import { Container, Ticker, WebGLRenderer } from 'pixi.js'
import { paintAll, paintOnTop } from './canvas-painter.ts'
import type { DisplayList, Raster } from './display-list.ts'
import { QuadMesh } from './quad-mesh.ts'
import { rasterImage } from './raster-image.ts'
import { RasterQuad } from './raster-quad.ts'

const lossesBeforeFallback = 3

interface Gl {
  readonly renderer: WebGLRenderer
  readonly root: Container
  readonly below: QuadMesh
  readonly raster: RasterQuad
  readonly above: QuadMesh
}

export interface StageFrame {
  readonly list: DisplayList
  readonly palette: Uint8Array // 256 × RGBA for the list's raster (at most one)
  readonly background: string
}

export class Stage {
  readonly #host: HTMLElement
  readonly #text = document.createElement('canvas')
  #gl: Gl | undefined
  #losses = 0
  #destroyed = false
  #widthPx = 1
  #heightPx = 1
  #scale = 1
  #frame: StageFrame | undefined
  #fallbackRaster: { readonly cells: Uint8Array; readonly palette: Uint8Array; readonly image: OffscreenCanvas } | undefined

  /** `flat`: Canvas2D draws everything, for small pictures that are not worth a GL context. */
  constructor(host: HTMLElement, flat = false) {
    this.#host = host
    if (flat) this.#losses = lossesBeforeFallback
    this.#text.className = 'stage-layer'
    host.append(this.#text)
    // Pixi's housekeeping ticker would wake the page on every frame; this stage draws on demand and frees what it made itself.
    Ticker.system.autoStart = false
    Ticker.system.stop()
    void this.#start()
  }

  /** Device pixels a CSS pixel. */
  get scale(): number {
    return this.#scale
  }

  resize(widthPx: number, heightPx: number, scale: number): void {
    if (widthPx === this.#widthPx && heightPx === this.#heightPx && scale === this.#scale) return
    this.#widthPx = widthPx
    this.#heightPx = heightPx
    this.#scale = scale
    this.#text.width = Math.round(widthPx * scale)
    this.#text.height = Math.round(heightPx * scale)
    this.#text.style.width = `${widthPx}px`
    this.#text.style.height = `${heightPx}px`
    this.#gl?.renderer.resize(widthPx, heightPx, scale)
  }

  /** Draws a frame now: call it from an animation frame. It is kept, and drawn again when the GPU had to be set up anew. */
  draw(frame: StageFrame): void {
    this.#frame = frame
    const context = this.#text.getContext('2d')
    if (!context) return
    if (this.#gl) {
      paintGl(this.#gl, frame)
      paintOnTop(context, frame.list, this.#scale)
    } else if (this.#losses >= lossesBeforeFallback) this.#paintFlat(context, frame)
  }

  destroy(): void {
    this.#destroyed = true
    this.#dropGl()
    this.#text.remove()
  }

  async #start(): Promise<void> {
    if (this.#losses >= lossesBeforeFallback) {
      if (this.#frame) this.draw(this.#frame)
      return
    }
    const renderer = new WebGLRenderer<HTMLCanvasElement>()
    try {
      await renderer.init({
        width: this.#widthPx,
        height: this.#heightPx,
        resolution: this.#scale,
        autoDensity: true,
        antialias: false,
        backgroundAlpha: 1,
      })
    } catch {
      this.#losses = lossesBeforeFallback
      if (this.#frame) this.draw(this.#frame)
      return
    }
    Ticker.system.stop()
    if (this.#destroyed) return renderer.destroy(true)
    renderer.resize(this.#widthPx, this.#heightPx, this.#scale)
    renderer.canvas.className = 'stage-layer'
    renderer.canvas.addEventListener('webglcontextlost', () => this.#lost())
    this.#host.insertBefore(renderer.canvas, this.#text)
    const gl = { renderer, root: new Container(), below: new QuadMesh(), raster: new RasterQuad(), above: new QuadMesh() }
    gl.root.addChild(gl.below.mesh, gl.raster.mesh, gl.above.mesh)
    this.#gl = gl
    if (this.#frame) this.draw(this.#frame)
  }

  #lost(): void {
    this.#losses++
    this.#dropGl()
    void this.#start()
  }

  #dropGl(): void {
    const gl = this.#gl
    this.#gl = undefined
    if (!gl) return
    gl.renderer.canvas.remove()
    gl.below.destroy()
    gl.raster.destroy()
    gl.above.destroy()
    gl.renderer.destroy(true)
  }

  #paintFlat(context: CanvasRenderingContext2D, frame: StageFrame): void {
    context.setTransform(this.#scale, 0, 0, this.#scale, 0, 0)
    context.fillStyle = frame.background
    context.fillRect(0, 0, this.#widthPx, this.#heightPx)
    const rasters = new Map<Raster, CanvasImageSource>()
    for (const layer of frame.list)
      for (const item of layer.items) if (item.kind === 'raster') rasters.set(item, this.#flatRaster(item, frame.palette))
    paintAll(context, frame.list, rasters)
  }

  #flatRaster(raster: Raster, palette: Uint8Array): OffscreenCanvas {
    const kept = this.#fallbackRaster
    if (kept?.cells === raster.cells && kept.palette === palette) return kept.image
    const image = rasterImage(raster, palette)
    this.#fallbackRaster = { cells: raster.cells, palette, image }
    return image
  }
}

function paintGl(gl: Gl, { list, palette, background }: StageFrame): void {
  gl.below.builder.clear()
  gl.above.builder.clear()
  gl.raster.mesh.visible = false
  let mesh = gl.below
  for (const layer of list) {
    for (const item of layer.items) {
      if (item.kind === 'raster') {
        gl.raster.show(item, layer.clip, palette)
        mesh = gl.above
      } else mesh.builder.add(item, layer.clip)
    }
  }
  gl.below.upload()
  gl.above.upload()
  gl.renderer.render({ container: gl.root, clearColor: background })
}
