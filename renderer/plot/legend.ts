// What the colours mean, as data for side bar, tables and exported pictures.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import {
  type AllocationRow,
  type Category,
  type CategoryTotals,
  type ColorBy,
  categoryNames,
  type StackShare,
} from '../../preload/contract/queries.ts'
import { counted, formatBytes, formatTime } from '../i18n/format.ts'
import { plotText } from '../i18n/part-texts.ts'
import { noFramesSlot, type Rgb, slotColor } from '../theme/palette.ts'
import type { Tokens } from '../theme/tokens.ts'
import type { TopStacks } from './placed.ts'

export interface Swatch {
  readonly key: string
  readonly slots: readonly number[] // whose bands it stands for
  readonly color: Rgb
  readonly title: string
  readonly place: string
  readonly count: number | undefined
  readonly bytes: number | undefined
  readonly isElsewhere?: boolean // large in sight, not at the moment that the legend is of
}

export type Legend =
  | { readonly kind: 'swatches'; readonly swatches: readonly Swatch[]; readonly more: number /* names left out */ }
  | {
      readonly kind: 'scale'
      readonly steps: readonly Rgb[]
      readonly labels: readonly { readonly share: number; readonly text: string }[]
    }

export interface LegendInput {
  readonly capture: CaptureSummary
  readonly colorBy: ColorBy
  readonly tokens: Tokens
  readonly top: Pick<TopStacks, 'stacks' | 'totalBytes'> | undefined
  readonly elsewhere?: readonly StackShare[] // further stacks that are large in sight
  readonly largestBytes: number // no allocation is larger
  readonly categories?: LegendCategories
}

/** What a legend tells of categories; without it all of them. */
export interface LegendCategories {
  readonly held: CategoryTotals['categories'] | undefined // at the moment that the legend is of
  readonly present: ReadonlySet<number> | undefined // slots in the picture
}

const slotsOfStreams = 24
const firstSizePower = 9 // slot 1: up to 1 KiB − 1
const heatSlots = 32

/** The legend of a way to colour. */
export function legendOf(input: LegendInput): Legend {
  if (input.colorBy === 'stack') return { kind: 'swatches', swatches: stackSwatches(input), more: 0 }
  if (input.colorBy === 'stream') return listed(input, input.capture.streams, streamTitle)
  if (input.colorBy === 'pool') return listed(input, input.capture.pools, poolTitle)
  if (input.colorBy === 'category') return { kind: 'swatches', swatches: categorySwatches(input), more: 0 }
  return input.colorBy === 'size' ? sizeScale(input) : ageScale(input)
}

/** What a stack is called: its innermost telling frame, or that it has none. In a trace that is also what it held before it began. */
export const stackTitle = (title: string, isTrace = false): string =>
  title === '' ? plotText(isTrace ? 'heldBeforeOrNoFrames' : 'noPythonFrames') : title

/** What an allocation is called: as its stack, or, in a trace (which knows no streams), that it was there before the profile began. */
export const allocationTitle = ({ title, allocEvent, stream }: Pick<AllocationRow, 'title' | 'allocEvent' | 'stream'>): string =>
  title === '' && allocEvent === null && stream === '' ? plotText('heldBefore') : stackTitle(title)

/** A stream's handle; 0 is the default stream. A trace knows none. */
export function streamTitle(name: string): string {
  if (name === '') return plotText('notRecorded')
  return name === '0' || name === '0x0' ? plotText('streamDefault', { name: '0' }) : name
}

/** A pool's id; (0, 0) is the default pool. A trace knows none. */
export function poolTitle(name: string): string {
  if (name === '') return plotText('notRecorded')
  return name.replaceAll(' ', '') === '(0,0)' ? plotText('poolDefault') : name
}

function stackSwatches({ capture, top, elsewhere = [], tokens }: LegendInput): Swatch[] {
  if (!top) return []
  const { stacks, totalBytes } = top
  const swatch = (stack: StackShare): Swatch => ({
    key: String(stack.stackId),
    slots: [stack.slot],
    color: slotColor(tokens, 'stack', stack.slot) ?? [0, 0, 0],
    title: stackTitle(stack.title, capture.trace !== null),
    place: stack.place,
    count: stack.count,
    bytes: stack.bytes,
  })
  const further = elsewhere.map((stack): Swatch => ({ ...swatch(stack), count: undefined, bytes: undefined, isElsewhere: true }))
  const shown = stacks.map(swatch)
  const rest = totalBytes - stacks.reduce((sum, { bytes }) => sum + bytes, 0)
  if (rest <= 0 || stacks.length === 0) return [...shown, ...further]
  const color = slotColor(tokens, 'stack', noFramesSlot - 1) ?? [0, 0, 0]
  const listed = new Set([...stacks, ...elsewhere].map(({ slot }) => slot))
  const slots = Array.from({ length: noFramesSlot }, (_, index) => index + 1).filter((slot) => !listed.has(slot))
  return [...shown, { key: 'rest', slots, color, title: plotText('otherStacks'), place: '', count: undefined, bytes: rest }, ...further]
}

/** The categories that the picture shows or that hold memory at the moment. */
function categorySwatches({ tokens, categories }: LegendInput): Swatch[] {
  return categoryNames.flatMap((name, index): Swatch[] => {
    const slot = index + 1
    const held = categories?.held?.find(({ category }) => category === name)
    if (categories && !held && !categories.present?.has(slot)) return []
    return [categorySwatch(name, tokens, { count: held?.count, bytes: categories?.held && (held?.bytes ?? 0) })]
  })
}

/** A category as a colour of a legend. */
export function categorySwatch(category: Category, tokens: Tokens, numbers: Pick<Swatch, 'count' | 'bytes'>): Swatch {
  const slot = categoryNames.indexOf(category) + 1
  const color = slotColor(tokens, 'category', slot) ?? [0, 0, 0]
  return { key: category, slots: [slot], color, title: plotText(`category.${category}`), place: '', ...numbers }
}

function listed({ colorBy, tokens }: LegendInput, names: readonly string[], title: (name: string) => string): Legend {
  const swatches = names.slice(0, slotsOfStreams).map(
    (name, index): Swatch => ({
      key: name,
      slots: [1 + index],
      color: slotColor(tokens, colorBy, 1 + index) ?? [0, 0, 0],
      title: title(name),
      place: '',
      count: undefined,
      bytes: undefined,
    }),
  )
  return { kind: 'swatches', swatches, more: names.length - swatches.length }
}

function sizeScale({ tokens, largestBytes }: LegendInput): Legend {
  const slots = Math.min(heatSlots, Math.max(8, Math.floor(Math.log2(Math.max(largestBytes, 512))) - firstSizePower + 2))
  return scale(tokens, 'size', slots, (slot) => formatBytes(2 ** (slot - 1 + firstSizePower)))
}

function ageScale({ tokens, capture }: LegendInput): Legend {
  const longest = capture.hasTimes ? (capture.durationNs ?? 0) / 1000 : capture.eventCount
  const slots = Math.min(heatSlots, Math.max(8, Math.floor(Math.log2(1 + longest)) + 1))
  const text = (slot: number): string => {
    const age = 2 ** (slot - 1) - 1
    return capture.hasTimes ? formatTime(age * 1000) : plotText('ageEvents', counted(age))
  }
  return scale(tokens, 'age', slots, text)
}

function scale(tokens: Tokens, colorBy: ColorBy, slots: number, text: (slot: number) => string): Legend {
  const steps = Array.from({ length: slots }, (_, index) => slotColor(tokens, colorBy, index + 1) ?? ([0, 0, 0] as const))
  const middle = Math.round(slots / 2)
  const labels = [1, middle, slots].map((slot) => ({ share: (slot - 1) / slots, text: text(slot) }))
  return { kind: 'scale', steps, labels }
}
