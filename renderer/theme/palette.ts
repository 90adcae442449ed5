// Colours of the raster's slots (0–63) for each way to colour, in both themes. Cells, legend, labels and exports read this one table.
import { interpolateViridis } from 'd3-scale-chromatic'
import type { ColorBy } from '../../preload/contract/queries.ts'
import type { Tokens } from './tokens.ts'

export type Rgb = readonly [red: number, green: number, blue: number] // 0–255

const slotCount = 64
/** Slot of allocations without any frame, under colour by stack. */
export const noFramesSlot = 25
/** Slot of what the filter leaves out: it steps back, whatever the colours mean. */
export const leftOutSlot = 63
const hueCount = 12
const alternateShade = 0.06
const recession = { dark: 0.3, light: 0.4 } // how far hues 13–24 step back towards the canvas
const leftOutStrength = 0.3 // of grey on the canvas
const separatorStrength = 0.6
const dimming = 0.8 // how far slots step back to the canvas while others are emphasised

// Okabe–Ito (without its yellow, which marks the selection), then hues of Paul Tol's "muted" set, lightness adjusted so that each
// keeps 3 : 1 against either canvas. Neighbours in this order differ in lightness as well, for colour-deficient eyes and for print.
const hues: readonly string[] = [
  '#0072B2',
  '#E69F00',
  '#009E73',
  '#CC79A7',
  '#56B4E9',
  '#D55E00',
  '#8F6FD1',
  '#999933',
  '#CC6677',
  '#3DA79B',
  '#AA4499',
  '#A1714B',
]
const noFrames = '#8E9196'

/** '#RRGGBB' → numbers. */
export function parseHex(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1, 7), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

export const cssColor = ([red, green, blue]: Rgb): string => `#${((1 << 24) | (red << 16) | (green << 8) | blue).toString(16).slice(1)}`

/** Straight mix in sRGB: share 0 = a, 1 = b. */
export function mix(a: Rgb, b: Rgb, share: number): Rgb {
  const blend = (x: number, y: number) => Math.round(x + (y - x) * share)
  return [blend(a[0], b[0]), blend(a[1], b[1]), blend(a[2], b[2])]
}

/** WCAG relative luminance, 0–1. */
export function luminance([red, green, blue]: Rgb): number {
  const linear = (channel: number) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** WCAG contrast ratio of two colours, 1–21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

function viridis(share: number): Rgb {
  return parseHex(interpolateViridis(0.1 + 0.9 * share))
}

function hueOfSlot(slot: number, tokens: Tokens): Rgb {
  const hue = parseHex(hues[(slot - 1) % hueCount] ?? noFrames)
  if (slot <= hueCount) return hue
  return mix(hue, parseHex(tokens.canvas), recession[tokens.name])
}

/** Full-strength colour of a slot, as swatches show it; undefined for slot 0 (nothing there). */
export function slotColor(tokens: Tokens, colorBy: ColorBy, slot: number): Rgb | undefined {
  if (slot <= 0 || slot >= slotCount) return undefined
  if (slot === leftOutSlot) return mix(parseHex(tokens.canvas), parseHex(noFrames), leftOutStrength)
  if (colorBy === 'size' || colorBy === 'age') return viridis(Math.min(slot - 1, 31) / 31)
  if (colorBy === 'category') return parseHex(tokens.categories[slot - 1] ?? noFrames)
  return slot >= noFramesSlot ? parseHex(noFrames) : hueOfSlot(slot, tokens)
}

/** Slots that stand out while all others step back; undefined: none does. */
export type Emphasised = ReadonlySet<number> | undefined

/** Colour of a raster cell as painted: bits 0–5 slot, bit 6 alternate shade, bit 7 separator between bands. */
export function cellColor(tokens: Tokens, colorBy: ColorBy, cell: number, emphasised?: Emphasised): Rgb | undefined {
  const base = slotColor(tokens, colorBy, cell & 63)
  if (!base) return undefined
  const canvas = parseHex(tokens.canvas)
  const shade: Rgb = tokens.name === 'dark' ? [0, 0, 0] : [255, 255, 255]
  const alternated = cell & 64 ? mix(base, shade, alternateShade * 2) : base
  const isDimmed = emphasised !== undefined && !emphasised.has(cell & 63)
  const painted = mix(canvas, alternated, tokens.bandOpacity * (isDimmed ? 1 - dimming : 1))
  return cell & 128 ? mix(painted, canvas, separatorStrength) : painted
}

/** RGBA of all 256 cell values (alpha 0 where nothing is), the look-up table of shader and exports. */
export function cellPalette(tokens: Tokens, colorBy: ColorBy, emphasised?: Emphasised): Uint8Array<ArrayBuffer> {
  const table = new Uint8Array(256 * 4)
  for (let cell = 0; cell < 256; cell++) {
    const color = cellColor(tokens, colorBy, cell, emphasised)
    if (color) table.set([...color, 255], cell * 4)
  }
  return table
}

/** Text colour that reads best on a filled band: the theme's ink or its opposite. */
export function inkOn(fill: Rgb): 'light' | 'dark' {
  return contrast(fill, [255, 255, 255]) >= contrast(fill, [22, 24, 28]) ? 'light' : 'dark'
}

export const isHeat = (colorBy: ColorBy): boolean => colorBy === 'size' || colorBy === 'age'
