// What the user does to this view alone, as functions on its stores. Commands, pointers and panels call these.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { Segments } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import * as selection from '../../focus/selection-actions.ts'
import type { GroupRow } from '../../space/groups.ts'
import type { Line, Part } from '../../space/measures.ts'
import { showAddressNext, showSegmentNext } from '../../state/go-to.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { shownEvent } from '../../state/moment.ts'
import { patchView, type ViewState, viewOf } from '../../state/view-state.ts'
import { fragmentationData } from './fragmentation-data.ts'

/** Shows the block map at the moment shown here, with what `patch` selects. */
export function showBlocks(capture: CaptureSummary, patch: Partial<ViewState> = {}): void {
  const view = viewOf(capture.captureId)
  const device = view && deviceOf(capture, view.device)
  if (!device) return
  const event = shownEvent(view, device)
  patchView(capture.captureId, { ...patch, ...(event >= 0 ? { cursorEvent: event } : {}), view: 'blocks' })
}

/** Shows the block map with what lies at an address at the moment shown here. */
function showAddress(capture: CaptureSummary, address: string): void {
  showAddressNext(address)
  showBlocks(capture)
}

/** Shows the block map with a segment selected, and nothing else. */
export function showSegment(capture: CaptureSummary, address: string): void {
  showSegmentNext(address)
  showBlocks(capture, { selectedAllocation: undefined })
}

/** Segments of one pool, stream and class. */
export type SegmentKind = Pick<GroupRow, 'pool' | 'stream' | 'segmentType'>

/** Shows the largest free block in the block map, of all segments or of one kind; the moment alone where nothing is free. */
export async function showLargestFree(capture: CaptureSummary, kind?: SegmentKind): Promise<void> {
  const { captureId } = capture
  const view = viewOf(captureId)
  const device = view && deviceOf(capture, view.device)
  if (!device) return
  const event = shownEvent(view, device)
  const answer = await engine.latest('fragmentation.largest', 'blocks.segments', {
    captureId,
    device: device.device,
    event,
    order: 'address',
  })
  const now = viewOf(captureId)
  if (!answer.ok || !now || now.view !== view.view || now.device !== view.device) return
  const address = largestFreeAddress(answer.value, kind)
  if (address === undefined) showBlocks(capture)
  else showAddress(capture, address)
}

/** Address of the largest free block, the lowest of several. */
export function largestFreeAddress(segments: Segments, kind?: SegmentKind): string | undefined {
  let best = -1
  for (const [index, bytes] of segments.largestFreeBytes.entries()) {
    const isOfKind =
      kind === undefined ||
      (segments.pools[index] === kind.pool &&
        segments.streams[index] === kind.stream &&
        (segments.isSmall[index] === 1) === (kind.segmentType === 'small'))
    if (isOfKind && bytes > (segments.largestFreeBytes[best] ?? 0)) best = index
  }
  const start = segments.addresses[best]
  return start === undefined ? undefined : `0x${(BigInt(start) + BigInt(segments.largestFreeOffset[best] ?? 0)).toString(16)}`
}

/** Selects a live allocation and shows it in the block map. */
export const showHolder = (capture: CaptureSummary, allocationId: number): void =>
  showBlocks(capture, { selectedAllocation: allocationId, showDetails: true })

/** Lets a part or line stand out, or all alike when it did already. */
export function toggleEmphasis({ captureId }: CaptureSummary, name: Part | Line): void {
  const store = fragmentationData(captureId)
  store.setState({ emphasis: store.getState().emphasis === name ? undefined : name })
}

/** True while Esc has something to take away. */
export const canStepBack = (capture: CaptureSummary): boolean =>
  fragmentationData(capture.captureId).getState().emphasis !== undefined || selection.canStepBack(capture)

/** One step back: the emphasis first, then what every view takes away. */
export function stepBack(capture: CaptureSummary): void {
  const store = fragmentationData(capture.captureId)
  if (store.getState().emphasis === undefined) selection.stepBack(capture)
  else store.setState({ emphasis: undefined })
}
