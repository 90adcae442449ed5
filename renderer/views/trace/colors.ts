// Colours of cells and boxes. A cell is the slot of the slice that covers most of its column, and in two bits above it how much of the
// column is covered.
import { cellColor, cssColor, leftOutSlot, mix, parseHex, type Rgb, slotColor } from '../../theme/palette.ts'
import type { Tokens } from '../../theme/tokens.ts'

const levels = 4
const levelShift = 6
const slotMask = 63
/** Strength of a cell by its level. */
const strengths = [0.5, 0.68, 0.84, 1] as const

type Emphasised = ReadonlySet<number> | undefined

/** The cell of a slot that covers so much of its column (1–255); 0 where nothing is. */
export function cellOf(slot: number, fill: number): number {
  return slot === 0 ? 0 : slot | (Math.min(levels - 1, fill >> levelShift) << levelShift)
}

const colors = new WeakMap<Tokens, Map<string, readonly (Rgb | undefined)[]>>()

const keyOf = (emphasised: Emphasised): string => (emphasised ? [...emphasised].join() : '')

/** Colours of the slots as boxes are filled; undefined for 0. Kept between frames. */
export function fillColors(tokens: Tokens, emphasised: Emphasised): readonly (Rgb | undefined)[] {
  const known = colors.get(tokens) ?? new Map<string, readonly (Rgb | undefined)[]>()
  colors.set(tokens, known)
  const key = keyOf(emphasised)
  const kept = known.get(key)
  if (kept) return kept
  const made = Array.from({ length: slotMask + 1 }, (_, slot) => cellColor(tokens, 'stack', slot, emphasised))
  if (known.size > 50) known.clear()
  known.set(key, made)
  return made
}

const palettes = new Map<string, Uint8Array<ArrayBuffer>>()

/** RGBA of all 256 cells; the same object while theme and emphasis stay, so that the GPU keeps its copy. */
export function tracePalette(tokens: Tokens, emphasised: Emphasised): Uint8Array<ArrayBuffer> {
  const key = `${tokens.name} ${keyOf(emphasised)}`
  const kept = palettes.get(key)
  if (kept) return kept
  const canvas = parseHex(tokens.canvas)
  const fills = fillColors(tokens, emphasised)
  const table = new Uint8Array(256 * 4)
  for (let cell = 0; cell < 256; cell++) {
    const color = fills[cell & slotMask]
    if (color) table.set([...mix(canvas, color, strengths[cell >> levelShift] ?? 1), 255], cell * 4)
  }
  if (palettes.size > 50) palettes.clear()
  palettes.set(key, table)
  return table
}

/** What a swatch of a slot shows, as CSS. */
export function swatchColor(tokens: Tokens, slot: number): string {
  return cssColor(slotColor(tokens, 'stack', slot) ?? parseHex(tokens.canvas))
}

export { leftOutSlot }
