// The program behind a recording: its requests and frees, and where it emptied the cache.
import { rulesOf } from './rules.ts'
import type { RefEvent, RefSnapshot } from './snapshot.ts'

const MiB = 1 << 20

/** Bytes of a new segment for a request of `rounded` bytes. */
export function segmentBytes(rounded: number, large = 20 * MiB): number {
  if (rounded <= MiB) return 2 * MiB
  return rounded < 10 * MiB ? large : Math.ceil(rounded / (2 * MiB)) * 2 * MiB
}

export interface ProgramStep {
  readonly do: 'alloc' | 'fail' | 'request' | 'complete' | 'abandon' | 'empty' | 'emptyPool'
  readonly event: number
  readonly owner: number
  readonly bytes: number
  readonly stream: bigint
  readonly pool: string
  /** The new segment that the request got. */
  readonly segment: { readonly address: number; readonly bytes: number } | null
}

const defaultPool = '(0,0)'
const isBack = ({ action }: RefEvent) => action === 'segment_free' || action === 'segment_unmap'
const isNew = ({ action }: RefEvent) => action === 'segment_alloc' || action === 'segment_map'
const isOfProgram = ({ action }: RefEvent) => action === 'alloc' || action === 'free_requested'

/** What a failed request is taken to have asked for, of all that its rounded bytes may stand for. */
export type FailedBytes = 'likely' | 'least' | 'most'

/** Likely: as the last request that was rounded to as much. */
function failedBytes(file: RefSnapshot, at: number, failed: FailedBytes): number {
  const events = file.traces[0] ?? []
  const rounded = events[at]?.size ?? 0
  const { round } = rulesOf(file.settings)
  if (failed === 'most') return rounded
  if (failed === 'likely')
    return events.slice(0, at).findLast(({ action, size }) => action === 'alloc' && round(size) === rounded)?.size ?? rounded
  let least = rounded
  while (least > 512 && round(least - 512) === rounded) least -= 512
  return least
}

/** Steps of the first device, for recordings from the start whose events name their pools. */
export function programOf(file: RefSnapshot, failed: FailedBytes = 'likely'): ProgramStep[] {
  const events = file.traces[0] ?? []
  const steps: ProgramStep[] = []
  const open = new Map<bigint, number>()
  let segment: ProgramStep['segment'] = null
  events.forEach((event, at) => {
    const step = { event: at, owner: -1, bytes: event.size, stream: event.stream, pool: event.pool ?? defaultPool, segment: null }
    if (event.action === 'segment_alloc') segment = { address: Number(event.address), bytes: event.size }
    if (event.action === 'alloc') {
      steps.push({ ...step, do: 'alloc', owner: at, segment })
      open.set(event.address, at)
      segment = null
    }
    const owner = open.get(event.address) ?? -1
    if (event.action === 'free_requested') steps.push({ ...step, do: 'request', owner })
    if (event.action === 'free_completed') steps.push({ ...step, do: 'complete', owner })
    if (event.action === 'oom') steps.push({ ...step, do: 'fail', bytes: failedBytes(file, at, failed) })
    const before = events.slice(0, at).findLast((each) => isBack(each) || isOfProgram(each))
    if (isBack(event) && (before === undefined || !isBack(before))) steps.push(...burstSteps(file, events, at))
  })
  return steps
}

/** What the program did where a burst begins: nothing when it was the allocator's own. */
function burstSteps(file: RefSnapshot, events: readonly RefEvent[], first: number): ProgramStep[] {
  const following = events.slice(first)
  const next = following.findIndex((event) => isOfProgram(event) || isNew(event) || event.action === 'oom')
  const burst = (next < 0 ? following : following.slice(0, next)).filter(isBack)
  const step = { event: first, owner: -1, bytes: 0, stream: 0n, segment: null }
  const pools = [...new Set(burst.map(({ pool }) => pool ?? defaultPool))]
  const given = pools.filter((pool) => pool !== defaultPool).map((pool) => ({ ...step, do: 'abandon' as const, pool }))
  const event = following[next]
  if (event !== undefined && !isOfProgram(event) && isOwnDoing(file, events, first, first + next)) return given
  if (pools.includes(defaultPool)) return [...given, { ...step, do: 'empty', pool: defaultPool }]
  return [...given, ...given.map((each) => ({ ...each, do: 'emptyPool' as const }))]
}

function isOwnDoing(file: RefSnapshot, events: readonly RefEvent[], first: number, next: number): boolean {
  const event = events[next] as RefEvent
  if (event.action === 'oom') return true
  const held = (until: number) =>
    events.slice(0, until).reduce((sum, each) => sum + (isNew(each) ? each.size : isBack(each) ? -each.size : 0), 0)
  const largest = Math.max(...events.map((_, at) => held(at + 1)))
  const request = events.slice(next).find(({ action }) => action === 'alloc')
  const rules = rulesOf(file.settings)
  const rounded = rules.round(request?.size ?? 0)
  const serves = (each: RefEvent) => {
    const isRight = each.stream === request?.stream && each.pool === request?.pool && (each.size === 2 * MiB) === rounded <= MiB
    return isBack(each) && isRight && each.size >= rounded && !rules.keeps(each.size, rounded)
  }
  const isPrivate = (request?.pool ?? defaultPool) !== defaultPool
  if (isPrivate && Number(file.settings?.max_split_size ?? -1) < 0) return false
  if (request !== undefined && events.slice(first, next).some(serves)) return false
  const asked = event.action === 'segment_alloc' || request === undefined ? event.size : segmentBytes(rounded)
  return events.some(({ action }) => action === 'oom') && held(first) + asked > largest
}
