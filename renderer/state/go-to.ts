// Jumps to an event, a time, an address or an allocation of the active capture.
import type { CaptureSummary, DeviceSummary } from '../../preload/contract/capture.ts'
import { namedAllocation } from '../../preload/contract/filter/named-allocation.ts'
import { engine } from '../data/engine-client.ts'
import { deviceOf } from './initial-view.ts'
import { patchView, type Range, type ViewState, viewOf } from './view-state.ts'

type Oom = DeviceSummary['ooms'][number]

export type Target =
  | { readonly kind: 'event'; readonly event: number }
  | { readonly kind: 'time'; readonly timeNs: number }
  | { readonly kind: 'find'; readonly text: string } // an allocation: its address, b…_n (n-th use of an address) or #id

const timeUnits: Readonly<Record<string, number>> = { ns: 1, us: 1e3, µs: 1e3, μs: 1e3, ms: 1e6, s: 1e9, min: 60e9 }

/** Reads what a user typed to go somewhere: event 2480 or 2,480; 1.5ms; allocation #7, 0x7f… or b7f…_0. undefined: nothing of these. */
export function parseTarget(text: string): Target | undefined {
  const typed = text.trim()
  if (typed === '') return undefined
  const plain = typed.replace(/(?<=\d)[,_\s](?=\d{3}\b)/g, '')
  if (/^\d+$/.test(plain)) return { kind: 'event', event: Number(plain) }
  const time = /^(\d+(?:\.\d+)?)\s*(ns|us|µs|μs|ms|s|min)$/.exec(plain)
  const unit = time?.[2] === undefined ? undefined : timeUnits[time[2]]
  if (time && unit !== undefined) return { kind: 'time', timeNs: Number(time[1]) * unit }
  const found = namedAllocation(typed)
  return found === undefined ? undefined : { kind: 'find', text: found }
}

/** Moves a range so that x lies inside, by the middle when it did not; the width stays. */
export function rangeAround(visible: Range, full: Range, x: number): Range {
  if (x >= visible.x0 && x < visible.x1) return visible
  const width = visible.x1 - visible.x0
  const x0 = Math.max(full.x0, Math.min(x - width / 2, full.x1 - width))
  return { x0, x1: x0 + width }
}

async function axisPosition(captureId: string, view: ViewState, event: number): Promise<number | undefined> {
  if (view.axis === 'event') return event
  const answer = await engine.call('timeline.timeOf', { captureId, device: view.device, event })
  return answer.ok ? (answer.value.timeNs ?? undefined) : undefined
}

/** Pins the cursor to an event of the device in view and brings it into sight. */
export async function goToEvent(captureId: string, event: number, patch: Partial<ViewState> = {}): Promise<void> {
  const view = viewOf(captureId)
  if (!view) return
  const x = await axisPosition(captureId, view, event)
  const now = viewOf(captureId) // the user may have moved on while the engine answered
  if (!now || now.device !== view.device || now.axis !== view.axis) return
  patchView(captureId, { ...patch, cursorEvent: event, ...(x === undefined ? {} : { visible: rangeAround(now.visible, now.full, x) }) })
}

/** Selects an allocation and pins the cursor to where it begins. What was made before the history begins nowhere: its start is shown. */
export async function goToAllocation(
  captureId: string,
  { allocationId, allocEvent }: { readonly allocationId: number; readonly allocEvent: number | null },
): Promise<void> {
  const patch = { selectedAllocation: allocationId, showDetails: true }
  if (allocEvent !== null) return goToEvent(captureId, allocEvent, patch)
  const view = viewOf(captureId)
  if (view) patchView(captureId, { ...patch, visible: rangeAround(view.visible, view.full, view.full.x0) })
}

/** Shows what lies at an address: its block, or its segment alone. */
type AddressFinder = (address: string, what: 'block' | 'segment') => Promise<boolean>
let addressFinder: AddressFinder | undefined

let awaited: Parameters<AddressFinder> | undefined

/** The view of addresses that comes to the front next shows what lies at this one. */
export function showAddressNext(address: string): void {
  awaited = [address, 'block']
}

/** The view of addresses that comes to the front next shows the segment of this one and selects nothing in it. */
export function showSegmentNext(address: string): void {
  awaited = [address, 'segment']
}

/** While a view of addresses is in front, it finds what lies at one at its moment; answers the removal. */
export function registerAddressFinder(finder: AddressFinder): () => void {
  addressFinder = finder
  const next = awaited
  awaited = undefined
  if (next) void finder(...next)
  return () => {
    if (addressFinder === finder) addressFinder = undefined
  }
}

/** Goes to what the user typed; false when the capture does not hold it. */
export async function goTo(capture: CaptureSummary, target: Target): Promise<boolean> {
  const { captureId } = capture
  const view = viewOf(captureId)
  if (!view) return false
  const { device } = view
  const last = (deviceOf(capture, device)?.eventCount ?? 0) - 1
  if (target.kind === 'event') {
    if (target.event > last) return false
    await goToEvent(captureId, target.event)
    return true
  }
  if (target.kind === 'time') {
    const answer = await engine.call('timeline.eventAt', { captureId, device, timeNs: target.timeNs })
    if (!answer.ok) return false
    await goToEvent(captureId, Math.max(0, answer.value.event))
    return true
  }
  if (/^0x[0-9a-f]+$/.test(target.text) && addressFinder && (await addressFinder(target.text, 'block'))) return true
  const found = await engine.call('allocation.find', { captureId, device, text: target.text })
  if (!found.ok || !found.value.allocation) return false
  await goToAllocation(captureId, found.value.allocation)
  return true
}

/** The failure to allocate on which the cursor stands. */
export function failureAtCursor(capture: CaptureSummary, view: Pick<ViewState, 'device' | 'cursorEvent'>): Oom | undefined {
  return deviceOf(capture, view.device)?.ooms.find(({ event }) => event === view.cursorEvent)
}

/** Pins the cursor to a failure and tells about it in the drawer, where a selected allocation would come before it. */
export const goToFailure = (captureId: string, event: number): Promise<void> =>
  goToEvent(captureId, event, { selectedAllocation: undefined, showDetails: true })

/** The out-of-memory event after (or before) the cursor; the first (last) one beyond the end. */
export function neighbourOom(capture: CaptureSummary, direction: 1 | -1): number | undefined {
  const view = viewOf(capture.captureId)
  const events = (view ? (deviceOf(capture, view.device)?.ooms ?? []) : []).map((oom) => oom.event)
  const cursor = view?.cursorEvent
  if (direction > 0) return events.find((event) => cursor === undefined || event > cursor) ?? events[0]
  return events.findLast((event) => cursor === undefined || event < cursor) ?? events.at(-1)
}
