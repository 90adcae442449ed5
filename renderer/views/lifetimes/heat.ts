// What the heat map's cells mean: colours of the levels in both themes, and the values behind them.
import { interpolateViridis } from 'd3-scale-chromatic'
import type { LevelScale, LifetimeMeasure, LifetimeOrder } from '../../../preload/contract/queries.ts'
import { mix, parseHex, type Rgb } from '../../theme/palette.ts'
import type { Tokens } from '../../theme/tokens.ts'
import { byAddress } from './y-axis.ts'

const levelBits = 63
export const pendingBit = 64
/** Set by the window on diagonals of cells that are mostly pending, so that they are told apart without hue. */
const stripeBit = 128
const firstLevel = 2
const lastLevel = 63
const stripePeriod = 6 // cells
const reservedStrength = 0.22 // of the mark colour on the canvas
const pendingStrength = 0.55 // of the level's colour
const logDecades = 6

/** Memory that is reserved while nothing in it is alive. */
export const reservedColor = (tokens: Tokens): Rgb => mix(parseHex(tokens.canvas), parseHex(tokens.mark), reservedStrength)

/** Colour at a share (0–1) of the scale: what is least lies nearest to the canvas, bright on the light one and dark on the dark one. */
export const heatColor = ({ name }: Tokens, share: number): Rgb =>
  parseHex(interpolateViridis(name === 'dark' ? 0.1 + 0.9 * share : 0.95 - 0.9 * share))

/** Share of the scale at which a level's middle lies. */
const shareOfLevel = (level: number): number => (level - firstLevel + 0.5) / (lastLevel - firstLevel + 1)

/** Colour of a cell as painted; undefined where nothing is. */
export function cellColor(tokens: Tokens, cell: number): Rgb | undefined {
  const level = cell & levelBits
  if (level === 0 && !(cell & pendingBit)) return undefined
  const canvas = parseHex(tokens.canvas)
  const base = level < firstLevel ? reservedColor(tokens) : heatColor(tokens, shareOfLevel(level))
  if (!(cell & pendingBit)) return base
  return cell & stripeBit ? canvas : mix(canvas, base, pendingStrength)
}

function paletteBy(colorOf: (cell: number) => Rgb | undefined): Uint8Array<ArrayBuffer> {
  const table = new Uint8Array(256 * 4)
  for (let cell = 0; cell < 256; cell++) {
    const color = colorOf(cell)
    if (color) table.set([...color, 255], cell * 4)
  }
  return table
}

/** RGBA of all cell values (alpha 0 where nothing is). */
export const heatPalette = (tokens: Tokens): Uint8Array<ArrayBuffer> => paletteBy((cell) => cellColor(tokens, cell))

/** The same while single lifetimes are drawn: what is reserved stays as their ground, levels say nothing. */
export const groundPalette = (tokens: Tokens): Uint8Array<ArrayBuffer> =>
  paletteBy((cell) => (cell & (levelBits | pendingBit) ? reservedColor(tokens) : undefined))

/** The cells with the stripe bit on diagonals of those that are mostly pending; the same array when there are none. */
export function withStripes(cells: Uint8Array<ArrayBuffer>, rows: number): Uint8Array<ArrayBuffer> {
  if (!cells.some((cell) => cell & pendingBit)) return cells
  return cells.map((cell, at) => {
    const [column, row] = [Math.floor(at / rows), at % rows]
    return cell & pendingBit && (column + stripePeriod * rows - row) % stripePeriod < 2 ? cell | stripeBit : cell
  })
}

/** True when a cell without a value means that nothing is alive there; for other measures something may well be. */
export const tellsAlive = (measure: LifetimeMeasure): boolean => measure === 'bytes' || measure === 'age'

/** The scale that suits what cells show: shares of addresses and ages are spread evenly, other values differ by powers of ten. */
export const naturalScale = (measure: LifetimeMeasure, order: LifetimeOrder): LevelScale =>
  measure === 'age' || isPerAddress(measure, order) ? 'linear' : 'sqrt'

/** Share of the largest value at a share of the scale. */
export function valueAt(scale: LevelScale, share: number): number {
  if (scale === 'linear') return share
  return scale === 'sqrt' ? share * share : 10 ** (logDecades * (share - 1))
}

/** The value in the middle of a cell's level, as a share of the largest; undefined where nothing is alive. */
export function valueOfCell(scale: LevelScale, cell: number): number | undefined {
  const level = cell & levelBits
  return level < firstLevel ? undefined : valueAt(scale, shareOfLevel(level))
}

/** True when values are shares of a stretch of addresses, so that rows of different heights stay comparable. */
export const isPerAddress = (measure: LifetimeMeasure, order: LifetimeOrder): boolean => measure === 'bytes' && byAddress(order)
