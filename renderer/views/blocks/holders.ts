// Whose blocks keep a segment: one entry a stack. Pure.
import type { SpaceReport } from '../../../preload/contract/queries.ts'

type Pin = SpaceReport['pins'][number]

export interface Holder {
  readonly title: string
  readonly place: string
  readonly count: number
  readonly bytes: number
  readonly allocationId: number // its largest
}

/** The stacks that hold on to a segment, most bytes first: of all its blocks in use, else of those that the report tells. */
export function holdersOf({ stacks, holders }: Pick<Pin, 'stacks' | 'holders'>): readonly Holder[] {
  if (stacks) return stacks
  const groups = new Map<string, Holder>()
  // Largest first, so that the first of a stack is its largest.
  for (const { title, place, sizeBytes, allocationId } of [...holders].sort((a, b) => b.sizeBytes - a.sizeBytes)) {
    const key = `${title} ${place}`
    const known = groups.get(key) ?? { title, place, count: 0, bytes: 0, allocationId }
    groups.set(key, { ...known, count: known.count + 1, bytes: known.bytes + sizeBytes })
  }
  return [...groups.values()].sort((a, b) => b.bytes - a.bytes)
}
