// Whose blocks keep poorly used segments. Pure.
import type { SpaceReport } from '../../../preload/contract/queries.ts'

export interface MainHolder {
  readonly title: string // of the stack, '' without one
  readonly place: string
  readonly isAll: boolean // every holder that is told is of this stack
}

/** The stack that holds on to the most segments, by the holders that the report tells. */
export function mainHolder(pins: readonly SpaceReport['pins'][number][]): MainHolder {
  const counts = new Map<string, { readonly title: string; readonly place: string; count: number }>()
  for (const { holders } of pins) {
    const stacks = new Map(holders.map(({ title, place }) => [`${title} ${place}`, { title, place }]))
    for (const [key, stack] of stacks) {
      const known = counts.get(key) ?? { ...stack, count: 0 }
      known.count++
      counts.set(key, known)
    }
  }
  const [first] = [...counts.values()].sort((a, b) => b.count - a.count)
  return { title: first?.title ?? '', place: first?.place ?? '', isAll: counts.size === 1 }
}
