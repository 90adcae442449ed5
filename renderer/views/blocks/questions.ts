// Questions that screen and finished pictures share: the segments and blocks of one moment.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { ok, type Result } from '../../../preload/contract/errors.ts'
import { type BlockColor, maxSidePx, type SegmentOrder, type Segments, type SpaceReport } from '../../../preload/contract/queries.ts'
import { type CallOptions, engine } from '../../data/engine-client.ts'
import type { Range } from '../../state/view-state.ts'
import { oomAt } from './assemble.ts'
import type { Moment, Picture, PlacedFit } from './blocks-data.ts'
import type { BlocksState } from './blocks-state.ts'
import { type Chunk, composeRaster, inLine, runsOf } from './compose.ts'
import { type LineList, linesOf, type Scaling } from './lines.ts'
import { type BlockRow, blockRowsOf } from './table-rows.ts'

/** Lines that can be looked over at once; of more, the largest segments come first. */
const overviewLines = 64

export interface Place extends Moment {
  readonly captureId: string
  readonly order: SegmentOrder
  readonly scaling: Scaling
}

/** Segments of a moment, their lines, and the totals of all there are. */
export interface Ground {
  readonly segments: Segments
  readonly report: SpaceReport
  readonly list: LineList
}

export interface OrderedGround extends Ground {
  readonly order: SegmentOrder
}

async function askLines({ captureId, device, event, order, scaling }: Place): Promise<Result<Pick<Ground, 'segments' | 'list'>>> {
  const answer = await engine.call('blocks.segments', { captureId, device, event, order })
  return answer.ok ? ok({ segments: answer.value, list: linesOf(answer.value, scaling) }) : answer
}

/** In the order that suits the number of lines where none was chosen. */
export async function askGround(place: Omit<Place, 'order'>, order: SegmentOrder | undefined): Promise<Result<OrderedGround>> {
  const { captureId, device, event } = place
  const first = order ?? 'address'
  const [lines, report] = await Promise.all([
    askLines({ ...place, order: first }),
    engine.call('space.report', { captureId, device, event }),
  ])
  if (!lines.ok) return lines
  if (!report.ok) return report
  if (order !== undefined || lines.value.list.lines.length <= overviewLines)
    return ok({ ...lines.value, report: report.value, order: first })
  const sized = await askLines({ ...place, order: 'size' })
  return sized.ok ? ok({ ...sized.value, report: report.value, order: 'size' }) : sized
}

/** What the allocator would do with a size, and with the one that the capture says was refused at the moment. */
export async function askFit(
  capture: CaptureSummary,
  moment: Moment,
  sizeBytes: number,
  { stream, pool }: Pick<BlocksState, 'stream' | 'pool'>,
): Promise<Result<PlacedFit>> {
  const { captureId } = capture
  const where = { ...(stream === undefined ? {} : { stream }), ...(pool === undefined ? {} : { pool }) }
  const failed = oomAt(capture, moment)
  const [fit, refused] = await Promise.all([
    engine.call('blocks.wouldFit', { captureId, ...moment, sizeBytes, ...where }),
    failed ? engine.call('blocks.wouldFit', { captureId, ...moment, sizeBytes: failed.sizeBytes }) : undefined,
  ])
  if (!fit.ok) return fit
  if (refused && !refused.ok) return refused
  const refusal = failed && refused && { bytes: failed.sizeBytes, segmentBytes: refused.value.segmentBytes }
  return ok({ ...moment, value: fit.value, refused: refusal })
}

/** What tells the blocks of a segment: the segments of a moment in their order. */
export type SegmentsShown = Pick<Picture, 'device' | 'event' | 'order' | 'segments'>

/** The blocks of one segment in address order; undefined where there are more than one answer holds. */
export async function askBlocksOf(
  captureId: string,
  { device, event, order, segments }: SegmentsShown,
  segment: number,
  options?: CallOptions,
): Promise<Result<readonly BlockRow[] | undefined>> {
  const list = linesOf(segments, 'scale') // also of a segment that the compact map hides
  const lines = list.lines.filter((line) => line.segment === segment)
  const [first] = lines
  if (!first) return ok([])
  const x1 = lines.reduce((most, { bytes }) => Math.max(most, bytes), 1)
  const place = { captureId, device, event, order, lineBytes: list.lineBytes, line0: first.place, lines: lines.length }
  const answer = await engine.call('blocks.raster', { ...place, x0: 0, x1, columns: 1, colorBy: 'state' }, options)
  if (!answer.ok) return answer
  return ok(answer.value.boxes ? blockRowsOf(segments, segment, answer.value) : undefined)
}

export interface Window {
  readonly range: Range // bytes of the shown scale
  readonly first: number // rows, half-open
  readonly end: number
  readonly columns: number
  readonly colorBy: BlockColor
  readonly filter: string
}

/** The blocks of some rows: one question a run of lines of one scale. */
export async function askPicture(place: Place, ground: Ground, window: Window): Promise<Result<Picture>> {
  const { captureId, device, event, order, scaling } = place
  const { range, first, end, colorBy, filter } = window
  const columns = Math.max(1, Math.min(Math.floor(window.columns), maxSidePx))
  const { list, segments, report } = ground
  const asked = runsOf(list, scaling, first, end).map(async (run): Promise<Result<Chunk>> => {
    const lines = { line0: run.place, lines: Math.min(run.lines, maxSidePx), lineBytes: list.lineBytes }
    const answer = await engine.call('blocks.raster', {
      captureId,
      device,
      event,
      order,
      ...lines,
      ...inLine(range, run.scale),
      columns,
      colorBy,
      filter,
    })
    return answer.ok ? ok({ run, data: answer.value }) : answer
  })
  const chunks: Chunk[] = []
  for (const answer of await Promise.all(asked)) {
    if (!answer.ok) return answer
    chunks.push(answer.value)
  }
  const raster = composeRaster(list.lines, first, end, columns, chunks)
  return ok({ device, event, order, scaling, colorBy, segments, report, list, range, first, end, chunks, raster })
}
