// Which events lie in a range, on either axis; one place, so that numbers about a range stay the same when the axis is switched.
import type { DeviceSummary } from '../../preload/contract/capture.ts'
import type { Axis } from '../../preload/contract/queries.ts'
import { engine } from '../data/engine-client.ts'
import { wholeEvents } from '../plot/scales.ts'
import type { Range } from '../state/view-state.ts'

interface Place {
  readonly captureId: string
  readonly device: DeviceSummary
}

/** Events [x0, x1) inside a range of an axis (x0 = x1: none); undefined when the engine gives no answer. */
export async function eventsInside({ captureId, device }: Place, axis: Axis, range: Range): Promise<Range | undefined> {
  if (axis === 'event') return wholeEvents(device.eventCount, range)
  // The first event at or after a time is the one after the last before it.
  const lastBefore = (timeNs: number) =>
    engine.call('timeline.eventAt', { captureId, device: device.device, timeNs: Math.ceil(timeNs) - 1 })
  const [before, last] = await Promise.all([lastBefore(range.x0), lastBefore(range.x1)])
  return before.ok && last.ok ? wholeEvents(device.eventCount, { x0: before.value.event + 1, x1: last.value.event + 1 }) : undefined
}

/**
 * The same stretch on the other axis: the events inside it, or from the first to the last of these events in time. Where no event is
 * inside it begins at the next one. undefined when the engine gives no answer or an event has no time.
 */
export async function onOtherAxis(place: Place, axis: Axis, range: Range): Promise<Range | undefined> {
  const events = await eventsInside(place, axis, range)
  if (!events) return undefined
  const first = Math.min(events.x0, place.device.eventCount - 1)
  if (axis === 'time') return { x0: first, x1: Math.max(events.x1, first + 1) }
  const { captureId, device } = place
  const timeOf = (event: number) => engine.call('timeline.timeOf', { captureId, device: device.device, event })
  const [from, to] = await Promise.all([timeOf(first), timeOf(Math.max(first, events.x1 - 1))])
  if (!from.ok || !to.ok || from.value.timeNs === null || to.value.timeNs === null) return undefined
  return { x0: from.value.timeNs, x1: Math.max(to.value.timeNs, from.value.timeNs) + 1 }
}
