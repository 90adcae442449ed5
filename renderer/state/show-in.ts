// "Show in …": another view of the same cursor and selection, with the selected allocation in sight.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { AllocationDetails } from '../../preload/contract/queries.ts'
import type { ViewId } from '../../preload/contract/shell.ts'
import { engine } from '../data/engine-client.ts'
import { rangeAround } from './go-to.ts'
import { deviceOf } from './initial-view.ts'
import { shownEvent } from './moment.ts'
import { patchView, type Range, type ViewState, viewOf } from './view-state.ts'

/** Views that show one moment; the others show a range. */
const ofOneMoment: ReadonlySet<ViewId> = new Set(['blocks', 'fragmentation', 'flame'])

type Life = Pick<AllocationDetails, 'allocEvent' | 'freeRequestedEvent' | 'allocTimeNs' | 'freeTimeNs'>

/** The event at which the allocation is seen: the one shown while it is alive there, else that of its birth. */
export function eventInLife(life: Pick<Life, 'allocEvent' | 'freeRequestedEvent'>, shown: number): number {
  const first = life.allocEvent ?? -1
  const end = life.freeRequestedEvent ?? Number.POSITIVE_INFINITY
  return shown >= first && shown < end ? shown : first
}

/** The visible range moved so that it holds a part of the allocation's life; the same range when it does already. */
export function rangeOnLife({ axis, visible, full }: Pick<ViewState, 'axis' | 'visible' | 'full'>, life: Life): Range {
  const [start, end] = axis === 'event' ? [life.allocEvent, life.freeRequestedEvent] : [life.allocTimeNs, life.freeTimeNs]
  const isInSight = (start ?? full.x0) < visible.x1 && (end ?? full.x1) >= visible.x0
  return isInSight ? visible : rangeAround(visible, full, start ?? full.x0)
}

/** Shows a view; the selected allocation lies in sight there. */
export async function showIn(capture: CaptureSummary, view: ViewId): Promise<void> {
  const { captureId } = capture
  patchView(captureId, { view })
  const allocationId = viewOf(captureId)?.selectedAllocation
  if (allocationId === undefined) return
  const answer = await engine.call('allocation.details', { captureId, allocationId })
  const now = viewOf(captureId)
  const device = now && deviceOf(capture, now.device)
  if (!answer.ok || !device || now.view !== view || now.selectedAllocation !== allocationId) return
  if (!ofOneMoment.has(view)) {
    patchView(captureId, { visible: rangeOnLife(now, answer.value) })
    return
  }
  const shown = shownEvent(now, device)
  const event = eventInLife(answer.value, shown)
  if (event !== shown) patchView(captureId, { cursorEvent: event })
}
