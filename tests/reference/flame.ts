// Flame graphs the slow way: every allocation is walked frame by frame, and every prefix of its stack gets its bytes.
import type { RefAllocation, RefReplay } from './replay.ts'
import type { RefFrame } from './snapshot.ts'

export type FlameMeasure = 'alive' | 'allocated' | 'growth' | 'diff' | 'area'

export interface FlameAsk {
  readonly measure: FlameMeasure
  readonly unit: 'bytes' | 'count'
  readonly from: number
  readonly to: number
  readonly direction: 'callees' | 'callers'
  readonly merge: 'function' | 'line'
  readonly foldRecursion: boolean
  /** Frames whose "filename:name" holds one of these are left out. */
  readonly hide: readonly string[]
  /** Each as frameKey() of the merge writes it. */
  readonly pivot: string | null
  readonly with: readonly string[]
  readonly without: readonly string[]
}

export interface FlameSum {
  total: number
  self: number
  baseTotal: number
  baseSelf: number
}

/** One allocation with its frames, innermost first, and its category, which tells apart what has none. */
export interface Framed {
  readonly allocation: RefAllocation
  readonly frames: readonly RefFrame[]
  readonly category: string
}

export const frameKey = ({ name, filename, line }: RefFrame, merge: FlameAsk['merge']): string =>
  merge === 'line' ? `${filename}:${name}:${line}` : `${filename}:${name}`

/** Stands for the frames of what has none. */
export const bareKey = (category: string): string => `(none) ${category}`
const unknownCategory = 'unknown' // all there is in a profile, which has no categories
const separator = '\u0001'

/** The keys from the root on, or null where the stack is left out. */
function pathOf({ frames, category }: Pick<Framed, 'frames' | 'category'>, ask: FlameAsk): string[] | null {
  const keys = frames.map((frame) => frameKey(frame, ask.merge)).reverse()
  const wanted = ask.with.every((key) => keys.includes(key)) && !ask.without.some((key) => keys.includes(key))
  if (!wanted || (ask.pivot !== null && !keys.includes(ask.pivot))) return null
  if (keys.length === 0) return [bareKey(category)]
  const at = ask.pivot === null ? 0 : keys.indexOf(ask.pivot)
  const around = ask.pivot === null ? keys : ask.direction === 'callees' ? keys.slice(at) : keys.slice(0, at + 1)
  const shown = around.filter((key) => key === ask.pivot || !ask.hide.some((text) => functionOf(key, ask.merge).includes(text)))
  const folded = ask.foldRecursion ? shown.filter((key, index) => key !== shown[index - 1]) : shown
  return ask.direction === 'callees' ? folded : folded.reverse()
}

const functionOf = (key: string, merge: FlameAsk['merge']) => (merge === 'line' ? key.slice(0, key.lastIndexOf(':')) : key)

/** What the allocation weighs at the first and the second moment, or in the range. */
function weigh(allocation: RefAllocation, ask: FlameAsk, positions: readonly number[]): { base: number; value: number } {
  const unit = ask.unit === 'bytes' ? allocation.size : 1
  const freed = allocation.freeRequested ?? Number.POSITIVE_INFINITY
  const isAlive = (event: number) => !allocation.pendingAtStart && allocation.allocEvent <= event && freed > event
  if (ask.measure === 'alive') return { base: 0, value: isAlive(ask.from) ? unit : 0 }
  if (ask.measure === 'allocated') {
    return { base: 0, value: allocation.allocEvent >= ask.from && allocation.allocEvent < ask.to ? unit : 0 }
  }
  if (ask.measure === 'area') {
    const at = (event: number) => positions[Math.min(Math.max(event, 0), positions.length - 1)] ?? 0
    const end = freed === Number.POSITIVE_INFINITY ? at(ask.to) : Math.min(at(ask.to), at(freed))
    const length = end - Math.max(at(ask.from), at(allocation.allocEvent))
    const overlaps = allocation.allocEvent < ask.to && freed > ask.from && !allocation.pendingAtStart
    return { base: 0, value: overlaps ? Math.max(0, length) * unit : 0 }
  }
  return { base: isAlive(ask.from) ? unit : 0, value: isAlive(ask.to) ? unit : 0 }
}

/** Sums by path; '' is the root. `positions`: of the events on the axis of `area`. */
export function flame(run: readonly Framed[], ask: FlameAsk, positions: readonly number[]): ReadonlyMap<string, FlameSum> {
  const stacks = new Map<string, { path: string[]; base: number; value: number }>()
  for (const each of run) {
    const { allocation, frames, category } = each
    const path = pathOf(each, ask)
    if (path === null) continue
    const key = frames.length === 0 ? bareKey(category) : frames.map((frame) => frameKey(frame, 'line')).join(separator)
    const stack = stacks.get(key) ?? { path, base: 0, value: 0 }
    const { base, value } = weigh(allocation, ask, positions)
    stack.base += base
    stack.value += value
    stacks.set(key, stack)
  }
  const sums = new Map<string, FlameSum>()
  for (const { path, base, value } of stacks.values()) {
    const grown = value - base
    if (ask.measure === 'growth') addStack(sums, path, Math.max(0, -grown), Math.max(0, grown))
    else addStack(sums, path, base, value)
  }
  return sums
}

/** Sums of a profile's stacks, each with the value that the file gives it; what is below zero counts on the other side. */
export function flameOfValues(
  stacks: readonly { readonly frames: readonly RefFrame[]; readonly value: number }[],
  ask: FlameAsk,
): ReadonlyMap<string, FlameSum> {
  const sums = new Map<string, FlameSum>()
  for (const { frames, value } of stacks) {
    const path = pathOf({ frames, category: unknownCategory }, ask)
    if (path !== null) addStack(sums, path, Math.max(0, -value), Math.max(0, value))
  }
  return sums
}

function addStack(sums: Map<string, FlameSum>, path: readonly string[], base: number, value: number): void {
  for (let depth = 0; depth <= path.length; depth++) {
    const key = path.slice(0, depth).join(separator)
    const sum = sums.get(key) ?? { total: 0, self: 0, baseTotal: 0, baseSelf: 0 }
    sum.total += value
    sum.baseTotal += base
    if (depth === path.length) {
      sum.self += value
      sum.baseSelf += base
    }
    sums.set(key, sum)
  }
}

export const childKey = (parent: string, key: string): string => (parent === '' ? key : parent + separator + key)

/**
 * The replay's allocations with the frames of the events that made them; `early` knows those that no event made. `categories`: by allocation;
 * its own reference is categories.ts.
 */
export function framed(
  run: RefReplay,
  framesOfEvent: (event: number) => readonly RefFrame[],
  early: (place: number) => readonly RefFrame[],
  categories: readonly string[],
): Framed[] {
  return run.allocations.map((allocation, place) => ({
    allocation,
    frames: allocation.allocEvent >= 0 ? framesOfEvent(allocation.allocEvent) : early(place),
    category: categories[place] ?? 'unknown',
  }))
}
