// What a healthy Chrome trace says, event by event: slow, exact, and written from the description of the format, not from the C++.
import { gunzipSync } from 'node:zlib'
import { coveredNanoseconds, nanoseconds } from './decimal.ts'
import { type JsonObject, JsonReader, type JsonValue, NumberText } from './trace-json.ts'

/** A pid or tid with its type: 0, "0" and none are three. */
export type Key = string

export interface ReferenceSlice {
  readonly pid: Key
  readonly tid: Key
  readonly name: string
  readonly category: string
  /** The file's own time. */
  readonly startNs: bigint
  readonly durNs: bigint
  /** No end in the file: it lasts to the end of its track. */
  readonly isUnfinished: boolean
  readonly externalId: number | null
  readonly correlation: number | null
  /** Place in the file. */
  readonly order: number
}

export interface ReferenceMemory {
  readonly pid: Key
  readonly tid: Key
  readonly timeNs: bigint
  readonly order: number
  readonly deviceType: number
  readonly deviceId: number
  readonly address: bigint
  readonly bytes: number
  readonly totalAllocated: number
  readonly totalReserved: number
}

export interface ReferenceTrace {
  /** Objects with a phase. */
  readonly eventCount: number
  readonly baseNs: bigint
  /** Phases X, B and E; in file order of their starts. */
  readonly slices: readonly ReferenceSlice[]
  readonly memory: readonly ReferenceMemory[]
  readonly instants: number
  readonly counterSamples: number
}

export const keyOf = (value: JsonValue | undefined): Key =>
  value === undefined ? 'none' : value instanceof NumberText ? `number ${value.text}` : `text ${String(value)}`

const isObject = (value: JsonValue | undefined): value is JsonObject => value instanceof Map
const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')
const decimalOf = (value: JsonValue | undefined): string | null =>
  value instanceof NumberText ? value.text : typeof value === 'string' ? value : null
const numberOf = (value: JsonValue | undefined): number | null => (value instanceof NumberText ? Number(value.text) : null)

interface Begun {
  readonly event: JsonObject
  readonly startNs: bigint
  readonly order: number
}

class TraceReader {
  readonly slices: ReferenceSlice[] = []
  readonly memory: ReferenceMemory[] = []
  instants = 0
  counterSamples = 0
  readonly #durations = new Map<string, { readonly event: JsonObject; readonly timeNs: bigint; readonly order: number }[]>()
  #order = 0

  event(event: JsonObject): void {
    const order = this.#order
    this.#order += 1
    switch (event.get('ph')) {
      case 'X':
        this.#complete(event, order)
        break
      case 'B':
      case 'E': {
        const thread = `${keyOf(event.get('pid'))} ${keyOf(event.get('tid'))}`
        const events = this.#durations.get(thread) ?? []
        events.push({ event, timeNs: nanoseconds(decimalOf(event.get('ts')) ?? ''), order })
        this.#durations.set(thread, events)
        break
      }
      case 'i':
      case 'I':
        if (event.get('name') === '[memory]' && isObject(event.get('args'))) this.#memory(event, event.get('args') as JsonObject, order)
        else this.instants += 1
        break
      case 'C':
        if (isObject(event.get('args'))) this.counterSamples += (event.get('args') as JsonObject).size
        break
    }
  }

  #complete(event: JsonObject, order: number): void {
    const [ts, dur] = [decimalOf(event.get('ts')), decimalOf(event.get('dur'))]
    if (ts === null) throw new Error('an X without ts')
    const { startNs, durNs } = coveredNanoseconds(ts, dur ?? '0')
    this.#slice({ event, startNs, order }, durNs, dur === null)
  }

  #slice({ event, startNs, order }: Begun, durNs: bigint, isUnfinished: boolean): void {
    const args = event.get('args')
    const isPython = event.get('cat') === 'python_function'
    const id = (name: string) => (isObject(args) && !isPython ? numberOf(args.get(name)) : null)
    this.slices.push({
      pid: keyOf(event.get('pid')),
      tid: keyOf(event.get('tid')),
      name: textOf(event.get('name')),
      category: textOf(event.get('cat')),
      startNs,
      durNs,
      isUnfinished,
      externalId: id('External id'),
      correlation: id('correlation'),
      order,
    })
  }

  #memory(event: JsonObject, args: JsonObject, order: number): void {
    const value = (name: string) => numberOf(args.get(name)) ?? Number.NaN
    this.memory.push({
      pid: keyOf(event.get('pid')),
      tid: keyOf(event.get('tid')),
      timeNs: nanoseconds(decimalOf(event.get('ts')) ?? ''),
      order: numberOf(args.get('Ev Idx')) ?? order,
      deviceType: value('Device Type'),
      deviceId: value('Device Id'),
      address: BigInt(decimalOf(args.get('Addr')) ?? '0'),
      bytes: value('Bytes'),
      totalAllocated: value('Total Allocated'),
      totalReserved: value('Total Reserved'),
    })
  }

  /** E closes the innermost open B of its thread, in order of time; what stays open has no end. */
  pairDurations(): void {
    for (const events of this.#durations.values()) {
      const open: Begun[] = []
      for (const { event, timeNs, order } of events.sort((a, b) =>
        a.timeNs < b.timeNs ? -1 : a.timeNs > b.timeNs ? 1 : a.order - b.order,
      )) {
        if (event.get('ph') === 'B') open.push({ event, startNs: timeNs, order })
        else {
          const begun = open.pop()
          if (begun !== undefined) this.#slice(begun, timeNs - begun.startNs, false)
        }
      }
      for (const begun of open) this.#slice(begun, 0n, true)
    }
  }
}

/** Reads a trace: an object with traceEvents or a bare array, gzip or not. Throws where the file is damaged. */
export function readTrace(file: Buffer): ReferenceTrace {
  const document = new JsonReader(file[0] === 0x1f && file[1] === 0x8b ? gunzipSync(file) : file).document()
  const events = isObject(document) ? document.get('traceEvents') : document
  if (!Array.isArray(events)) throw new Error('no events')
  const reader = new TraceReader()
  const withPhase = events.filter((event): event is JsonObject => isObject(event) && event.has('ph'))
  for (const event of withPhase) reader.event(event)
  reader.pairDurations()
  const base = isObject(document) ? decimalOf(document.get('baseTimeNanoseconds')) : null
  return {
    eventCount: withPhase.length,
    baseNs: BigInt(base ?? '0'),
    slices: reader.slices.sort((a, b) => a.order - b.order),
    memory: reader.memory,
    instants: reader.instants,
    counterSamples: reader.counterSamples,
  }
}
