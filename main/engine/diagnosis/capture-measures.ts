// The measures of a capture at the moment that a diagnosis is about: the last failure, else the peak. What is heavy runs in the native library.
import { ok, type Result } from '../../../preload/contract/errors.ts'
import type { Category } from '../../../preload/contract/queries.ts'
import type { OpenCapture } from '../open-capture.ts'
import { type Stepping, stepsOf } from './annotated-steps.ts'
import { type GrowingStack, type Growth, growthOfStacks } from './growth.ts'
import { type ProvedLimits, provedLimits, tightened } from './limits.ts'
import { isLossStack } from './loss-memory.ts'
import { type AgeSums, agesAt, type CategorySum, categoriesAt } from './moment-sums.ts'
import { Reading } from './reading.ts'
import { type Recovery, recoveryAfter } from './recovery.ts'
import { type SettingOutcome, simulateSettings } from './simulations.ts'
import { isModelCopy, type Role, roleOf, titleOf } from './stack-roles.ts'
import type { Trend } from './trends.ts'

/** Memory of one stack at the moment. */
export interface HeldStack {
  readonly stackId: number
  readonly bytes: number
  readonly count: number
  readonly role: Role
  readonly title: string
  /** Made by the loss function. */
  readonly isLoss: boolean
  readonly isModelCopy: boolean // parameters that were copied: a second model
}

/** An allocation held at the moment. Those without an event were there before the history. */
export interface HeldAllocation {
  readonly stackId: number
  readonly requestedBytes: number
  /** Rounded. */
  readonly bytes: number
  readonly category: Category
  readonly allocEvent: number | null
}

export interface PoolUse {
  readonly pool: string
  readonly stream: string
  readonly segmentType: string
  readonly reserved: number
  readonly allocated: number
  readonly free: number
  readonly largestFree: number
  readonly heldBlocks: number
}

/** Free memory of one kind that the request met. */
export interface FreeKind {
  readonly bytes: number
  readonly largest: number
  readonly fitting: number
}

export interface RequestMeasures {
  /** −1 = no stack. */
  readonly stackId: number
  readonly bytes: number
  /** As the file says: what is not above 0 is no size of a request. */
  readonly givenBytes: number
  readonly segmentBytes: number
  readonly segmentType: string
  readonly stream: string
  readonly pool: string
  readonly deviceFree: number | null
  readonly role: Role
  readonly isLoss: boolean
  readonly title: string
  readonly free: FreeKind
  readonly otherPools: FreeKind
  readonly otherStreams: FreeKind
  readonly oversize: FreeKind
  /** Free blocks that there would be when every pending free had completed. */
  readonly withPending: FreeKind
  /** Bytes of whole free segments: the allocator gives them back before it fails. */
  readonly returnable: number
}

export interface CaptureMeasures {
  readonly device: number
  readonly event: number // the state after it
  readonly isFailure: boolean
  /** The last failure, where the program went on after it: then the moment is the peak. */
  readonly recovery: Recovery | null
  readonly failureCount: number
  readonly deviceFailureCount: number
  readonly eventCount: number
  /** The history does not reach back to an empty device. */
  readonly isHistoryShort: boolean
  readonly isCut: boolean // the file ends before its end: whether the program failed there is not known
  /** Segments of the file contradict their blocks, so that what is free in them is uncertain. */
  readonly isLayoutDoubtful: boolean
  /** Stacks were recorded: without them roles are unknown. */
  readonly hasStacks: boolean
  readonly request: RequestMeasures | null
  readonly reserved: number
  readonly allocated: number
  readonly active: number
  readonly requested: number
  readonly largestFree: number
  readonly pools: readonly PoolUse[]
  readonly stacks: readonly HeldStack[]
  readonly held: readonly HeldAllocation[]
  readonly heldCount: number
  readonly roleBytes: Readonly<Record<Role, number>>
  readonly categories: readonly CategorySum[]
  readonly ages: AgeSums
  /** Steps in the history: as annotated, else how often it repeats itself. */
  readonly steps: number | null
  /** Events from one repeat of the history to the next; null where it does not repeat itself. */
  readonly eventsPerRepeat: number | null
  readonly hasStepAnnotations: boolean
  readonly optimizerSteps: number
  readonly isInOptimizerStep: boolean
  /** Some stack of the capture computes gradients of single samples. */
  readonly hasPerSampleGradients: boolean
  readonly growth: readonly GrowingStack[]
  /** Allocated bytes over the events at the quiet moments. */
  readonly quietAllocated: Trend | null
  /** The last quiet moment; null where the history is too short for one. */
  readonly quietEvent: number | null
  readonly limits: ProvedLimits
  /** The step at work at the moment, counted from 1 as annotated; null where none is. */
  readonly stepAtWork: number | null
  readonly settings: string
  /** What other settings would have done about the failure; null: not known. */
  readonly outcomes: readonly SettingOutcome[] | null
}

const maxStacks = 400
/** What is beyond is counted by the pools, not one by one. */
export const maxHeld = 40_000

/** Errors: as the store. */
export async function measureCapture(capture: OpenCapture): Promise<Result<CaptureMeasures | null>> {
  const { devices } = capture.summary
  const reading = new Reading(capture.store)
  const last = await reading.row('SELECT device, event FROM oom ORDER BY time_ns DESC, event DESC LIMIT 1')
  const recovery = last ? await recoveryAfter(reading, Number(last.device), Number(last.event)) : null
  const failed = recovery ? undefined : last
  const busiest = [...devices].sort((a, b) => b.eventCount - a.eventCount || b.reservedBytes - a.reservedBytes)[0]
  const device = failed ? Number(failed.device) : busiest?.device
  const summary = devices.find((each) => each.device === device)
  if (!summary || device === undefined || !capture.summary.hasBlocks) return reading.answer(() => null)
  const event = failed ? Number(failed.event) : summary.peakEvent
  const report = await reading.json<SpaceReport>('SELECT space_report(?, ?) AS value', [device, event])
  const request = failed ? await requestAt(reading, device, event) : null
  const stacks = await heldStacks(reading, device, event)
  const held = await heldAt(reading, device, event)
  const stepping = await stepsOf(reading, device, event)
  const growth = await growthOfStacks(reading, { device, event, steps: stepping.annotated })
  const categories = await categoriesAt(reading, { device, event })
  const ages = await agesAt(reading, { device, event })
  const limits = await provedLimits(reading, device)
  const settings = await settingsOf(reading)
  const hasPerSampleGradients = await findsPerSampleGradients(reading)
  const isHistoryShort = !capture.summary.hasHistory || held.some((one) => one.allocEvent === null)
  const { eventCount } = summary
  const simulated = last ? await simulateSettings(capture, { device, eventCount, isHistoryShort }) : ok(null)
  if (!simulated.ok) return simulated
  return reading.answer(() => {
    const pools = (report?.groups ?? []).map(poolOf)
    return {
      device,
      event,
      isFailure: failed !== undefined,
      recovery,
      failureCount: devices.reduce((sum, each) => sum + each.oomCount, 0),
      deviceFailureCount: summary.oomCount,
      eventCount,
      ...defectsOf(capture.summary),
      isHistoryShort,
      hasStacks: stacks.some(({ title }) => title !== ''),
      request,
      reserved: report?.totals.reserved_bytes ?? 0,
      allocated: report?.totals.allocated_bytes ?? 0,
      active: report?.totals.active_bytes ?? 0,
      requested: report?.totals.requested_bytes ?? 0,
      largestFree: report?.totals.largest_free_bytes ?? 0,
      pools,
      stacks,
      held,
      heldCount: pools.reduce((sum, pool) => sum + pool.heldBlocks, 0),
      roleBytes: bytesByRole(stacks),
      categories,
      ages,
      ...rhythmOf(stepping, growth),
      hasPerSampleGradients,
      growth: growth.stacks,
      quietAllocated: growth.allocated,
      quietEvent: growth.quietEvent,
      limits: tightened(limits, simulated.value),
      settings,
      outcomes: failed ? (simulated.value?.outcomes ?? null) : null,
    }
  })
}

function defectsOf({ findings }: OpenCapture['summary']) {
  const has = (...codes: readonly string[]): boolean => findings.some(({ code }) => codes.includes(code))
  return { isCut: has('snapshot/truncated', 'snapshot/damaged_gzip'), isLayoutDoubtful: has('snapshot/segment_mismatch') }
}

async function settingsOf(reading: Reading): Promise<string> {
  const row = await reading.row(
    "SELECT substr(value, 1, 4000) AS value FROM metadata WHERE key = 'allocator_settings' AND octet_length(value) <= 1000000",
  )
  return typeof row?.value === 'string' ? row.value : ''
}

async function findsPerSampleGradients(reading: Reading): Promise<boolean> {
  const row = await reading.row(
    `SELECT 1 AS found FROM frame WHERE filename LIKE '%functorch/vmap.py' OR filename LIKE '%opacus%' OR filename LIKE '%grad_sample%'
       OR filename LIKE '%expanded_weights%' LIMIT 1`,
  )
  return row !== undefined
}

const leastSteps = 3

const rhythmOf = ({ annotated, work }: Stepping, { repeats, eventsPerRepeat }: Growth) => ({
  steps: stepCount(annotated, repeats),
  eventsPerRepeat,
  hasStepAnnotations: (annotated ?? 0) >= leastSteps,
  ...work,
})

/** A program whose few annotations lie before what it does now repeats itself all the same, and often. */
function stepCount(annotated: number | null, repeats: number | null): number | null {
  if (annotated === null || (annotated < leastSteps && repeats !== null && repeats > 2 * leastSteps)) return repeats
  return annotated
}

interface SpaceGroup {
  readonly pool: string
  readonly stream: string
  readonly segment_type: string
  readonly reserved_bytes: number
  readonly allocated_bytes: number
  readonly active_bytes: number
  readonly requested_bytes: number
  readonly free_bytes: number
  readonly largest_free_bytes: number
  readonly block_count: number
  readonly free_block_count: number
}

interface SpaceReport {
  readonly totals: SpaceGroup
  readonly groups: readonly SpaceGroup[]
}

const poolOf = (group: SpaceGroup): PoolUse => ({
  pool: group.pool,
  stream: group.stream,
  segmentType: group.segment_type,
  reserved: group.reserved_bytes,
  allocated: group.allocated_bytes,
  free: group.free_bytes,
  largestFree: group.largest_free_bytes,
  heldBlocks: group.block_count - group.free_block_count,
})

function bytesByRole(stacks: readonly HeldStack[]): Record<Role, number> {
  const bytes: Record<Role, number> = {
    weights: 0,
    forward: 0,
    backward: 0,
    optimizer_state: 0,
    optimizer: 0,
    cache: 0,
    graph_capture: 0,
    program: 0,
  }
  for (const stack of stacks) bytes[stack.role] += stack.bytes
  return bytes
}

interface FreeJson {
  readonly bytes: number
  readonly largest_bytes: number
  readonly fitting_count: number
}

interface WouldFit {
  readonly segment_bytes: number
  readonly segment_type: string
  readonly stream: string
  readonly pool: string
  readonly free: FreeJson
  readonly oversize: FreeJson
  readonly other_streams: FreeJson
  readonly other_pools: FreeJson
  readonly pending: FreeJson
  readonly returnable_bytes: number
}

const freeOf = ({ bytes, largest_bytes, fitting_count }: FreeJson): FreeKind => ({
  bytes,
  largest: largest_bytes,
  fitting: fitting_count,
})

async function requestAt(reading: Reading, device: number, event: number): Promise<RequestMeasures | null> {
  const oom = await reading.row(
    `SELECT o.size_bytes, o.device_free_bytes, coalesce(o.stack_id, -1) AS stack, substr(s.text, 1, 20000) AS text FROM oom AS o LEFT JOIN stack AS s USING (stack_id)
      WHERE o.device = ? AND o.event = ?`,
    [device, event],
  )
  if (!oom) return null
  // A damaged snapshot may ask for nothing, or for more than there is: the nearest that can be asked for is told of.
  const bytes = Math.min(Math.max(Number(oom.size_bytes), 1), Number.MAX_SAFE_INTEGER)
  // The state before the request is that after it: a failure changes nothing.
  const fit = await reading.json<WouldFit>(
    `SELECT would_fit(e.device, e.event, ?, e.stream, e.pool) AS value FROM event AS e WHERE e.device = ? AND e.event = ?`,
    [bytes, device, event],
  )
  if (!fit) return null
  const text = typeof oom.text === 'string' ? oom.text : null
  return {
    stackId: Number(oom.stack),
    bytes,
    givenBytes: Number(oom.size_bytes),
    segmentBytes: fit.segment_bytes,
    segmentType: fit.segment_type,
    stream: fit.stream,
    pool: fit.pool,
    deviceFree: typeof oom.device_free_bytes === 'number' ? oom.device_free_bytes : null,
    role: roleOf(text),
    isLoss: isLossStack(text),
    title: titleOf(text),
    free: freeOf(fit.free),
    otherPools: freeOf(fit.other_pools),
    otherStreams: freeOf(fit.other_streams),
    oversize: freeOf(fit.oversize),
    withPending: freeOf(fit.pending),
    returnable: fit.returnable_bytes,
  }
}

async function heldStacks(reading: Reading, device: number, event: number): Promise<HeldStack[]> {
  const top = await reading.json<{ stack_id: number; bytes: number; count: number }[]>('SELECT top_stacks(?, ?, ?) AS value', [
    device,
    event,
    maxStacks,
  ])
  const texts = await reading.stackTexts((top ?? []).map((stack) => stack.stack_id))
  const areRecorded = [...texts.values()].some((text) => text.trim() !== '')
  return (top ?? []).map(({ stack_id, bytes, count }) => {
    const text = texts.get(stack_id) ?? null
    // Where no stack at all was recorded, a missing one is no sign of the backward pass.
    const role = areRecorded ? roleOf(text) : 'program'
    return { stackId: stack_id, bytes, count, role, title: titleOf(text), isLoss: isLossStack(text), isModelCopy: isModelCopy(text) }
  })
}

async function heldAt(reading: Reading, device: number, event: number): Promise<HeldAllocation[]> {
  const rows = await reading.rows(
    `SELECT coalesce(stack_id, -1) AS stack, requested_bytes, size_bytes, category_of(device, allocation_id) AS category, alloc_event
      FROM live_allocation(?, ?) LIMIT ${maxHeld}`,
    [device, event],
  )
  return rows.map((row) => ({
    stackId: Number(row.stack),
    requestedBytes: Number(row.requested_bytes),
    bytes: Number(row.size_bytes),
    category: String(row.category) as Category,
    allocEvent: typeof row.alloc_event === 'number' ? row.alloc_event : null,
  }))
}
