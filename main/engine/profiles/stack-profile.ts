// Stacks with weights, as the formats of other tools take them.
import type { FlameMeasure, FlameTree, FlameUnit } from '../../../preload/contract/queries.ts'

export type ProfileFrame = Pick<FlameTree['frames'][number], 'name' | 'filename' | 'line'>

export interface StackSample {
  /** As the graph is drawn: first what is next to the root. */
  readonly frames: readonly ProfileFrame[]
  readonly value: number
  /** Of two moments: what it weighed at the first (growth: by how much it shrank). */
  readonly base: number
}

export interface StackProfile {
  /** Says what is weighed, and of which capture. */
  readonly name: string
  readonly unit: FlameUnit | 'byte-nanoseconds' | 'count-nanoseconds' | 'byte-events' | 'count-events'
  /** Whether `base` says anything. */
  readonly isDifference: boolean
  /** True where the root's children are the innermost frames. */
  readonly isInverted: boolean
  readonly samples: readonly StackSample[]
}

/** Stands in for the frames of what has no stack, so that its weight is not lost. */
export const noStack: ProfileFrame = { name: '(no stack)', filename: '', line: 0 }

/** One sample a node at which weight ends: its own, and that of children which the answer left out. */
export function samplesOf(tree: FlameTree): StackSample[] {
  const rows = [...tree.node.keys()]
  const value = Float64Array.from(tree.total)
  const base = Float64Array.from(tree.baseTotal)
  for (const row of rows) {
    const parent = tree.parent[row] ?? -1
    if (parent < 0) continue
    value[parent] = (value[parent] ?? 0) - (tree.total[row] ?? 0)
    base[parent] = (base[parent] ?? 0) - (tree.baseTotal[row] ?? 0)
  }
  const paths: ProfileFrame[][] = []
  for (const row of rows) {
    const above = paths[tree.parent[row] ?? -1]
    paths.push(above === undefined ? [] : [...above, tree.frames[tree.frame[row] ?? -1] ?? noStack])
  }
  return rows.flatMap((row) => {
    const sample = { frames: paths[row] ?? [], value: value[row] ?? 0, base: base[row] ?? 0 }
    return sample.value > 0 || sample.base > 0 ? [sample] : []
  })
}

/** What the numbers of a measure are. */
export function unitOf(measure: FlameMeasure, unit: FlameUnit, hasTimes: boolean): StackProfile['unit'] {
  if (measure !== 'area') return unit
  return `${unit === 'bytes' ? 'byte' : 'count'}-${hasTimes ? 'nanoseconds' : 'events'}`
}

/** "name (file:line)"; the name alone where the frame has no file. */
export const frameText = ({ name, filename, line }: ProfileFrame): string =>
  filename === '' ? name : `${name} (${line > 0 ? `${filename}:${line}` : filename})`

/** Weights as whole numbers: times are not always. */
export const whole = (weight: number): number => Math.round(weight)
