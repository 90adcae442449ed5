// What forms and colours mean, as data for side bar and finished pictures.
import { categoryOfSlot } from '../../categories/words.ts'
import { stackTitle } from '../../plot/legend.ts'
import { mix, parseHex, type Rgb } from '../../theme/palette.ts'
import type { Tokens } from '../../theme/tokens.ts'
import { barColor } from './draw-bars.ts'
import { tellsAlive } from './heat.ts'
import { type Bars, orElse } from './lanes.ts'
import type { PlacedBars, PlacedHeat } from './lifetimes-data.ts'
import type { LifetimesKey, Translate } from './texts.ts'
import { byAddress } from './y-axis.ts'

export type Form = 'reserved' | 'notReserved' | 'pendingCell' | 'made' | 'active' | 'idle' | 'pending' | 'freed' | 'alive' | 'before'

export interface FormEntry {
  readonly form: Form
  readonly text: string
}

const entry = (form: Form, key: LifetimesKey, t: Translate): FormEntry => ({ form, text: t(key) })

/** Forms of the heat map; memory is reserved only where rows are addresses. */
export const heatForms = ({ order, measure }: Pick<PlacedHeat, 'order' | 'measure'>, t: Translate): FormEntry[] => [
  ...(byAddress(order)
    ? [entry('reserved', tellsAlive(measure) ? 'state.reserved' : 'state.reservedOnly', t), entry('notReserved', 'state.notReserved', t)]
    : []),
  entry('pendingCell', 'state.mostlyPending', t),
]

/** Forms of single lifetimes. */
export const singleForms = (t: Translate): FormEntry[] => [
  entry('made', 'state.made', t),
  entry('active', 'state.active', t),
  entry('idle', 'state.idle', t),
  entry('pending', 'state.pending', t),
  entry('freed', 'state.freed', t),
  entry('alive', 'state.aliveAtEnd', t),
  entry('before', 'state.before', t),
]

/** A colour of bars: a stack, or a category. */
export interface ColorEntry {
  readonly key: string
  readonly color: Rgb // as its bars are painted
  readonly title: string // "name file:line", or the category's name
  readonly bytes: number // of its allocations in sight
  readonly count: number
}

/** The stacks or categories whose bars are in sight, those with most bytes × life in sight first. */
export function colorEntries({ data, range, colorBy }: Pick<PlacedBars, 'data' | 'range' | 'colorBy'>, tokens: Tokens): ColorEntry[] {
  const found = new Map<string, ColorEntry & { readonly area: number }>()
  for (const [index, bytes] of data.bytes.entries()) {
    const slot = data.slot[index] ?? 0
    const category = colorBy === 'category' ? categoryOfSlot(slot) : undefined
    const title = category ?? stackTitle(data.titles[index] ?? '')
    const key = `${slot} ${title}`
    const known = found.get(key)
    found.set(key, {
      key,
      title,
      color: known?.color ?? barColor(tokens, colorBy, slot),
      bytes: (known?.bytes ?? 0) + bytes,
      count: (known?.count ?? 0) + 1,
      area: (known?.area ?? 0) + bytes * lifeInside(data, index, range),
    })
  }
  return [...found.values()].sort((a, b) => b.area - a.area)
}

function lifeInside({ start, freeRequested }: Bars, index: number, { x0, x1 }: PlacedBars['range']): number {
  const from = Math.max(orElse(start[index], x0), x0)
  return Math.max(0, Math.min(orElse(freeRequested[index], x1), x1) - from)
}

/** Neutral colour of the forms: states are told by their pattern, colours are of stacks or categories. Its marks stand out from it. */
export const formColor = (tokens: Tokens): Rgb => mix(parseHex(tokens.canvas), parseHex(tokens.t3), 0.7)
