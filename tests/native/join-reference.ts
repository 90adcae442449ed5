// Two captures of one made-up run, written as files, and what a join of them must find.
import { writePickle } from '../fixtures/pickle-writer.ts'
import { baseAddress, block, event, segment, snapshot } from '../fixtures/snapshots.ts'
import { IndexFile } from '../support/index-file.ts'

/** An allocation as one of the two captures recorded it; it is freed right before the next use of its address, or at the end. */
export interface Recorded {
  readonly timeUs: number
  readonly address: number
  readonly bytes: number
}

export interface JoinedRun {
  readonly snapshot: readonly Recorded[] // in order of time
  readonly trace: readonly Recorded[]
  readonly both: readonly (readonly [number, number])[] // places in the two lists
}

type Step = Recorded & { readonly isFree: boolean }

function steps(recorded: readonly Recorded[]): Step[] {
  const open = new Map<number, Recorded>()
  const out: Step[] = []
  for (const each of recorded) {
    const before = open.get(each.address)
    if (before) out.push({ ...before, timeUs: each.timeUs, isFree: true })
    out.push({ ...each, isFree: false })
    open.set(each.address, each)
  }
  const end = recorded.at(-1)?.timeUs ?? 0
  return [...out, ...[...open.values()].map((each) => ({ ...each, timeUs: end, isFree: true }))]
}

const epochUs = 1_700_000_000_000_000

function snapshotBytes(recorded: readonly Recorded[]): Buffer {
  const events = steps(recorded).flatMap(({ timeUs, address, bytes, isFree }) =>
    (isFree ? ['free_requested', 'free_completed'] : ['alloc']).map((action) =>
      event(action, BigInt(address), bytes, { time_us: epochUs + timeUs }),
    ),
  )
  return writePickle(snapshot([segment(baseAddress, [block(baseAddress, 64 << 20)])], [events]), { protocol: 4 })
}

/** ts in microseconds since baseTimeNanoseconds, with three digits. */
function traceBytes(recorded: readonly Recorded[]): Buffer {
  const events = steps(recorded).map(({ timeUs, address, bytes, isFree }, index) => {
    const args = { 'Device Type': 1, 'Device Id': 0, Addr: address, Bytes: isFree ? -bytes : bytes, 'Ev Idx': index }
    return { ph: 'i', cat: 'cpu_instant_event', s: 't', name: '[memory]', pid: 7, tid: 7, ts: timeUs, args }
  })
  const slice = { ph: 'X', cat: 'cpu_op', name: 'aten::mm', pid: 7, tid: 7, ts: recorded[0]?.timeUs ?? 0, dur: 1 }
  return Buffer.from(JSON.stringify({ baseTimeNanoseconds: epochUs * 1000, traceEvents: [slice, ...events] }))
}

export const indexesOf = async (run: JoinedRun) => ({
  snapshot: await IndexFile.ofBytes('join-snapshot', snapshotBytes(run.snapshot)),
  trace: await IndexFile.ofTraceBytes('join-trace', traceBytes(run.trace)),
})

/**
 * A run of which each capture recorded a stretch. One address is used every few microseconds all the time, others now and then; the trace's
 * clock is up to 10 µs late, and a record in forty far later.
 */
export function randomRun(random: (below: number) => number, length = 40 + random(200)): JoinedRun {
  let timeUs = 5_000_000
  const addresses = Array.from({ length: 6 + random(30) }, (_, place) => Number(baseAddress) + place * 8192)
  const all = Array.from({ length }, (_, place) => {
    timeUs += 25 + random(place % 7 === 0 ? 4000 : 60)
    const address = addresses[random(2) === 0 ? 0 : random(addresses.length)] ?? 0
    return { timeUs, address, bytes: 512 * (1 + ((address / 8192) % 16)) }
  })
  const from = random(length >> 2)
  const to = from + (length >> 1) + random((length >> 2) + 1)
  const snapshotFrom = random(2) * random(length >> 2)
  const firstUse = new Map(
    all
      .map(({ address }, place) => [address, place] as const)
      .slice(snapshotFrom)
      .reverse(),
  )
  let lastUs = 0
  const trace = all.slice(from, to).map((each, place, traced) => {
    const late = random(1000) / 100
    // A thread that is put aside is not overtaken by its own next record, nor nearer to it. The first use of an address in the snapshot is not
    // put aside: the one before, which the snapshot lacks, could be nearer.
    const isAside = random(40) === 0 && from + place > (firstUse.get(each.address) ?? 0)
    const next = traced[place + 1]?.timeUs ?? each.timeUs
    lastUs = Math.max(lastUs + 0.001, each.timeUs + (isAside ? Math.min(700, next - each.timeUs) * 0.4 : late))
    return { ...each, timeUs: Math.round(lastUs * 1000) / 1000 }
  })
  const recorded = all.slice(snapshotFrom)
  const both = all.flatMap((_, place): [number, number][] =>
    place >= Math.max(from, snapshotFrom) && place < to ? [[place - snapshotFrom, place - from]] : [],
  )
  return { snapshot: recorded, trace, both }
}

/** Nearest of `times`, the first of several. */
const nearest = (time: number, times: readonly number[]): number => {
  const apart = times.map((each) => Math.abs(each - time))
  return apart.indexOf(Math.min(...apart))
}

/** Most pairs of two ascending lists of times that do not cross and are at most `tolerance` apart: every way is tried. */
export function bestCount(own: readonly number[], other: readonly number[], tolerance: number): number {
  let row = new Array<number>(other.length + 1).fill(0)
  for (const a of own) {
    const next = [0]
    for (const [j, b] of other.entries()) {
      const pair = Math.abs(a - b) <= tolerance ? (row[j] ?? 0) + 1 : 0
      next.push(Math.max(pair, row[j + 1] ?? 0, next[j] ?? 0))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** How many pairs there are of one address, times aligned: those that are nearest to each other, and as many as can be between these. */
export function referenceCount(own: readonly number[], other: readonly number[], nearNs: number, toleranceNs: number): number {
  const fixed = own.flatMap((time, i): [number, number][] => {
    const j = nearest(time, other)
    const partner = other[j]
    return partner !== undefined && nearest(partner, own) === i && Math.abs(partner - time) <= nearNs ? [[i, j]] : []
  })
  const edges = [[-1, -1] as const, ...fixed, [own.length, other.length] as const]
  const between = edges.slice(1).map(([i, j], at) => {
    const [iBefore, jBefore] = edges[at] ?? [-1, -1]
    return bestCount(own.slice(iBefore + 1, i), other.slice(jBefore + 1, j), toleranceNs)
  })
  return fixed.length + between.reduce((sum, count) => sum + count, 0)
}
