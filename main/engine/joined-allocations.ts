// Pairs of allocations of two captures, to be looked up from either side.
import type { NativeBatch } from './native-batch.ts'

export type JoinSide = 'snapshot' | 'trace'

/** An event that both captures recorded. */
export interface Twin {
  readonly ownEvent: number
  readonly partnerEvent: number
}

/** One side: ids and events ascend together, since allocations are numbered in order of the events that made them. */
interface Side {
  readonly ids: Float64Array
  readonly events: Float64Array
  readonly partners: Float64Array // allocation ids
  readonly partnerEvents: Float64Array
}

export class JoinedAllocations {
  static readonly none = new JoinedAllocations(emptySide(), emptySide())

  readonly #sides: Readonly<Record<JoinSide, Side>>

  private constructor(snapshot: Side, trace: Side) {
    this.#sides = { snapshot, trace }
  }

  /** What `match_allocations` answers, asked of the snapshot. */
  static of(batch: NativeBatch): JoinedAllocations {
    const snapshot = {
      ids: batch.f64('own_allocation'),
      events: batch.f64('own_event'),
      partners: batch.f64('other_allocation'),
      partnerEvents: batch.f64('other_event'),
    }
    const order = batch.f64('by_other')
    const ordered = (column: Float64Array) => order.map((place) => column[place] ?? Number.NaN)
    return new JoinedAllocations(snapshot, {
      ids: ordered(snapshot.partners),
      events: ordered(snapshot.partnerEvents),
      partners: ordered(snapshot.ids),
      partnerEvents: ordered(snapshot.events),
    })
  }

  /** The same allocation on the other side, null where that did not record it. */
  partnerOf(side: JoinSide, allocationId: number): number | null {
    const { ids, partners } = this.#sides[side]
    const place = countUntil(ids, allocationId) - 1
    return ids[place] === allocationId ? (partners[place] ?? null) : null
  }

  /** The last event at or before `event` that both recorded, and the first after it. */
  twinsAround(side: JoinSide, event: number): { readonly before: Twin | null; readonly after: Twin | null } {
    const { events, partnerEvents } = this.#sides[side]
    const twin = (place: number): Twin | null => {
      const [ownEvent, partnerEvent] = [events[place], partnerEvents[place]]
      return ownEvent === undefined || partnerEvent === undefined ? null : { ownEvent, partnerEvent }
    }
    const count = countUntil(events, event)
    return { before: twin(count - 1), after: twin(count) }
  }
}

function emptySide(): Side {
  const empty = new Float64Array(0)
  return { ids: empty, events: empty, partners: empty, partnerEvents: empty }
}

/** How many of the ascending values are at most `value`. */
function countUntil(values: Float64Array, value: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low
}
