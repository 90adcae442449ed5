// What a picture consists of, independent of who paints it: WebGL on screen, Canvas2D for PNG, or SVG. Coordinates are CSS pixels of
// the whole picture, y downwards. All strokes are axis-aligned (step curves, rules, outlines), so a stroke is a run of boxes.
import { monoFont, uiFont } from '../theme/fonts.ts'
import type { Rgb } from '../theme/palette.ts'

export interface Box {
  readonly kind: 'box'
  readonly xPx: number
  readonly yPx: number
  readonly widthPx: number
  readonly heightPx: number
  readonly color: Rgb
  readonly alpha: number
}

/** Axis-aligned polyline: x, y pairs. NaN lifts the pen. Ends reach half a width past their points, except those of dashes and `butt` paths. */
export interface StepPath {
  readonly kind: 'path'
  readonly points: readonly number[]
  readonly color: Rgb
  readonly alpha: number
  readonly widthPx: number
  readonly dashPx?: readonly [on: number, off: number]
  readonly butt?: boolean
}

export interface Triangle {
  readonly kind: 'triangle'
  readonly points: readonly [number, number, number, number, number, number]
  readonly color: Rgb
  readonly alpha: number
}

/** A filled circle. */
export interface Disc {
  readonly kind: 'disc'
  readonly xPx: number
  readonly yPx: number
  readonly radiusPx: number
  readonly color: Rgb
}

/** Slanted hatching that fills a rectangle. */
export interface Hatch {
  readonly kind: 'hatch'
  readonly xPx: number
  readonly yPx: number
  readonly widthPx: number
  readonly heightPx: number
  readonly color: Rgb
}

export interface Raster {
  readonly kind: 'raster'
  readonly xPx: number
  readonly yPx: number
  readonly widthPx: number
  readonly heightPx: number
  readonly columns: number
  readonly rows: number
  readonly cells: Uint8Array // column-major, row 0 at the bottom
}

export interface TextSpan {
  readonly text: string
  readonly strong?: boolean
  readonly mono?: boolean // addresses
  readonly color?: Rgb
  readonly sizePx?: number // where it differs from its line's
}

export interface TextItem {
  readonly kind: 'text'
  readonly xPx: number
  readonly yPx: number // middle of the line
  readonly spans: readonly TextSpan[]
  readonly sizePx: number
  readonly align: 'left' | 'center' | 'right'
  readonly color: Rgb
  readonly halo?: Rgb // canvas-coloured edge for text over bands and lines
}

export type Item = Box | StepPath | Triangle | Disc | Hatch | Raster | TextItem

/** Items of one layer, cut to a rectangle. Layers are painted in order. */
export interface Layer {
  readonly clip: Frame
  readonly items: readonly Item[]
}

export interface Frame {
  readonly xPx: number
  readonly yPx: number
  readonly widthPx: number
  readonly heightPx: number
}

export type DisplayList = readonly Layer[]

/** Width of a text in CSS pixels: the painter's own measure, so that what fits on screen fits in the export. */
export type Measure = (text: string, sizePx: number, strong: boolean, mono?: boolean) => number

/** Width of a line in CSS pixels. */
export const widthOf = ({ spans, sizePx }: Pick<TextItem, 'spans' | 'sizePx'>, measure: Measure): number =>
  spans.reduce((sum, span) => sum + measure(span.text, span.sizePx ?? sizePx, span.strong ?? false, span.mono), 0)

/** How far the middle of a line of Latin text lies above its baseline, in em. */
export const middleAboveBaseline = 0.35

/** CSS font shorthand of a text. */
export const fontOf = (sizePx: number, strong: boolean, mono = false): string =>
  `${strong ? 600 : 400} ${sizePx}px ${mono ? monoFont : uiFont}`
