// The file's contents as plain typed data: devices, segments, events. Lenient where PyTorch versions differ.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type Py, type PyDict, unpickle } from './unpickle.ts'

export interface RefFrame {
  readonly name: string
  readonly filename: string
  readonly line: number
}

export type RefState = 'active_allocated' | 'active_pending_free' | 'inactive'

export interface RefBlock {
  readonly address: bigint
  readonly size: number
  readonly requested: number
  readonly state: RefState
  readonly frames: readonly RefFrame[]
}

export interface RefSegment {
  readonly device: number
  readonly address: bigint
  readonly size: number
  readonly stream: bigint
  readonly large: boolean
  readonly expandable: boolean
  readonly pool: string
  readonly blocks: readonly RefBlock[]
}

export interface RefEvent {
  readonly action: string
  readonly address: bigint
  readonly size: number
  readonly stream: bigint
  readonly timeUs: number | null
  readonly deviceFree: number | null
  readonly frames: readonly RefFrame[] | null
  /** `(a,b)`; null where the entry does not say, as before PyTorch 2.12. */
  readonly pool: string | null
}

export interface RefSnapshot {
  readonly segments: readonly RefSegment[]
  readonly traces: readonly (readonly RefEvent[])[]
  readonly settings: PyDict | null
  readonly annotationCount: number
}

/** Reads a snapshot file: pickle or JSON, plain or gzip. */
export function readReference(path: string): RefSnapshot {
  const raw = readFileSync(path)
  const bytes = raw[0] === 0x1f && raw[1] === 0x8b ? gunzipSync(raw) : raw
  const isJson = bytes[0] === 0x7b || bytes[0] === 0x5b
  return toSnapshot(isJson ? (JSON.parse(bytes.toString('utf8')) as Py) : unpickle(bytes))
}

/** What a value means as a snapshot. */
export function toSnapshot(value: Py): RefSnapshot {
  const top: PyDict = Array.isArray(value) ? { segments: value, device_traces: [] } : (value as PyDict)
  return {
    segments: asList(top.segments).map(toSegment),
    traces: asList(top.device_traces).map((trace) => asList(trace).map(toEvent)),
    settings: (top.allocator_settings as PyDict | undefined) ?? null,
    annotationCount: asList(top.external_annotations).length,
  }
}

const asList = (value: Py | undefined): Py[] => (Array.isArray(value) ? value : [])
const asNumber = (value: Py | undefined, otherwise = 0): number => (value === undefined || value === null ? otherwise : Number(value))
const asAddress = (value: Py | undefined): bigint => BigInt.asUintN(64, BigInt((value as number | bigint | undefined) ?? 0))
const asText = (value: Py | undefined): string => (typeof value === 'string' ? value : '')

const asPool = (value: Py): string => `(${asList(value).join(',')})`

const toFrame = (value: Py): RefFrame => {
  const frame = value as PyDict
  return { name: asText(frame.name), filename: asText(frame.filename), line: asNumber(frame.line) }
}

/** A file names one stack by the same list each time: it is read once. */
const readStacks = new WeakMap<Py[], readonly RefFrame[]>()

function toFrames(value: Py | undefined): readonly RefFrame[] {
  const list = asList(value)
  const frames = readStacks.get(list) ?? list.map(toFrame)
  readStacks.set(list, frames)
  return frames
}

function toSegment(value: Py): RefSegment {
  const segment = value as PyDict
  const address = asAddress(segment.address)
  let next = address
  const blocks = asList(segment.blocks).map((item) => {
    const block = toBlock(item as PyDict, next)
    next = block.address + BigInt(block.size)
    return block
  })
  return {
    device: asNumber(segment.device),
    address,
    size: asNumber(segment.total_size),
    stream: asAddress(segment.stream),
    large: segment.segment_type !== 'small',
    expandable: segment.is_expandable === true,
    pool: asPool(segment.segment_pool_id ?? [0, 0]),
    blocks,
  }
}

/** Blocks of PyTorch 2.0 and before have no address and keep frames and requested size in their history. */
function toBlock(block: PyDict, running: bigint): RefBlock {
  const history = asList(block.history)[0] as PyDict | undefined
  const size = asNumber(block.size)
  const state = block.state === 'active_awaiting_free' ? 'active_pending_free' : (asText(block.state) as RefState)
  return {
    address: block.address === undefined ? running : asAddress(block.address),
    size,
    requested: state === 'inactive' ? 0 : asNumber(block.requested_size ?? history?.real_size, size),
    state,
    frames: toFrames(block.frames ?? history?.frames),
  }
}

function toEvent(value: Py): RefEvent {
  const entry = value as PyDict
  return {
    action: asText(entry.action),
    address: asAddress(entry.addr),
    size: asNumber(entry.size),
    stream: asAddress(entry.stream),
    timeUs: entry.time_us === undefined ? null : asNumber(entry.time_us),
    deviceFree: entry.device_free === undefined ? null : asNumber(entry.device_free),
    frames: entry.frames === undefined ? null : toFrames(entry.frames),
    pool: entry.pool_id === undefined ? null : asPool(entry.pool_id),
  }
}
