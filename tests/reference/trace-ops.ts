// What ops did with memory, as PyTorch's profiler counts it, and what encloses each memory event: by intervals alone, one op after another.
import type { Key, ReferenceMemory, ReferenceTrace } from './trace.ts'
import { type Nested, nest, rowsOf } from './trace-nesting.ts'

export interface ReferenceOp {
  calls: number
  selfBytes: number
  totalBytes: number
  freedBytes: number
  allocations: number
}

export interface Enclosed {
  readonly event: ReferenceMemory
  /** Innermost first. */
  readonly around: readonly Nested[]
}

const isOp = ({ slice }: Nested) => slice.category === 'cpu_op'
const contains = ({ startNs, endNs }: Nested, timeNs: bigint) => startNs <= timeNs && timeNs <= endNs

function ancestors(nested: Nested | null): Nested[] {
  const found: Nested[] = []
  for (let at = nested; at !== null; at = at.parent) found.push(at)
  return found
}

/** The slices around each memory event on its own thread. */
export function enclose(trace: ReferenceTrace): Enclosed[] {
  const rows = new Map([...rowsOf(trace.slices)].map(([key, row]) => [key, nest(row)] as const))
  const rowOf = (pid: Key, tid: Key) => rows.get(`${pid}\n${tid}`) ?? []
  const byTime = [...trace.memory].sort((a, b) => (a.timeNs < b.timeNs ? -1 : a.timeNs > b.timeNs ? 1 : a.order - b.order))
  const places = new Map<readonly Nested[], { next: number; open: Nested[] }>()
  return byTime.map((event) => {
    const row = rowOf(event.pid, event.tid)
    const place = places.get(row) ?? { next: 0, open: [] }
    places.set(row, place)
    for (let slice = row[place.next]; slice !== undefined && slice.startNs <= event.timeNs; slice = row[place.next]) {
      place.open.push(slice)
      place.next += 1
    }
    place.open = place.open.filter((slice) => contains(slice, event.timeNs))
    return { event, around: ancestors(place.open.at(-1) ?? null) }
  })
}

const nearestOp = (nested: Nested | null): Nested | null => ancestors(nested).find(isOp) ?? null

/** Where the first of `events`, in order of time, lies at `timeNs` or later. */
function firstFrom(events: readonly ReferenceMemory[], timeNs: bigint): number {
  let [from, to] = [0, events.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((events[middle]?.timeNs ?? timeNs) < timeNs) from = middle + 1
    else to = middle
  }
  return from
}

const sum = (events: readonly ReferenceMemory[], of: (bytes: number) => number) => events.reduce((total, { bytes }) => total + of(bytes), 0)

/** Counts each allocation to the innermost op around it. */
function countAllocations(enclosed: readonly Enclosed[], ops: ReadonlyMap<string, ReferenceOp>): void {
  for (const { event, around } of enclosed) {
    const op = ops.get(around.find(isOp)?.slice.name ?? '')
    if (op !== undefined && event.bytes > 0) op.allocations += 1
  }
}

/** By name of the op, of the events of one device; and the bytes of events outside all of them. */
export function opsOf(trace: ReferenceTrace, deviceType: number): { ops: Map<string, ReferenceOp>; outsideBytes: number } {
  const ops = new Map<string, ReferenceOp>()
  const enclosed = enclose(trace).filter(({ event }) => event.deviceType === deviceType)
  const covered = new Set<ReferenceMemory>()
  for (const [key, row] of rowsOf(trace.slices)) {
    const events = enclosed.map(({ event }) => event).filter(({ pid, tid }) => `${pid}\n${tid}` === key)
    const totals = new Map<Nested, number>()
    for (const call of nest(row).filter(isOp)) {
      const inside = events.slice(firstFrom(events, call.startNs), firstFrom(events, call.endNs + 1n))
      if (inside.length === 0) continue
      for (const event of inside) covered.add(event)
      const bytes = sum(inside, (each) => each)
      totals.set(call, bytes)
      const op = ops.get(call.slice.name) ?? { calls: 0, selfBytes: 0, totalBytes: 0, freedBytes: 0, allocations: 0 }
      ops.set(call.slice.name, op)
      op.calls += 1
      op.totalBytes += bytes
      op.selfBytes += bytes
      op.freedBytes += sum(inside, (each) => Math.max(-each, 0))
    }
    for (const [call, bytes] of totals) {
      const parent = nearestOp(call.parent)
      const op = parent === null ? undefined : ops.get(parent.slice.name)
      if (op !== undefined) op.selfBytes -= bytes
    }
  }
  countAllocations(enclosed, ops)
  const outsideBytes = sum(
    enclosed.map(({ event }) => event).filter((event) => !covered.has(event)),
    (each) => each,
  )
  return { ops, outsideBytes }
}
