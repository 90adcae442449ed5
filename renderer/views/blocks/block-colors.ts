// Colours of blocks: for each way to colour, and for states. Cells, boxes, legend and exports read this one table.
import type { BlockColor } from '../../../preload/contract/queries.ts'
import { leftOutSlot, mix, parseHex, type Rgb, slotColor } from '../../theme/palette.ts'
import type { Tokens } from '../../theme/tokens.ts'

/** Slot of what the filter leaves out, in answers about blocks. */
export const leftOutBlockSlot = 31
export const allocatedSlot = 1
export const pendingSlot = 2
/** A cell that is wholly free; 0 = no memory there. */
const freeCell = 1
const fillLevels = 7
const leastFill = 0.22 // a nearly empty cell still shows its block

const allocated = '#56B4E9'
const pending = '#E69F00'
const rounding = '#CC79A7'

/** Stripes of what rounding loses. */
export const roundingColor = (): Rgb => parseHex(rounding)

/** Colour of a block's slot at full strength. */
function blockColor(tokens: Tokens, colorBy: BlockColor, slot: number): Rgb {
  if (slot === leftOutBlockSlot) return slotColor(tokens, 'stack', leftOutSlot) ?? parseHex(tokens.mark)
  if (colorBy === 'state') return parseHex(slot === pendingSlot ? pending : allocated)
  return slotColor(tokens, colorBy, slot) ?? parseHex(tokens.mark)
}

/** Colour of a block as painted: a little of the canvas shows through. */
export const paintedColor = (tokens: Tokens, colorBy: BlockColor, slot: number): Rgb =>
  mix(parseHex(tokens.canvas), blockColor(tokens, colorBy, slot), tokens.bandOpacity)

/** Colour of a cell: bits 0–4 slot, bits 5–7 how much of it is in use. undefined: no memory. */
export function cellColor(tokens: Tokens, colorBy: BlockColor, cell: number): Rgb | undefined {
  if (cell === 0) return undefined
  const canvas = parseHex(tokens.canvas)
  const level = cell >> 5
  if (cell === freeCell || level === 0) return canvas
  return mix(canvas, paintedColor(tokens, colorBy, cell & 31), Math.max(leastFill, level / fillLevels))
}

/** RGBA of all 256 cell values, the look-up table of shader and exports. */
export function blockPalette(tokens: Tokens, colorBy: BlockColor): Uint8Array<ArrayBuffer> {
  const table = new Uint8Array(256 * 4)
  for (let cell = 0; cell < 256; cell++) {
    const color = cellColor(tokens, colorBy, cell)
    if (color) table.set([...color, 255], cell * 4)
  }
  return table
}
