// Where the pinned cursor stands on the axis shown.
import type { EventState } from '../plot/placed.ts'
import type { ViewState } from '../state/view-state.ts'

/** Its x; undefined without a cursor, and on the time axis while `known` tells of another event or the capture holds no time for it. */
export function cursorX({ axis, cursorEvent }: Pick<ViewState, 'axis' | 'cursorEvent'>, known: EventState | undefined): number | undefined {
  if (axis === 'event') return cursorEvent
  return known && known.event === cursorEvent && Number.isFinite(known.timeNs) ? known.timeNs : undefined
}
