// Entries of the legend. A name of the first dozen has its colour to itself; it is told apart by its id, a category by its colour.
import type { TraceColorBy, TraceTracks } from '../../../preload/contract/queries.ts'
import type { TraceData } from './trace-data.ts'

export interface LegendEntry {
  readonly id: number
  readonly text: string // '' = no name, no category
  readonly slot: number
  readonly count: number
  readonly totalNs: number
  readonly nameId: number | undefined // of a name
}

/** The first entries by total time, and how many there are in all. */
export function legendOf(
  { names, nameCount, categories }: Pick<TraceTracks, 'names' | 'nameCount' | 'categories'>,
  colorBy: TraceColorBy,
  most: number,
): { readonly entries: readonly LegendEntry[]; readonly count: number } {
  if (colorBy === 'name') {
    const entries = names.slice(0, most).map(({ nameId, ...rest }) => ({ ...rest, id: nameId, nameId }))
    return { entries, count: nameCount }
  }
  const used = categories.filter(({ count }) => count > 0)
  return {
    entries: used.slice(0, most).map(({ categoryId, ...rest }) => ({ ...rest, id: categoryId, nameId: undefined })),
    count: used.length,
  }
}

/** True while others step back for this entry. */
export function isEmphasised({ slot, nameId }: LegendEntry, emphasis: TraceData['emphasis'], search: TraceData['search']): boolean {
  if (nameId === undefined) return emphasis?.includes(slot) ?? false
  return search?.names.length === 1 && search.names[0] === nameId
}
