// An independent, slow replay of one device: who held which address when, how many bytes each really occupied, and the four curves.
// Written from the description of the allocator, not from the native code, so that the two can be held against each other.
import type { Layout, Origin } from './layout.ts'
import { followReservation, type Reservations, reservationsOf } from './reservations.ts'
import { type Rules, rulesOf } from './rules.ts'
import type { RefBlock, RefEvent, RefSegment, RefSnapshot } from './snapshot.ts'

export interface RefAllocation {
  readonly address: bigint
  version: number
  readonly requested: number
  /** Rounded bytes. */
  size: number
  /** −1 = before the first event. */
  readonly allocEvent: number
  freeRequested: number | null
  freeCompleted: number | null
  /** Given back before the first event, still waiting for a stream. */
  readonly pendingAtStart: boolean
  /** No event made it and it was not there at the start: all that is known is that it is there after the last event. */
  readonly isUnseen: boolean
}

export const curveNames = ['allocated', 'active', 'reserved', 'requested'] as const
export type RefCurves = { readonly [name in (typeof curveNames)[number]]: Float64Array }

export interface RefReplay {
  readonly device: number
  readonly eventCount: number
  /** By alloc event; those from before the first event come first, by address. */
  readonly allocations: readonly RefAllocation[]
  /** After each event. */
  readonly curves: RefCurves
  /** Before the first event. */
  readonly start: { readonly [name in (typeof curveNames)[number]]: number }
  /** The layout at the end is that of the file, block for block. */
  readonly exact: boolean
}

/** Replays the events of `device`. */
export function replay(snapshot: RefSnapshot, device: number): RefReplay {
  const events = snapshot.traces[device] ?? []
  const segments = snapshot.segments.filter((segment) => segment.device === device)
  const allocations = pair(events, segments)
  const rules = rulesOf(snapshot.settings)
  const exact = simulate(events, segments, allocations, { rules, reservations: reservationsOf(events, segments, null) })
  return { device, eventCount: events.length, allocations, exact, ...sumUp(events, segments, allocations) }
}

/**
 * Matches frees to allocations by address and adds what existed before the first event. Where the file contradicts itself: an allocation
 * over an open one ends that one; a free of what is free already is skipped; what is open but not in the final state ends with the trace;
 * what is in the final state where the trace leaves the address free begins with the trace's end.
 */
function pair(events: readonly RefEvent[], segments: readonly RefSegment[]): RefAllocation[] {
  const pairing = new Pairing(events)
  events.forEach((event, index) => {
    if (event.action === 'alloc') pairing.open(event, index)
    else if (event.action === 'free_requested') pairing.close(event, index, true, false)
    else if (event.action === 'free_completed') pairing.close(event, index, false, true)
    else if (event.action === 'free') pairing.close(event, index, true, true)
  })
  const blocks = segments.flatMap((segment) => segment.blocks).filter((block) => block.state !== 'inactive')
  const reservedChange = events.reduce((sum, event) => sum + reservedBy(event), 0)
  if (segments.length > 0 || reservedChange === 0) pairing.endUnless(new Set(blocks.map((block) => block.address)), events.length - 1)
  for (const block of blocks) pairing.addBlock(block, events.length - 1)
  return pairing.finish()
}

class Pairing {
  readonly #open = new Map<bigint, RefAllocation>()
  readonly #touched = new Set<bigint>()
  readonly #known: RefAllocation[] = []
  readonly #earlier: RefAllocation[] = []
  readonly #requestsAreRecorded: boolean

  constructor(events: readonly RefEvent[]) {
    this.#requestsAreRecorded = events.some((event) => event.action === 'free_requested')
  }

  open(event: RefEvent, index: number): void {
    this.#end(event.address, index)
    const allocation = newAllocation(event.address, event.size, index)
    this.#known.push(allocation)
    this.#open.set(event.address, allocation)
    this.#touched.add(event.address)
  }

  close(event: RefEvent, index: number, requests: boolean, completes: boolean): void {
    let allocation = this.#open.get(event.address)
    if (allocation === undefined) {
      if (this.#touched.has(event.address)) return
      allocation = newAllocation(event.address, event.size, -1, !requests && this.#requestsAreRecorded)
      this.#open.set(event.address, allocation)
      this.#earlier.push(allocation)
      this.#touched.add(event.address)
    }
    if (requests || (completes && !allocation.pendingAtStart)) allocation.freeRequested ??= index
    if (!completes) return
    allocation.freeCompleted = index
    this.#open.delete(event.address)
  }

  /** A block of the end that no event names was there before the first one; one that events leave free came unseen. */
  addBlock(block: RefBlock, last: number): void {
    if (this.#open.has(block.address)) return
    const pending = block.state === 'active_pending_free'
    const isUnseen = this.#touched.has(block.address)
    const allocation = { ...newAllocation(block.address, block.requested, isUnseen ? last : -1, pending && !isUnseen), isUnseen }
    allocation.size = block.size
    if (pending && isUnseen) allocation.freeRequested = last
    this.#open.set(block.address, allocation)
    if (isUnseen) this.#known.push(allocation)
    else this.#earlier.push(allocation)
  }

  endUnless(stillThere: ReadonlySet<bigint>, last: number): void {
    if (last < 0) return
    for (const address of [...this.#open.keys()]) if (!stillThere.has(address)) this.#end(address, last)
  }

  #end(address: bigint, index: number): void {
    const allocation = this.#open.get(address)
    if (allocation === undefined) return
    if (!allocation.pendingAtStart) allocation.freeRequested ??= index
    allocation.freeCompleted = index
    this.#open.delete(address)
  }

  finish(): RefAllocation[] {
    this.#earlier.sort((a, b) => (a.address < b.address ? -1 : a.address > b.address ? 1 : 0))
    return numbered([...this.#earlier, ...this.#known])
  }
}

function reservedBy(event: RefEvent): number {
  if (event.action === 'segment_alloc' || event.action === 'segment_map') return event.size
  return event.action === 'segment_free' || event.action === 'segment_unmap' ? -event.size : 0
}

const newAllocation = (address: bigint, requested: number, allocEvent: number, pendingAtStart = false): RefAllocation => ({
  address,
  version: 0,
  requested,
  size: 0,
  allocEvent,
  freeRequested: null,
  freeCompleted: null,
  pendingAtStart,
  isUnseen: false,
})

/** Version n: the n-th use of the address in this capture, from 0. */
function numbered(allocations: RefAllocation[]): RefAllocation[] {
  const uses = new Map<bigint, number>()
  for (const allocation of allocations) {
    allocation.version = uses.get(allocation.address) ?? 0
    uses.set(allocation.address, allocation.version + 1)
  }
  return allocations
}

/** Gives every allocation its rounded size by replaying the layout. Answers whether the end equals the file. */
function simulate(
  events: readonly RefEvent[],
  segments: readonly RefSegment[],
  allocations: readonly RefAllocation[],
  { rules, reservations }: { readonly rules: Rules; readonly reservations: Reservations },
): boolean {
  const layout = reservations.start
  const earlier = allocations.filter((allocation) => allocation.allocEvent < 0)
  let faithful = earlier.map((allocation, index) => placeEarlier(layout, allocation, earlier[index + 1], rules)).every((placed) => placed)
  const opened = new Map(
    allocations
      .filter((allocation) => allocation.allocEvent >= 0 && !allocation.isUnseen)
      .map((allocation) => [allocation.allocEvent, allocation]),
  )
  events.forEach((event, index) => {
    if (event.action === 'alloc' && layout.find(event.address) === null) {
      const grown = layout.settleEnd(event.address)
      const allocation = earlier.find((candidate) => candidate.address === grown)
      if (allocation !== undefined) allocation.size = Number(event.address - allocation.address)
    }
    faithful = step(layout, event, opened.get(index), rules, reservations.origins.get(index)) && faithful
  })
  return faithful && equalsFile(layout, segments)
}

/**
 * Puts an allocation from before the first event in its place; they come in address order. Where only its request is known, a gap behind
 * it that the allocator would not have split off belongs to it; a larger gap leaves its end open until another allocation shows it.
 */
function placeEarlier(layout: Layout, allocation: RefAllocation, next: RefAllocation | undefined, rules: Rules): boolean {
  const held = allocation.pendingAtStart ? 'pending' : 'allocated'
  if (allocation.size > 0) return layout.place(allocation.address, allocation.size, held)
  const rounded = rules.round(allocation.requested)
  allocation.size = rounded
  const free = layout.freeFrom(allocation.address)
  if (free === null) return false
  const room = next === undefined ? free.size : Math.min(free.size, Number(next.address - allocation.address))
  const isOpen = room > rounded && rules.splits(room, rounded, free.expandable)
  if (room > rounded && !isOpen) allocation.size = room
  const placed = layout.place(allocation.address, allocation.size, held)
  const found = layout.find(allocation.address)
  if (isOpen && found !== null && rounded > 1 << 20 && !free.expandable) found.block.endIsGuessed = true
  return placed
}

function step(layout: Layout, event: RefEvent, allocation: RefAllocation | undefined, rules: Rules, origin: Origin | undefined): boolean {
  switch (event.action) {
    case 'alloc':
      return allocation !== undefined && take(layout, allocation, rules)
    case 'free_requested': {
      const found = layout.find(event.address)
      if (found?.block.held !== 'allocated') return false
      found.block.held = 'pending'
      return true
    }
    case 'free_completed':
    case 'free':
      return layout.free(event.address)
    default:
      return followReservation(layout, event, origin)
  }
}

/** An allocation takes the left end of the free block at its address; a rest that may not be split off goes with it. */
function take(layout: Layout, allocation: RefAllocation, rules: Rules): boolean {
  const rounded = rules.round(allocation.requested)
  allocation.size = rounded
  const found = layout.find(allocation.address)
  if (found?.block.held !== 'free' || found.block.size < rounded) return false
  if (!rules.splits(found.block.size, rounded, found.range.origin.expandable)) allocation.size = found.block.size
  return layout.place(allocation.address, allocation.size, 'allocated')
}

const heldAs = { active_allocated: 'allocated', active_pending_free: 'pending', inactive: 'free' } as const

/** Blocks only: two neighbouring mapped runs of one expandable segment may stand in the file as one or as two. */
function equalsFile(layout: Layout, segments: readonly RefSegment[]): boolean {
  const wanted = segments
    .flatMap((segment) => segment.blocks.map((block) => `${block.address}+${block.size} ${heldAs[block.state]}`))
    .sort()
  const found = layout.ranges.flatMap((range) => range.blocks.map((block) => `${block.address}+${block.size} ${block.held}`)).sort()
  return wanted.length === found.length && wanted.every((text, index) => text === found[index])
}

const sum = (numbers: Iterable<number>) => {
  let total = 0
  for (const number of numbers) total += number
  return total
}

/** The curves follow from the lifetimes and the segment events alone. */
function sumUp(events: readonly RefEvent[], segments: readonly RefSegment[], allocations: readonly RefAllocation[]) {
  const change = { allocated: zeros(events), active: zeros(events), reserved: zeros(events), requested: zeros(events) }
  const add = (name: keyof typeof change, event: number | null, bytes: number) => {
    if (event !== null && event >= 0) change[name][event] = (change[name][event] ?? 0) + bytes
  }
  for (const allocation of allocations) {
    const { allocEvent, freeRequested, freeCompleted, size, requested } = allocation
    add('allocated', allocEvent, size)
    add('active', allocEvent, size)
    add('requested', allocEvent, requested)
    if (!allocation.pendingAtStart) add('allocated', freeRequested, -size)
    add('active', freeCompleted, -size)
    add('requested', freeCompleted, -requested)
  }
  events.forEach((event, index) => {
    add('reserved', index, reservedBy(event))
  })
  const earlier = allocations.filter((allocation) => allocation.allocEvent < 0)
  const start = {
    allocated: sum(earlier.filter((allocation) => !allocation.pendingAtStart).map((allocation) => allocation.size)),
    active: sum(earlier.map((allocation) => allocation.size)),
    requested: sum(earlier.map((allocation) => allocation.requested)),
    reserved: sum(segments.map((segment) => segment.size)) - sum(change.reserved),
  }
  for (const name of curveNames) accumulate(change[name], start[name])
  return { start, curves: change }
}

const zeros = (events: readonly RefEvent[]) => new Float64Array(events.length)

function accumulate(values: Float64Array, start: number): void {
  let running = start
  for (let index = 0; index < values.length; index += 1) {
    running += values[index] ?? 0
    values[index] = running
  }
}
