// The layout of memory after any event, by going through the events once more when all sizes are known. Only for exact replays.
import type { Held, Layout } from './layout.ts'
import type { RefAllocation, RefReplay } from './replay.ts'
import { followReservation, type Reservations, reservationsOf } from './reservations.ts'
import type { RefEvent, RefSnapshot } from './snapshot.ts'

export interface SpaceTotals {
  allocated: number
  active: number
  reserved: number
  requested: number
  inactiveSplit: number
  largestFree: number
  returnable: number
  freeBlocks: number
}

export interface BlockRow {
  readonly address: bigint
  readonly size: number
  /** 0 when free. */
  readonly requested: number
  readonly held: Held
  /** Place in the replay's list; null when free. */
  readonly allocation: number | null
}

export interface SegmentRow {
  readonly address: bigint
  readonly size: number
  readonly stream: bigint
  readonly pool: string | null
  readonly small: boolean
  readonly expandable: boolean
  readonly blocks: readonly BlockRow[]
}

/** Goes forward only: ask for events in ascending order. */
export class Playback {
  readonly #events: readonly RefEvent[]
  readonly #allocations: readonly RefAllocation[]
  readonly #made = new Map<number, number>()
  readonly #reservations: Reservations
  readonly #layout: Layout
  #at = -1

  constructor(file: RefSnapshot, run: RefReplay) {
    if (!run.exact) throw new Error('sizes are not known')
    this.#events = file.traces[run.device] ?? []
    this.#allocations = run.allocations
    const segments = file.segments.filter((segment) => segment.device === run.device)
    this.#reservations = reservationsOf(this.#events, segments, onlyPoolOf(file))
    this.#layout = this.#reservations.start
    run.allocations.forEach(({ allocEvent, address, size, pendingAtStart }, index) => {
      if (allocEvent >= 0) this.#made.set(allocEvent, index)
      else expectDone(this.#layout.place(address, size, pendingAtStart ? 'pending' : 'allocated', index))
    })
  }

  /** The segments and their blocks after `event`, in address order; −1 = before the first. */
  after(event: number): SegmentRow[] {
    if (event < this.#at) throw new Error('a playback goes forward only')
    for (this.#at += 1; this.#at <= event; this.#at += 1) this.#step(this.#at)
    this.#at = event
    return this.#layout.ranges.map(({ address, size, origin, blocks }) => ({
      address,
      size,
      ...origin,
      small: origin.small === true,
      blocks: blocks.map((block) => this.#row(block)),
    }))
  }

  #row({ address, size, held, allocation }: Layout['ranges'][number]['blocks'][number]): BlockRow {
    return { address, size, held, allocation, requested: allocation === null ? 0 : (this.#allocations[allocation]?.requested ?? 0) }
  }

  #step(index: number): void {
    const event = this.#events[index] as RefEvent
    const made = this.#made.get(index)
    if (made !== undefined) {
      expectDone(this.#layout.place(event.address, this.#allocations[made]?.size ?? 0, 'allocated', made))
    } else if (event.action === 'free_requested') {
      const block = this.#layout.find(event.address)?.block
      if (block !== undefined) block.held = 'pending'
    } else if (event.action === 'free_completed' || event.action === 'free') {
      expectDone(this.#layout.free(event.address))
    } else {
      expectDone(followReservation(this.#layout, event, this.#reservations.origins.get(index)))
    }
  }
}

function expectDone(done: boolean): void {
  if (!done) throw new Error('the second pass differs from the first')
}

/** Where a file names the default pool alone, everything is in it. */
function onlyPoolOf(file: RefSnapshot): string | null {
  const named = new Set(['(0,0)', ...file.segments.map((segment) => segment.pool)])
  for (const trace of file.traces) for (const { pool } of trace) if (pool !== null) named.add(pool)
  return named.size === 1 ? '(0,0)' : null
}

const pageBytes = (segment: SegmentRow) => (segment.small ? 2 : 20) << 20

/** Free bytes of a segment that emptying the cache gives back: all of it or nothing, or the whole pages in an expandable one's free blocks. */
export function returnableBytes(segment: SegmentRow): number {
  const free = segment.blocks.filter((block) => block.held === 'free')
  if (!segment.expandable) return free.length === segment.blocks.length ? segment.size : 0
  const page = pageBytes(segment)
  return free.reduce((sum, block) => {
    const from = Number(block.address - segment.address)
    return sum + Math.max(0, Math.floor((from + block.size) / page) - Math.ceil(from / page)) * page
  }, 0)
}

/** The sums over segments that the curves show. */
export function spaceTotals(segments: readonly SegmentRow[]): SpaceTotals {
  const totals = { allocated: 0, active: 0, reserved: 0, requested: 0, inactiveSplit: 0, largestFree: 0, returnable: 0, freeBlocks: 0 }
  for (const segment of segments) {
    totals.reserved += segment.size
    totals.returnable += returnableBytes(segment)
    for (const { held, size, requested } of segment.blocks) {
      if (held === 'allocated') totals.allocated += size
      if (held === 'free') {
        totals.freeBlocks += 1
        totals.largestFree = Math.max(totals.largestFree, size)
        if (!segment.expandable && segment.blocks.length > 1) totals.inactiveSplit += size
      } else {
        totals.active += size
        totals.requested += requested
      }
    }
  }
  return totals
}
