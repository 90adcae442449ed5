// Puts the model's input together from the capture, the view state and the engine's answers.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { Measure } from '../../scene/display-list.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { shownEvent } from '../../state/moment.ts'
import type { Range, ViewState } from '../../state/view-state.ts'
import type { Tokens } from '../../theme/tokens.ts'
import { type BlocksData, type Moment, sameMoment } from './blocks-data.ts'
import type { BlocksState } from './blocks-state.ts'
import { type BlocksLayout, fittingRowPx, mostScrollPx } from './layout.ts'
import type { LineList } from './lines.ts'
import { type BlocksInput, homeOf, type Request } from './model-input.ts'
import { parseSize } from './sizes.ts'
import { blocksText } from './texts.ts'

/** The moment the view is about. */
export function momentOf(capture: CaptureSummary, view: ViewState): Moment | undefined {
  const device = deviceOf(capture, view.device)
  return device && { device: device.device, event: shownEvent(view, device) }
}

/** True where rows name their stream and pool because there are several. */
export const hasOrigin = ({ streams, pools }: CaptureSummary): boolean => streams.length > 1 || pools.length > 1

/** The failure that happened at a moment. */
export const oomAt = (capture: CaptureSummary, moment: Moment) =>
  deviceOf(capture, moment.device)?.ooms.find(({ event }) => event === moment.event)

/** The size whose place is looked for: as typed, else that of the request which failed at this moment. */
export function requestBytes(capture: CaptureSummary, moment: Moment, state: Pick<BlocksState, 'request'>): number | undefined {
  return state.request === undefined ? oomAt(capture, moment)?.sizeBytes : parseSize(state.request)
}

/** True where the request has its place: one is typed, or the history holds a failure, so that nothing jumps when it comes by. */
export function keepsRequest(capture: CaptureSummary, device: number | undefined, { request }: Pick<BlocksState, 'request'>): boolean {
  return request !== undefined || (device !== undefined && (deviceOf(capture, device)?.ooms.length ?? 0) > 0)
}

/** The request with the engine's answer, when it is about the same size. */
export function requestOf(
  capture: CaptureSummary,
  moment: Moment,
  state: Pick<BlocksState, 'request' | 'stream' | 'pool'>,
  fit: BlocksData['fit'],
): Request | undefined {
  const bytes = requestBytes(capture, moment, state)
  if (bytes === undefined) return undefined
  const isFailed = state.request === undefined && state.stream === undefined && state.pool === undefined
  const answer = sameMoment(fit, moment) && fit?.value.requested === bytes ? fit : undefined
  return { bytes, isFailed, fit: answer?.value, refused: answer?.refused }
}

export interface Viewport {
  readonly home: Range
  readonly visible: Range
  readonly rowPx: number
  readonly scrollPx: number
}

/** What of the lines is in sight; the scroll stays inside what there is. `heldX`: x ends there whatever is asked for, unless a line is longer. */
export function viewportOf(
  list: LineList,
  state: Pick<BlocksState, 'visible' | 'rowPx' | 'scrollPx' | 'scaling'>,
  layout: BlocksLayout,
  bytes: number | undefined,
  heldX: number | undefined,
): Viewport {
  const isHeld = heldX !== undefined && state.scaling !== 'normalise'
  const home = isHeld ? { x0: 0, x1: Math.max(heldX, list.longest) } : homeOf(list.longest, bytes, state.scaling)
  const rowPx = state.rowPx ?? fittingRowPx(list.lines.length, layout.rows.heightPx)
  const scrollPx = Math.min(state.scrollPx, mostScrollPx(list.lines.length, rowPx, layout.rows))
  return { home, visible: state.visible ?? home, rowPx, scrollPx }
}

/** The model's input; undefined until there is a picture of the device in front. */
export function assemble(
  capture: CaptureSummary,
  view: ViewState,
  state: BlocksState,
  data: BlocksData,
  tokens: Tokens,
  measure: Measure,
): BlocksInput | undefined {
  const { picture, layout } = data
  if (!layout || picture?.device !== view.device) return undefined
  const shown: Moment = { device: picture.device, event: picture.event }
  const request = requestOf(capture, shown, state, data.fit)
  const viewport = viewportOf(picture.list, state, layout, request?.bytes, data.heldX)
  const { selected, change } = data
  return {
    picture,
    ...viewport,
    layout,
    selected: sameMoment(selected, shown) && selected?.block.allocationId === view.selectedAllocation ? selected?.block : undefined,
    segment: state.segment,
    request,
    change: sameMoment(change, shown) ? change?.value : undefined,
    isFlashing: data.isFlashing,
    dragging: data.dragging,
    isFinished: false,
    hasOrigin: hasOrigin(capture),
    tokens,
    measure,
    t: blocksText,
  }
}
