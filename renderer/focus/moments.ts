// Questions about one moment.
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import { engine } from '../data/engine-client.ts'
import { type EventState, stateAt } from '../plot/placed.ts'

/** What the curves show after an event. */
export async function askMoment(captureId: string, device: number, event: number): Promise<Result<EventState>> {
  const range = { x0: event, x1: event + 1 }
  const answer = await engine.call('timeline.curves', { captureId, device, axis: 'event', ...range, columns: 1 })
  return answer.ok ? ok({ ...stateAt({ range, axis: 'event', device, data: answer.value }, 0), event }) : answer
}

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
