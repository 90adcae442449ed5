// What the user does to the block map, as functions on its state. Commands, pointer and panels call these.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import {
  type BlockAt,
  type BlockColor,
  blockColorSchema,
  type SegmentOrder,
  segmentOrderSchema,
} from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { measureOnScreen } from '../../scene/live-scene.ts'
import { patchView, type Range, viewOf } from '../../state/view-state.ts'
import { currentTokens } from '../../theme/theme.ts'
import { announce } from '../../widgets/announce.ts'
import { assemble, momentOf } from './assemble.ts'
import { blocksData } from './blocks-data.ts'
import { blocksState, patchBlocks } from './blocks-state.ts'
import { mostScrollPx, steppedRowPx } from './layout.ts'
import { addressAt, addressBeyond, firstRowOf, placeOfAddress, type Scaling, stretchesOf } from './lines.ts'
import { type BlocksInput, rowsInSight, scaleOfLine, spanOf } from './model-input.ts'
import { blocksText } from './texts.ts'

const leastSpanBytes = 2048
const focusMargin = 0.6 // of the block, on either side

/** The model's input as drawn now. */
export function inputOf(capture: CaptureSummary): BlocksInput | undefined {
  const { captureId } = capture
  const view = viewOf(captureId)
  return (
    view && assemble(capture, view, blocksState(captureId).getState(), blocksData(captureId).getState(), currentTokens(), measureOnScreen())
  )
}

/** Shows a stretch of the lines, kept inside what there is; everything when it covers all. */
export function showRange(capture: CaptureSummary, range: Range): void {
  const input = inputOf(capture)
  if (!input) return
  const { home } = input
  const span = Math.min(Math.max(spanOf(range), Math.min(leastSpanBytes, spanOf(home))), spanOf(home))
  const x0 = Math.min(Math.max((range.x0 + range.x1 - span) / 2, home.x0), home.x1 - span)
  patchBlocks(capture.captureId, { visible: span >= spanOf(home) * 0.999 ? undefined : { x0, x1: x0 + span } })
}

/** Zooms about x (default: the selected block when it is in sight, else the middle). */
export function zoomBy(capture: CaptureSummary, factor: number, x?: number): void {
  const input = inputOf(capture)
  if (!input) return
  const { x0, x1 } = input.visible
  const about = x ?? selectedX(input) ?? (x0 + x1) / 2
  showRange(capture, { x0: about - (about - x0) / factor, x1: about + (x1 - about) / factor })
}

function selectedX(input: BlocksInput): number | undefined {
  const place = input.selected && stretchOf(input, input.selected)
  const x = place && (place.x0 + place.x1) / 2
  return x !== undefined && x > input.visible.x0 && x < input.visible.x1 ? x : undefined
}

/** Pans by a share of the visible span. */
export function panBy(capture: CaptureSummary, share: number): void {
  const visible = inputOf(capture)?.visible
  if (!visible) return
  const shift = spanOf(visible) * share
  showRange(capture, { x0: visible.x0 + shift, x1: visible.x1 + shift })
}

/** Everything along the lines; a second time, all lines as high as fits. */
export function fitAll(capture: CaptureSummary): void {
  const { visible } = blocksState(capture.captureId).getState()
  patchBlocks(capture.captureId, visible ? { visible: undefined } : { visible: undefined, rowPx: undefined })
}

/** Scrolls the rows, inside what there is. */
export function scrollTo(capture: CaptureSummary, scrollPx: number): void {
  const input = inputOf(capture)
  if (!input) return
  const most = mostScrollPx(input.picture.list.lines.length, input.rowPx, input.layout.rows)
  const next = Math.min(Math.max(scrollPx, 0), most)
  if (next !== blocksState(capture.captureId).getState().scrollPx) patchBlocks(capture.captureId, { scrollPx: next })
}

/** Higher (+1) or lower (−1) rows; the row at `yPx` of the canvas stays there. */
export function stepRows(capture: CaptureSummary, direction: 1 | -1, yPx?: number): void {
  const input = inputOf(capture)
  if (!input) return
  const rowPx = steppedRowPx(input.rowPx, direction)
  const belowTop = (yPx ?? input.layout.rows.yPx) - input.layout.rows.yPx
  const rows = (input.scrollPx + belowTop) / input.rowPx
  patchBlocks(capture.captureId, { rowPx })
  scrollTo(capture, rows * rowPx - belowTop)
}

/** Brings a row into sight, to the middle when it was not. */
function revealRow(capture: CaptureSummary, input: BlocksInput, row: number): void {
  const { rowPx, scrollPx, layout } = input
  const top = row * rowPx
  if (top >= scrollPx && top + rowPx <= scrollPx + layout.rows.heightPx) return
  scrollTo(capture, top - (layout.rows.heightPx - rowPx) / 2)
}

interface PlacedStretch extends Range {
  readonly row: number
}

/** Where a block lies: its first line, and its stretch of that line at the shown scale. */
function stretchOf(input: BlocksInput, block: Pick<BlockAt, 'address' | 'sizeBytes'>): PlacedStretch | undefined {
  const { picture } = input
  const place = placeOfAddress(picture.segments, block.address)
  const stretch = place && stretchesOf(picture.list, place.segment, place.offset, block.sizeBytes)[0]
  const line = stretch && picture.list.lines[stretch.row]
  if (!line) return undefined
  const scale = scaleOfLine(input, line)
  return { row: stretch.row, x0: stretch.from * scale, x1: stretch.to * scale }
}

/** Scrolls and pans to the selected allocation when it is out of sight. */
export function scrollToSelected(capture: CaptureSummary): void {
  const input = inputOf(capture)
  const place = input?.selected && stretchOf(input, input.selected)
  if (!input || !place) return
  revealRow(capture, input, place.row)
  const { x0, x1 } = input.visible
  if (place.x1 > x0 && place.x0 < x1) return
  const centre = (place.x0 + place.x1) / 2
  showRange(capture, { x0: centre - (x1 - x0) / 2, x1: centre + (x1 - x0) / 2 })
}

/** Zooms to a block; when it is what is shown already, to everything. */
export function zoomToBlock(capture: CaptureSummary, block: Pick<BlockAt, 'address' | 'sizeBytes'>): void {
  const input = inputOf(capture)
  const place = input && stretchOf(input, block)
  if (!input || !place) return
  const margin = Math.max(spanOf(place) * focusMargin, leastSpanBytes / 2)
  const wanted = { x0: Math.max(0, place.x0 - margin), x1: place.x1 + margin }
  const { visible } = input
  const isThere =
    Math.abs(wanted.x0 - visible.x0) < spanOf(visible) * 0.02 && Math.abs(spanOf(wanted) - spanOf(visible)) < spanOf(visible) * 0.05
  if (isThere) fitAll(capture)
  else {
    revealRow(capture, input, place.row)
    showRange(capture, wanted)
  }
}

/** Zooms to the selected allocation, else to everything. */
export function focusSelection(capture: CaptureSummary): void {
  const selected = inputOf(capture)?.selected
  if (selected) zoomToBlock(capture, selected)
  else fitAll(capture)
}

/** The block that contains an address at the moment shown. */
export async function blockAt(capture: CaptureSummary, address: string): Promise<BlockAt | undefined> {
  const { captureId } = capture
  const view = viewOf(captureId)
  const moment = view && momentOf(capture, view)
  if (!moment) return undefined
  const answer = await engine.latest('blocks.pick', 'blocks.at', { captureId, ...moment, address })
  return answer.ok ? (answer.value.block ?? undefined) : undefined
}

/** Selects what a block holds; a free block selects nothing. */
export function selectBlock(capture: CaptureSummary, block: BlockAt | undefined): void {
  const allocationId = block?.allocationId ?? undefined
  patchView(
    capture.captureId,
    allocationId === undefined ? { selectedAllocation: undefined } : { selectedAllocation: allocationId, showDetails: true },
  )
}

/** Selects the segment of an address, or takes the selection away when it was selected. */
export function toggleSegment(capture: CaptureSummary, address: string): void {
  const { segment } = blocksState(capture.captureId).getState()
  patchBlocks(capture.captureId, { segment: segment === address ? undefined : address })
}

/** Brings a segment into sight; false while there is no picture. */
function revealSegment(capture: CaptureSummary, address: string): boolean {
  const input = inputOf(capture)
  if (!input) return false
  const segment = input.picture.segments.addresses.indexOf(address)
  if (segment >= 0) revealRow(capture, input, firstRowOf(input.picture.list.lines, segment))
  return true
}

let stopWaiting = (): void => {}

/** A segment that waits for a picture is no longer brought into sight: the view ends. */
export const endWaiting = (): void => stopWaiting()

/** Selects a segment and brings it into sight, once there is a picture, unless another is selected before. */
export function showSegment(capture: CaptureSummary, address: string): void {
  const { captureId } = capture
  stopWaiting()
  patchBlocks(captureId, { segment: address })
  if (revealSegment(capture, address)) return
  const stops = [
    blocksData(captureId).subscribe(() => revealSegment(capture, address) && stopWaiting()),
    blocksState(captureId).subscribe(({ segment }) => segment !== address && stopWaiting()),
  ]
  stopWaiting = () => {
    for (const stop of stops) stop()
  }
}

/** Selects the segment that holds an address at the moment shown, and centres its block unless only the segment is asked for; false where none holds it. */
export async function goToAddress(capture: CaptureSummary, address: string, what: 'block' | 'segment' = 'block'): Promise<boolean> {
  const device = viewOf(capture.captureId)?.device
  const block = await blockAt(capture, address)
  if (viewOf(capture.captureId)?.device !== device) return true // the user moved on while the engine answered: nothing else is to be tried
  if (!block) return false
  if (what === 'segment') {
    showSegment(capture, block.segmentAddress)
    return true
  }
  patchBlocks(capture.captureId, { segment: block.segmentAddress })
  selectBlock(capture, block)
  zoomToBlock(capture, block)
  return true
}

/** Selects the next (+1) or previous (−1) allocation by place, and says so when there is none; starts at the top of what is in sight. */
export async function selectNeighbour(capture: CaptureSummary, direction: 1 | -1): Promise<void> {
  const input = inputOf(capture)
  if (!input) return
  let address: string | undefined = input.selected ? addressBeyond(input.picture.segments, input.selected, direction) : firstInSight(input)
  while (address !== undefined) {
    const block = await blockAt(capture, address)
    if (!block || viewOf(capture.captureId)?.device !== input.picture.device) return
    if (block.allocationId !== null) return selectBlock(capture, block)
    address = addressBeyond(input.picture.segments, block, direction)
  }
  announce(blocksText('noNeighbour'))
}

function firstInSight({ picture, rowPx, scrollPx, layout, visible }: BlocksInput): string | undefined {
  const [row] = rowsInSight(picture.list.lines.length, rowPx, scrollPx, layout.rows)
  const line = picture.list.lines[row]
  return line && addressAt(picture.segments, line.segment, line.offset + Math.min(Math.max(0, visible.x0), line.bytes - 1))
}

export const setOrder = (capture: CaptureSummary, order: SegmentOrder): void => patchBlocks(capture.captureId, { order, scrollPx: 0 })
export const setScaling = (capture: CaptureSummary, scaling: Scaling): void =>
  patchBlocks(capture.captureId, { scaling, visible: undefined, scrollPx: 0 })
export const setColorBy = (capture: CaptureSummary, colorBy: BlockColor): void => patchBlocks(capture.captureId, { colorBy })

/** The next way to colour. */
export function cycleColorBy(capture: CaptureSummary): void {
  const { colorBy } = blocksState(capture.captureId).getState()
  const all = blockColorSchema.options
  setColorBy(capture, all[(all.indexOf(colorBy) + 1) % all.length] ?? 'state')
}

/** The order of what is shown. */
const orderNow = (captureId: string): SegmentOrder =>
  blocksState(captureId).getState().order ?? blocksData(captureId).getState().picture?.order ?? 'address'

/** The next order of the segments. */
export function cycleOrder(capture: CaptureSummary): void {
  const order = orderNow(capture.captureId)
  const all = segmentOrderSchema.options
  setOrder(capture, all[(all.indexOf(order) + 1) % all.length] ?? 'address')
}

/** True while Esc has something of this view to take away. */
export function canStepBack({ captureId }: CaptureSummary): boolean {
  const { segment, request } = blocksState(captureId).getState()
  const view = viewOf(captureId)
  return segment !== undefined || request !== undefined || view?.selectedAllocation !== undefined || view?.cursorEvent !== undefined
}

/** One step back: the allocation, then the segment, the size that was typed, the cursor. */
export function stepBack({ captureId }: CaptureSummary): void {
  const { segment, request } = blocksState(captureId).getState()
  const view = viewOf(captureId)
  if (view?.selectedAllocation !== undefined) patchView(captureId, { selectedAllocation: undefined })
  else if (segment !== undefined) patchBlocks(captureId, { segment: undefined })
  else if (request !== undefined) patchBlocks(captureId, { request: undefined, stream: undefined, pool: undefined })
  else patchView(captureId, { cursorEvent: undefined })
}
