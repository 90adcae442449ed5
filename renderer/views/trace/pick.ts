// The slice under a point of a lane.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { SliceRow } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { spanOf } from '../../plot/scales.ts'
import { boxAt } from './model.ts'
import type { TraceInput } from './model-input.ts'

const reachPx = 2

/** What lies there or within two pixels; null: nothing; undefined: no answer. `key`: a newer question of that key takes its place. */
export async function pickAt(
  { captureId }: CaptureSummary,
  input: Pick<TraceInput, 'visible' | 'layout' | 'raster' | 'tracks'>,
  laneId: number,
  x: number,
  key: string,
): Promise<SliceRow | null | undefined> {
  const perPx = spanOf(input.visible) / input.layout.plot.widthPx
  // Where a box is drawn, that box is meant, and not a neighbour that begins within reach.
  const toleranceNs = boxAt(input, laneId, x) ? 0 : Math.ceil(reachPx * perPx)
  const answer = await engine.latest(key, 'trace.pick', { captureId, laneId, timeNs: Math.floor(x), toleranceNs })
  return answer.ok ? answer.value.slice : undefined
}
