// Colours of the parts of reserved memory; allocated and pending are those of the block map.

import type { Line, Part } from '../../space/measures.ts'
import { mix, parseHex, type Rgb } from '../../theme/palette.ts'
import type { Tokens } from '../../theme/tokens.ts'

const hues: Readonly<Record<Part, string>> = { allocated: '#56B4E9', pending: '#E69F00', stranded: '#D55E00', returnable: '#009E73' }
const strength: Readonly<Record<Part, number>> = { allocated: 0.62, pending: 0.9, stranded: 0.6, returnable: 0.5 }
const dimming = 0.75 // how far parts step back to the canvas while another is emphasised

/** Colour of a part as painted. */
export function partColor(tokens: Tokens, part: Part, emphasis?: Part | Line): Rgb {
  const isDimmed = emphasis !== undefined && emphasis !== part
  return mix(parseHex(tokens.canvas), parseHex(hues[part]), strength[part] * (isDimmed ? 1 - dimming : 1))
}

/** Full-strength colour of a part, for bars and edges. */
export const partHue = (part: Part): Rgb => parseHex(hues[part])

/** Dashes of the lines, in the picture and in its legend. */
export const lineDash: Readonly<Record<Line, readonly [on: number, off: number]>> = { largestFree: [6, 3], inactiveSplit: [1.5, 3] }
