// The curve and the lives of a trace's memory events: pairing by (device type, device, address) in order of time, as torch-traces demand.
import type { ReferenceMemory } from './trace.ts'

export interface ReferenceLife {
  readonly address: bigint
  readonly bytes: number
  /** Event numbers of its device. */
  readonly allocEvent: number
  readonly freeEvent: number | null
}

export interface ReferenceDevice {
  readonly deviceType: number
  readonly deviceId: number
  /** Held before the first event and never named. */
  readonly floorBytes: number
  readonly lives: readonly ReferenceLife[]
  /** After each event. */
  readonly allocated: readonly number[]
  readonly reserved: readonly number[]
  readonly timesNs: readonly bigint[]
  readonly peakBytes: number
  /** The file's own totals agree with the sum at every event. */
  readonly addsUp: boolean
}

const inOrder = (a: ReferenceMemory, b: ReferenceMemory) => (a.timeNs < b.timeNs ? -1 : a.timeNs > b.timeNs ? 1 : a.order - b.order)

/** One device's events in order. */
function replay(events: readonly ReferenceMemory[]): ReferenceDevice {
  const [first] = events
  if (first === undefined) throw new Error('a device without events')
  const open = new Map<bigint, { bytes: number; allocEvent: number }>()
  const lives: ReferenceLife[] = []
  const allocated: number[] = []
  let held = first.totalAllocated - first.bytes
  const floorBytes = held
  for (const [event, { address, bytes }] of events.entries()) {
    const before = open.get(address)
    if (before !== undefined) {
      lives.push({ address, ...before, freeEvent: event })
      open.delete(address)
    }
    if (bytes > 0) open.set(address, { bytes, allocEvent: event })
    held += bytes - (bytes > 0 && before !== undefined ? before.bytes : 0)
    allocated.push(held)
  }
  for (const [address, life] of open) lives.push({ address, ...life, freeEvent: null })
  return {
    deviceType: first.deviceType,
    deviceId: first.deviceId,
    floorBytes,
    lives: lives.sort((a, b) => a.allocEvent - b.allocEvent),
    allocated,
    reserved: events.map(({ totalReserved }) => totalReserved),
    timesNs: events.map(({ timeNs }) => timeNs),
    peakBytes: Math.max(floorBytes, ...allocated),
    addsUp: events.every(({ totalAllocated }, event) => totalAllocated === allocated[event]),
  }
}

/** By device, ascending by type, then number. For events with address and totals whose frees all have their allocation. */
export function memoryOf(events: readonly ReferenceMemory[]): ReferenceDevice[] {
  const byDevice = new Map<string, ReferenceMemory[]>()
  for (const event of [...events].sort(inOrder)) {
    const key = `${event.deviceType} ${event.deviceId}`
    const known = byDevice.get(key)
    if (known === undefined) byDevice.set(key, [event])
    else known.push(event)
  }
  return [...byDevice.values()].map(replay).sort((a, b) => a.deviceType - b.deviceType || a.deviceId - b.deviceId)
}
