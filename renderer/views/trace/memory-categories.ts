// The memory timeline of PyTorch's profiler: a counter of bytes by category (native/TRACES.md), shown as one stack. Its words and colours.
import type { TraceTrack } from '../../../preload/contract/queries.ts'
import { parseHex, type Rgb } from '../../theme/palette.ts'
import type { Tokens } from '../../theme/tokens.ts'

/** From the bottom of the stack to its top: the order of PyTorch's numbers. */
export const memoryCategories = [
  'parameter',
  'optimizer_state',
  'input',
  'temporary',
  'activation',
  'gradient',
  'autograd_detail',
  'unknown',
] as const
export type MemoryCategory = (typeof memoryCategories)[number]

const counterName = 'Memory by category'

// Okabe–Ito, close to the colours of PyTorch's own picture. Black needs another one on a dark canvas.
const hues: Readonly<Record<MemoryCategory, string | Readonly<Record<Tokens['name'], string>>>> = {
  parameter: '#009E73',
  optimizer_state: '#E69F00',
  input: { light: '#000000', dark: '#E8E8E8' },
  temporary: '#CC79A7',
  activation: '#D55E00',
  gradient: '#0072B2',
  autograd_detail: '#56B4E9',
  unknown: '#999999',
}

/** The category that a series stands for; undefined where it is none. */
export const categoryOf = (name: string): MemoryCategory | undefined => memoryCategories.find((category) => category === name)

/** True for the counter of a memory timeline: every series is a category, and all have their samples at the same times. */
export function isMemoryTimeline({ kind, name, series }: Pick<TraceTrack, 'kind' | 'name' | 'series'>): boolean {
  if (kind !== 'counter' || name !== counterName) return false
  return series.length > 0 && series.every((each) => categoryOf(each.name) !== undefined && each.sampleCount === series[0]?.sampleCount)
}

/** Colour of a category in a theme. */
export function categoryColor(tokens: Pick<Tokens, 'name'>, category: MemoryCategory): Rgb {
  const hue = hues[category]
  return parseHex(typeof hue === 'string' ? hue : hue[tokens.name])
}
