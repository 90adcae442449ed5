// Parameters by their sizes, and copies of them: gradients and second models have the same sizes as the parameters that they belong to.
import type { CaptureMeasures, HeldAllocation } from './capture-measures.ts'
import type { Role } from './stack-roles.ts'

/** Sizes of other types of number over that of the parameters. */
const scales = [1, 2, 0.5, 4, 0.25] as const

/** How many allocations of each size asked for: rounded sizes differ by what was free. */
export type Sizes = ReadonlyMap<number, number>

/** Counts allocations by the size asked for. */
export function sizesOf(allocations: readonly HeldAllocation[]): Map<number, number> {
  const sizes = new Map<number, number>()
  for (const { requestedBytes } of allocations) sizes.set(requestedBytes, (sizes.get(requestedBytes) ?? 0) + 1)
  return sizes
}

export const totalBytes = (sizes: Sizes): number => [...sizes].reduce((sum, [bytes, count]) => sum + bytes * count, 0)

/** Held allocations of one stack. */
export const heldBy = (capture: CaptureMeasures, stackIds: ReadonlySet<number>): HeldAllocation[] =>
  capture.held.filter(({ stackId }) => stackIds.has(stackId))

/** The allocations that hold parameters: made by module code, else by the program before its first pass. */
export function parametersOf(capture: CaptureMeasures): HeldAllocation[] {
  const of = (roles: readonly Role[]): HeldAllocation[] =>
    heldBy(capture, new Set(capture.stacks.filter(({ role }) => roles.includes(role)).map(({ stackId }) => stackId)))
  const made = of(['weights'])
  if (made.length > 0) return made
  const starts = of(['forward', 'backward', 'optimizer', 'optimizer_state']).flatMap(({ allocEvent }) => allocEvent ?? [])
  const start = starts.length > 0 ? Math.min(...starts.slice(0, 10_000)) : capture.eventCount / 50
  return of(['program']).filter(({ allocEvent }) => allocEvent === null || allocEvent < start)
}

export interface Copies {
  /** Mean number of copies of a parameter. */
  readonly copies: number
  /** Share of the parameters' bytes whose size is among the others'. */
  readonly covered: number
  /** Share of the others' bytes that have a parameter's size. */
  readonly matched: number
  /** Share of the parameters' bytes that have about as many copies as the mean: copies of all of them are even, chance is not. */
  readonly evenness: number
  readonly distinctSizes: number
  readonly bytes: number
}

/** How well a set of allocations looks like copies of the parameters, in their type of number or another: the type that fits best. */
export function copiesOf(parameters: Sizes, others: Sizes): Copies {
  const fits = scales.map((scale) => copiesAt(parameters, others, scale))
  const quality = ({ matched, covered, evenness }: Copies): number => matched * covered * evenness
  return fits.reduce((best, fit) => (quality(fit) > quality(best) ? fit : best))
}

function copiesAt(parameters: Sizes, others: Sizes, scale: number): Copies {
  const shared = [...parameters].filter(([bytes]) => others.has(bytes * scale))
  const bytes = shared.reduce((sum, [size]) => sum + size * scale * (others.get(size * scale) ?? 0), 0)
  const sharedBytes = shared.reduce((sum, [size, count]) => sum + size * count, 0)
  const copies = sharedBytes > 0 ? bytes / scale / sharedBytes : 0
  const even = shared.filter(([size, count]) => {
    const own = (others.get(size * scale) ?? 0) / count
    return own >= copies / 2 && own <= copies * 2
  })
  return {
    copies,
    covered: sharedBytes / Math.max(1, totalBytes(parameters)),
    matched: bytes / Math.max(1, totalBytes(others)),
    evenness: totalBytes(new Map(even)) / Math.max(1, totalBytes(parameters)),
    distinctSizes: shared.length,
    bytes,
  }
}

export interface Twin {
  readonly bytes: number
  readonly count: number
  /** Size of the second over that of the first: another type of number. */
  readonly scale: number
}

const leastAlike = 0.85
const leastAllocations = 6

/**
 * Sets of allocations that repeat the sizes of the parameters, one a scale: a second model, or the same in another type. A set still in the making
 * counts where all that is there so far repeats them.
 */
export function twinsOf(parameters: Sizes, others: readonly Sizes[]): Twin[] {
  const whole = totalBytes(parameters)
  return others.flatMap((other) => {
    const bytes = totalBytes(other)
    const count = [...other.values()].reduce((sum, each) => sum + each, 0)
    if (count < leastAllocations || bytes <= 0) return []
    for (const scale of scales) {
      const common = [...other].reduce((sum, [size, times]) => sum + size * Math.min(times, parameters.get(size / scale) ?? 0), 0)
      const reach = bytes / scale / Math.max(1, whole)
      if (common / bytes >= leastAlike && reach >= 0.3) return [{ bytes, count, scale }]
    }
    return []
  })
}

const maxSequence = 4000

/**
 * The allocations at the end of the list that repeat its beginning, in order: a second model that one loop loads, perhaps not to its end; empty where
 * none do. Layers repeat too, so what comes first in a model must be there once in each.
 */
export function repeatedAtEnd(allocations: readonly HeldAllocation[]): HeldAllocation[] {
  const list = allocations.slice(0, maxSequence)
  const sizes = list.map(({ requestedBytes }) => requestedBytes)
  const [first] = sizes
  for (let period = leastAllocations; period <= sizes.length / 1.3; period += 1) {
    const scale = scales.find((each) => sizes[period] === (first ?? 0) * each)
    if (scale === undefined || sizes.slice(0, period).filter((size) => size === first).length !== 1) continue
    const rest = sizes.slice(period)
    const same = rest.filter((size, at) => size === (sizes[at % period] ?? 0) * scale).length
    if (same / rest.length >= 0.9) return list.slice(period)
  }
  return []
}
