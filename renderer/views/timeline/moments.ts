// Questions that screen and finished pictures share.
import { ok, type Result } from '../../../preload/contract/errors.ts'
import type { Axis } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import type { Range } from '../../state/view-state.ts'
import type { PlacedOutline } from './timeline-data.ts'

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
