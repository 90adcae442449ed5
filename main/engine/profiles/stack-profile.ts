// Stacks with weights, as the formats of other tools take them.
import type { ProfileValueType } from '../../../preload/contract/capture.ts'
import { categoryNames } from '../../../preload/contract/categories.ts'
import { meaningOf } from '../../../preload/contract/profile-units.ts'
import type { FlameMeasure, FlameTree, FlameUnit } from '../../../preload/contract/queries.ts'

export type ProfileFrame = Pick<FlameTree['frames'][number], 'name' | 'filename' | 'line'>

export interface StackSample {
  /** As the graph is drawn: first what is next to the root. */
  readonly frames: readonly ProfileFrame[]
  /** A whole number, as `base`, unless the profile says otherwise. */
  readonly value: number
  /** Of two moments: what it weighed at the first (growth: by how much it shrank). */
  readonly base: number
}

export interface StackProfile {
  /** Says what is weighed, and of which capture. */
  readonly name: string
  readonly unit: string
  /** The name that pprof gives what is weighed. */
  readonly type: string
  /** Whether `base` says anything. */
  readonly isDifference: boolean
  /** True where the root's children are the innermost frames. */
  readonly isInverted: boolean
  readonly samples: readonly StackSample[]
}

/** Stands in for the frames of what has no stack, so that its weight is not lost; the category, which a profile has not, tells what is known of it. */
export const noStack = (category?: string): ProfileFrame => ({
  name: category === undefined ? '(no stack)' : `(no stack) ${category}`,
  filename: '',
  line: 0,
})

/** Sums of fractions are not exact: of these digits they are. */
const sureDigits = 12

/**
 * One sample a node at which weight ends: its own, and that of children which the answer left out. Weights are divided by `unitSize` and
 * whole numbers then, unless they may have `fractions`; what comes to nothing has no sample.
 */
export function samplesOf(tree: FlameTree, unitSize = 1, fractions = false): StackSample[] {
  const value = Float64Array.from(tree.total)
  const base = Float64Array.from(tree.baseTotal)
  for (const [row, parent] of tree.parent.entries()) {
    if (parent < 0) continue
    value[parent] = (value[parent] ?? 0) - (tree.total[row] ?? 0)
    base[parent] = (base[parent] ?? 0) - (tree.baseTotal[row] ?? 0)
  }
  const least = Math.max(tree.total[0] ?? 0, tree.baseTotal[0] ?? 0) / 10 ** sureDigits
  const rounded = (weight: number) => (fractions ? (weight < least ? 0 : Number(weight.toPrecision(sureDigits))) : Math.round(weight))
  const whole = (weight = 0) => Math.max(0, rounded(weight / unitSize)) // sums of large numbers are not exact
  return [...tree.node.keys()].flatMap((row) => {
    const weights = { value: whole(value[row]), base: whole(base[row]) }
    return weights.value > 0 || weights.base > 0 ? [{ frames: framesOf(tree, row), ...weights }] : []
  })
}

function framesOf({ parent, frame, bare, frames }: FlameTree, row: number): ProfileFrame[] {
  const path: ProfileFrame[] = []
  for (let at = row; (parent[at] ?? -1) >= 0; at = parent[at] ?? -1) {
    path.push(frames[frame[at] ?? -1] ?? noStack(categoryNames[(bare[at] ?? 0) - 1]))
  }
  return path.reverse()
}

/** What the numbers of an answer are in a file of another tool. */
export interface WeighedIn {
  readonly unit: string
  readonly type: string
  /** How many of the answer's own units one of them is. */
  readonly size: number
}

/** Of a value type of a profile that was read: bytes and nanoseconds, whatever larger unit the file had; all else as it is. */
export function unitOfValueType({ name, unit }: ProfileValueType): WeighedIn {
  const { kind, size } = meaningOf(unit)
  const word = kind === 'bytes' ? 'bytes' : kind === 'time' ? 'nanoseconds' : unit || 'count'
  return { unit: word, type: name || 'samples', size: 1 / size }
}

/**
 * What the numbers of a measure are, and how many of the answer's own units one of them is: the 64-bit numbers of other tools cannot hold
 * bytes × nanoseconds (10 GB for a second come to more), but bytes × milliseconds.
 */
export function unitOf(measure: FlameMeasure, unit: FlameUnit, hasTimes: boolean): WeighedIn {
  const type =
    measure === 'area' ? 'space_time' : `${measure === 'allocated' ? 'alloc' : 'inuse'}_${unit === 'bytes' ? 'space' : 'objects'}`
  if (measure !== 'area') return { unit, type, size: 1 }
  if (!hasTimes) return { unit: unit === 'bytes' ? 'byte-events' : 'count-events', type, size: 1 }
  return unit === 'bytes' ? { unit: 'byte-milliseconds', type, size: 1e6 } : { unit: 'count-nanoseconds', type, size: 1 }
}

/** "name (file:line)"; the name alone where the frame has no file. */
export const frameText = ({ name, filename, line }: ProfileFrame): string =>
  filename === '' ? name : `${name} (${line > 0 ? `${filename}:${line}` : filename})`
