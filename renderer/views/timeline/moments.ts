// Questions about one moment and one allocation that screen and finished pictures share.
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import type { Axis } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import type { Range } from '../../state/view-state.ts'
import { type EventState, type PlacedOutline, stateAt } from './timeline-data.ts'

/** What the curves show after an event. */
export async function askMoment(captureId: string, device: number, event: number): Promise<Result<EventState>> {
  const range = { x0: event, x1: event + 1 }
  const answer = await engine.call('timeline.curves', { captureId, device, axis: 'event', ...range, columns: 1 })
  return answer.ok ? ok({ ...stateAt({ range, axis: 'event', device, data: answer.value }, 0), event }) : answer
}

export interface OutlinePlace {
  readonly captureId: string
  readonly device: number
  readonly axis: Axis
  readonly range: Range
  readonly columns: number
}

/** Where an allocation lies in the picture. `bytes`: its size. */
export async function askOutline(place: OutlinePlace, allocationId: number, bytes: number): Promise<Result<PlacedOutline>> {
  const { captureId, device, axis, range, columns } = place
  const answer = await engine.call('timeline.outline', { captureId, device, axis, ...range, columns, allocationId })
  return answer.ok ? ok({ range, axis, device, allocationId, bytes, data: answer.value }) : answer
}

/** The event whose largest stacks are shown: the cursor's, else the peak's. */
export const stacksEvent = (cursorEvent: number | undefined, device: { readonly peakEvent: number }): number =>
  cursorEvent ?? device.peakEvent

/** Bytes allocated after that event. */
export async function allocatedAt(
  captureId: string,
  device: { readonly device: number; readonly peakEvent: number; readonly peakAllocatedBytes: number },
  event: number,
): Promise<Result<number>> {
  if (event === device.peakEvent) return ok(device.peakAllocatedBytes)
  const state = await askMoment(captureId, device.device, event)
  if (!state.ok) return state
  return Number.isNaN(state.value.allocated) ? fail('query/failed', `no state after event ${event}`) : ok(state.value.allocated)
}
