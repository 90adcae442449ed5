// What the colours mean, as data for side bar and pictures.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { BlockColor, CategoryTotals, StackShare } from '../../../preload/contract/queries.ts'
import { valuesIn } from '../../categories/present.ts'
import { type Legend, legendOf } from '../../plot/legend.ts'
import type { Tokens } from '../../theme/tokens.ts'
import type { Picture } from './blocks-data.ts'
import type { Translate } from './texts.ts'
import type { Totals } from './totals.ts'

const legendStates = ['allocated', 'rounding', 'pending', 'free'] as const
export type LegendState = (typeof legendStates)[number]

export interface StateEntry {
  readonly state: LegendState
  readonly title: string
  readonly bytes: number
}

/** The states with their bytes. Rounding loss is part of allocated and pending blocks; the other three are all that is reserved. */
export function stateLegend({ allocated, active, requested, free }: Totals, t: Translate): StateEntry[] {
  const bytes: Readonly<Record<LegendState, number>> = { allocated, rounding: active - requested, pending: active - allocated, free }
  return legendStates.map((state) => ({ state, title: t(`legend.${state}`), bytes: bytes[state] }))
}

interface ColorInput {
  readonly capture: CaptureSummary
  readonly colorBy: BlockColor
  readonly tokens: Tokens
  readonly stacks: readonly StackShare[] | undefined
  readonly held: CategoryTotals['categories'] | undefined // by category, while colours tell them
  readonly picture: Pick<Picture, 'colorBy' | 'raster'>
  readonly totals: Totals
  readonly largestBytes: number
}

/** The colours of a way to colour other than by state. */
export function colorLegend({ capture, colorBy, tokens, stacks, held, picture, totals, largestBytes }: ColorInput): Legend | undefined {
  if (colorBy === 'state') return undefined
  const top = stacks && { stacks, totalBytes: totals.allocated }
  const present = picture.colorBy === 'category' ? usedSlots(picture.raster.cells) : undefined
  return legendOf({ capture, colorBy, tokens, top, largestBytes, categories: { held, present } })
}

/** Slots of the cells in which anything is in use: bits 5–7. */
const usedSlots = (cells: Uint8Array): ReadonlySet<number> => new Set(valuesIn(cells).flatMap((cell) => (cell >= 32 ? [cell & 31] : [])))
