// Steps of the selection from slice to slice: along the lane and the track, to parent and child, along flows.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { SliceRow } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { shownRange } from '../../focus/home.ts'
import { spanOf } from '../../plot/scales.ts'
import { viewOf } from '../../state/view-state.ts'
import { goToSlice, selectedRow } from './actions.ts'
import { rowsNow } from './assemble.ts'
import type { TrackRow } from './layout.ts'
import { traceData } from './trace-data.ts'

const mostLooks = 60
const mostLanes = 64 // looked at for a neighbour above or below

/** The slice at a time of a lane, or the nearest within a tolerance. */
async function pick(captureId: string, laneId: number, timeNs: number, toleranceNs: number): Promise<SliceRow | undefined> {
  const answer = await engine.call('trace.pick', { captureId, laneId, timeNs, toleranceNs })
  return answer.ok ? (answer.value.slice ?? undefined) : undefined
}

/** Where a slice begins, seen from one side: nanoseconds between `edge` and the end that is nearer to it. */
const offsetOf = ({ startNs, durNs }: SliceRow, edge: number, direction: 1 | -1): number =>
  direction > 0 ? startNs - edge : edge - (startNs + Math.max(1, durNs) - 1)

/**
 * The next (+1) or previous (−1) slice of a lane: `trace.pick` finds the nearest to a moment, so moments are tried at doubling distance
 * until there is one, and then halfway to it until nothing lies before it.
 */
async function inLane(captureId: string, from: SliceRow, direction: 1 | -1, mostNs: number): Promise<SliceRow | undefined> {
  const edge = direction > 0 ? from.startNs + Math.max(1, from.durNs) : from.startNs - 1
  /** A slice within so much on either side of a moment so far off; the start itself is out of reach while `reach` ≤ `off`. */
  const at = (off: number, reach: number) => pick(captureId, from.laneId, edge + direction * off, reach)
  let found = await at(0, 0)
  for (let reach = 1; !found && reach < 2 * mostNs; reach *= 2) found = await at(reach, reach)
  for (let look = 0; found && look < mostLooks; look++) {
    const off = offsetOf(found, edge, direction)
    if (off <= 0) return found
    const half = Math.floor((off - 1) / 2)
    const before: SliceRow | undefined = (await at(half, half)) ?? (2 * half < off - 1 ? await at(off - 1, 0) : undefined)
    if (!before) return found
    found = before
  }
  return found
}

/** Selects the neighbour in the lane; without a selection the first slice in sight. */
export async function selectInLane(capture: CaptureSummary, direction: 1 | -1): Promise<void> {
  const { captureId } = capture
  const view = viewOf(captureId)
  const from = selectedRow(capture)
  if (!view) return
  if (!from) return selectFirst(capture)
  const next = await inLane(captureId, from, direction, spanOf(view.full))
  if (next) await goToSlice(capture, next)
}

/** Selects the next or previous slice of the track, whatever its depth. */
export async function selectOnTrack(capture: CaptureSummary, direction: 1 | -1): Promise<void> {
  const { captureId } = capture
  const from = selectedRow(capture)
  if (!from) return selectFirst(capture)
  const { startNs: timeNs, sliceId, trackId } = from
  const answer = await engine.latest('trace.step', 'trace.next', { captureId, tracks: [trackId], timeNs, sliceId, forward: direction > 0 })
  if (answer.ok && answer.value.slice) await goToSlice(capture, answer.value.slice)
}

/** The first slice of the topmost track in sight. */
async function selectFirst(capture: CaptureSummary): Promise<void> {
  const { captureId } = capture
  const view = viewOf(captureId)
  const { scrollPx } = traceData(captureId).getState()
  const rows = rowsNow(capture)
  if (!view || !rows) return
  const range = shownRange(capture, view)
  const inSight = rows.rows.filter((row): row is TrackRow => row.kind === 'track' && row.yPx + row.heightPx > scrollPx)
  const pinned = rows.pinned.filter((row): row is TrackRow => row.kind === 'track')
  for (const row of [...pinned, ...inSight].slice(0, mostLanes)) {
    if (row.track.laneCount === 0) continue
    const middle = (range.x0 + range.x1) / 2
    const slice = await pick(captureId, row.track.firstLane, middle, spanOf(range) / 2)
    if (slice) return void goToSlice(capture, slice)
  }
}

/** Selects the parent (−1) or the first child (+1); where there is none, what lies nearest in the lanes above or below. */
export async function selectAcross(capture: CaptureSummary, direction: 1 | -1): Promise<void> {
  const { captureId } = capture
  const from = selectedRow(capture)
  if (!from) return selectFirst(capture)
  const { selected } = traceData(captureId).getState()
  const parent = direction < 0 && selected?.sliceId === from.sliceId ? selected.ancestors[0] : undefined
  if (parent) return void goToSlice(capture, parent.sliceId)
  const child = direction > 0 ? await childOf(capture, from) : undefined
  const next = child ?? (await neighbour(capture, from, direction))
  if (next) await goToSlice(capture, next)
}

async function childOf({ captureId }: CaptureSummary, from: SliceRow): Promise<SliceRow | undefined> {
  const track = traceData(captureId).getState().tracks?.tracks[from.trackId]
  const laneId = from.laneId + 1
  if (!track || laneId >= track.firstLane + track.laneCount || track.spillLanes.includes(laneId)) return undefined
  const below = await pick(captureId, laneId, from.startNs, from.durNs)
  return below && below.startNs >= from.startNs && below.startNs + below.durNs <= from.startNs + from.durNs ? below : undefined
}

/** The slice of the next lane, or track, that lies nearest to the start of what is selected. */
async function neighbour(capture: CaptureSummary, from: SliceRow, direction: 1 | -1): Promise<SliceRow | undefined> {
  const { captureId } = capture
  const view = viewOf(captureId)
  const rows = rowsNow(capture)
  if (!view || !rows) return undefined
  const tracks = [...rows.pinned, ...rows.rows].filter((row): row is TrackRow => row.kind === 'track' && row.track.laneCount > 0)
  const lanes = tracks.flatMap(({ track, laneCount }) => Array.from({ length: laneCount }, (_, index) => track.firstLane + index))
  const at = lanes.indexOf(from.laneId)
  const range = shownRange(capture, view)
  for (let step = 1; at >= 0 && step <= mostLanes; step++) {
    const lane = lanes[at + direction * step]
    if (lane === undefined) return undefined
    const slice = await pick(captureId, lane, from.startNs, spanOf(range))
    if (slice) return slice
  }
  return undefined
}

/** True while the selected slice has a flow in that direction. */
export function canFollow(capture: CaptureSummary, direction: 1 | -1): boolean {
  return flowEnd(capture, direction) !== undefined
}

function flowEnd(capture: CaptureSummary, direction: 1 | -1): number | undefined {
  const sliceId = viewOf(capture.captureId)?.selectedSlice
  const { selected } = traceData(capture.captureId).getState()
  if (!selected || selected.sliceId !== sliceId) return undefined
  return direction > 0 ? selected.flowsOut[0]?.sliceId : (selected.flowsIn[0] ?? selected.launch ?? undefined)?.sliceId
}

/** Selects the slice to which (+1) or from which (−1) the first flow of the selected one leads. */
export async function followFlow(capture: CaptureSummary, direction: 1 | -1): Promise<void> {
  const end = flowEnd(capture, direction)
  if (end !== undefined) await goToSlice(capture, end)
}
