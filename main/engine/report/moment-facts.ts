// What held memory after an event, as a report tells it: the largest stacks with the frames that say who asked, the largest allocations, the
// state of the segments.
import type { CaptureKind, DeviceSummary } from '../../../preload/contract/capture.ts'
import { ok, type Result } from '../../../preload/contract/errors.ts'
import type { ReportFrames, ReportMoment, ReportStack } from '../../../preload/contract/report.ts'
import type { OpenCapture } from '../open-capture.ts'
import { liveAllocations } from '../queries/allocations.ts'
import { classifyFrame, type Frame, placeOf, type StackTitle, shortName } from '../queries/frames.ts'
import { spaceReport } from '../queries/space.ts'
import { readFrames } from '../queries/stack-titles.ts'
import { topStacks } from '../queries/stacks.ts'
import { timelineTimeOf } from '../queries/timeline.ts'

const maxStacks = 10
const maxAllocations = 10
const maxLibraryFrames = 2
const maxOwnFrames = 2
const maxPins = 8

/** Errors: as the store. */
export async function momentOf(
  capture: OpenCapture,
  { device, reservedBytes }: DeviceSummary,
  event: number,
): Promise<Result<ReportMoment>> {
  const { captureId, hasBlocks } = capture.summary
  const at = { captureId, device, event }
  const stacks = await stacksOf(capture, at)
  if (!stacks.ok) return stacks
  const live = await liveAllocations(capture, {
    ...at,
    sort: 'sizeBytes',
    descending: true,
    filter: '',
    offset: 0,
    limit: maxAllocations,
  })
  if (!live.ok) return live
  const time = event < 0 ? ok({ timeNs: null }) : await timelineTimeOf(capture, at)
  if (!time.ok) return time
  const space = hasBlocks ? await spaceReport(capture, at) : ok(null)
  if (!space.ok) return space
  const reserved = space.value ? ok(space.value.totals.reservedBytes) : await reservedAfter(capture, at, reservedBytes)
  if (!reserved.ok) return reserved
  return ok({
    event,
    timeNs: time.value.timeNs,
    allocatedBytes: space.value?.totals.allocatedBytes ?? live.value.aliveBytes,
    reservedBytes: reserved.value,
    aliveCount: live.value.aliveCount,
    stacks: stacks.value,
    largest: live.value.rows,
    space: space.value && { totals: space.value.totals, groups: space.value.groups, pins: space.value.pins.slice(0, maxPins) },
  })
}

interface Moment {
  readonly captureId: string
  readonly device: number
  readonly event: number
}

/** Of a trace: as its own events say, else what the device ends with. */
async function reservedAfter(capture: OpenCapture, { device, event }: Moment, atEnd: number): Promise<Result<number>> {
  const row = await capture.store.get('SELECT reserved_bytes FROM memory_curve WHERE device = ? AND event = ?', [device, event])
  if (!row.ok) return row
  const reserved = row.value?.reserved_bytes
  return ok(typeof reserved === 'number' ? reserved : atEnd)
}

async function stacksOf(capture: OpenCapture, at: Moment): Promise<Result<ReportStack[]>> {
  const top = await topStacks(capture, { ...at, limit: maxStacks })
  if (!top.ok) return top
  const frames = await framesOf(
    capture,
    top.value.stacks.map(({ stackId }) => stackId),
  )
  if (!frames.ok) return frames
  return ok(top.value.stacks.map(({ slot: _, ...stack }) => ({ ...stack, ...frames.value(stack.stackId) })))
}

/** Frames that only pass a call on: they tell a reader nothing. */
const passesOn = /^(?:_call_impl|_wrapped_call_impl|__call__|wrapper|inner|decorate_context|_fn)$/

/** Who called the telling frame of a stack: the nearest callers in libraries, then the user's own code, innermost first. Errors: as the store. */
export async function framesOf(capture: OpenCapture, stackIds: readonly number[]): Promise<Result<(stackId: number) => ReportFrames>> {
  const known = stackIds.filter((stackId) => stackId >= 0)
  const read = await readFrames(capture.store, known)
  if (!read.ok) return read
  const titles = await capture.titles.of(known)
  if (!titles.ok) return titles
  return ok((stackId) => callersOf(read.value.get(stackId) ?? [], titles.value(stackId), capture.summary.kind))
}

function callersOf(innermostFirst: readonly Frame[], { title, place }: StackTitle, kind: CaptureKind): ReportFrames {
  // The place of a trace's title is the line that asked, not that of the frame.
  const hasOwnPlace = kind !== 'chrome_trace' && place !== ''
  const telling = innermostFirst.findIndex((frame) => shortName(frame.name) === title && !(hasOwnPlace && placeOf(frame) !== place))
  const callers = innermostFirst.slice(telling + 1).map((frame) => ({ ...frame, kind: classifyFrame(frame, kind) }))
  const near = callers.filter((frame) => frame.kind === 'library' && !passesOn.test(frame.name)).slice(0, maxLibraryFrames)
  const own = callers.filter((frame) => frame.kind === 'own').slice(0, maxOwnFrames)
  const frames = callers.filter((frame) => near.includes(frame) || own.includes(frame))
  return { frames, leftOut: callers.length - frames.length }
}
