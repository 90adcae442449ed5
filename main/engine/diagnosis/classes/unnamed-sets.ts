// What the order of sizes tells where no stacks were recorded: a model is made in one order, loaded again in the same, and its gradients in the opposite.
import type { CaptureMeasures, HeldAllocation } from '../capture-measures.ts'

export interface RepeatedSizes {
  /** How many allocations come again. */
  readonly count: number
  /** How often they are there, the first time included. */
  readonly times: number
  /** Held by those that came again. */
  readonly bytes: number
  readonly order: 'same' | 'opposite'
  /** One set right after the other, nothing given back between them. */
  readonly isInOneGo: boolean
}

const maxSequence = 4000
/** Fewer allocations, or fewer sizes, repeat by chance. */
const leastAllocations = 6
const leastSizes = 3
const leastAlike = 0.95
/** A second set may be in the making. */
const leastReach = 0.3
/** An allocation and the segments that it may need are at most so many events. */
const mostEventsEach = 2.5

/** Allocations from the start of the history whose sizes come again; null with stacks, which tell more, or where none do. */
export function repeatedSizes(capture: CaptureMeasures): RepeatedSizes | null {
  const list = inOrder(capture)
  const sizes = list.map(({ requestedBytes }) => requestedBytes)
  for (let count = leastAllocations; count * (1 + leastReach) <= sizes.length; count += 1) {
    const order = orderOf(sizes, count)
    if (order && new Set(sizes.slice(0, count)).size >= leastSizes) return summed(list, count, order)
  }
  return null
}

/** In the order in which they were made; those from before the history are in none. */
function inOrder({ hasStacks, held }: CaptureMeasures): HeldAllocation[] {
  if (hasStacks || held.length < 2 * leastAllocations) return []
  const made = held.filter(({ allocEvent }) => allocEvent !== null)
  return made.sort((a, b) => (a.allocEvent ?? 0) - (b.allocEvent ?? 0)).slice(0, maxSequence)
}

function orderOf(sizes: readonly number[], count: number): RepeatedSizes['order'] | null {
  const reach = Math.min(count, sizes.length - count)
  if (reach < leastAllocations) return null
  if (sizes[0] === sizes[count] && alike(sizes, reach, (at) => count + at) >= leastAlike) return 'same'
  const isWhole = sizes[0] === sizes[2 * count - 1]
  return isWhole && alike(sizes, count, (at) => 2 * count - 1 - at) >= leastAlike ? 'opposite' : null
}

function alike(sizes: readonly number[], count: number, placeOf: (at: number) => number): number {
  let same = 0
  for (let at = 0; at < count; at += 1) if (sizes[at] === sizes[placeOf(at)]) same += 1
  return same / count
}

function summed(list: readonly HeldAllocation[], count: number, order: RepeatedSizes['order']): RepeatedSizes {
  const set = new Set(list.slice(0, count).map(({ requestedBytes }) => requestedBytes))
  const again = list.slice(count).filter(({ requestedBytes }) => set.has(requestedBytes))
  const [first, last] = [list[0]?.allocEvent ?? 0, list[Math.min(2 * count, list.length) - 1]?.allocEvent ?? 0]
  return {
    count,
    times: Math.round((10 * again.length) / count) / 10 + 1,
    bytes: again.reduce((sum, { bytes }) => sum + bytes, 0),
    order,
    isInOneGo: last - first <= Math.min(2 * count, list.length) * mostEventsEach,
  }
}

export interface KeptPattern {
  /** Allocations that the last step kept, of how many sizes. */
  readonly count: number
  readonly sizes: number
  readonly bytes: number
}

/** The newest allocations come in the same order as those before them, but for what the step at hand uses: a step keeps several, of several sizes; null with stacks or where none do. */
export function keptPattern(capture: CaptureMeasures): KeptPattern | null {
  const newest = inOrder(capture).reverse()
  const sizes = newest.map(({ requestedBytes }) => requestedBytes)
  for (let count = leastSizes; count <= sizes.length / 3; count += 1) {
    if (alike(sizes, 2 * count, (at) => at + count) < 0.9) continue
    const kinds = new Set(sizes.slice(0, count)).size
    const bytes = newest.slice(0, count).reduce((sum, each) => sum + each.bytes, 0)
    if (kinds >= leastSizes) return { count, sizes: kinds, bytes }
  }
  return null
}
