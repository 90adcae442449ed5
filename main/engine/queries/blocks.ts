// Questions of the memory map: the segments and blocks after an event, and what of a request would fit among them.
import { z } from 'zod'
import { ok, type Result } from '../../../preload/contract/errors.ts'
import { type BlockRaster, blockAtSchema, wouldFitSchema } from '../../../preload/contract/queries.ts'
import type { NativeBatch } from '../native-batch.ts'
import type { OpenCapture } from '../open-capture.ts'
import { labelOf } from './frames.ts'
import { batchOf, jsonOf } from './native-answers.ts'
import type { QueryHandler } from './query.ts'

const addressesSchema = z.array(z.string())
const segmentsMetaSchema = z.object({ left_out: z.number() })

/** The text at each index; '' where the index is −1 (unknown). */
const textsAt = (indices: Float64Array, texts: readonly string[]): string[] => Array.from(indices, (index) => texts[index] ?? '')

export const blockSegments: QueryHandler<'blocks.segments'> = async (capture, { device, event, order }) => {
  const found = await batchOf(capture, 'SELECT block_segments(?, ?, ?)', [device, event, order])
  if (!found.ok) return found
  const batch = found.value
  const { streams, pools } = capture.summary
  return ok({
    leftOut: segmentsMetaSchema.parse(batch.json('meta')).left_out,
    addresses: addressesSchema.parse(batch.json('addresses')),
    totalBytes: batch.f64('total'),
    allocatedBytes: batch.f64('allocated'),
    activeBytes: batch.f64('active'),
    requestedBytes: batch.f64('requested'),
    freeBytes: batch.f64('free'),
    largestFreeBytes: batch.f64('largest_free'),
    largestFreeOffset: batch.f64('largest_free_offset'),
    returnableBytes: batch.f64('returnable'),
    blockCount: batch.f64('blocks'),
    freeBlockCount: batch.f64('free_blocks'),
    streams: textsAt(batch.f64('stream'), streams),
    pools: textsAt(batch.f64('pool'), pools),
    isSmall: batch.f64('is_small'),
    isExpandable: batch.f64('is_expandable'),
  })
}

const rasterMetaSchema = z.object({ lines: z.number(), blocks: z.number(), boxes: z.number(), longest: z.number() })

export const blockRaster: QueryHandler<'blocks.raster'> = async (capture, input) => {
  const { device, event, order, lineBytes, x0, x1, columns, line0, lines, colorBy, filter } = input
  const parameters = [device, event, order, lineBytes, x0, x1, columns, line0, lines, colorBy, filter]
  const found = await batchOf(capture, 'SELECT block_raster(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', parameters)
  if (!found.ok) return found
  const batch = found.value
  const meta = rasterMetaSchema.parse(batch.json('meta'))
  const boxes = meta.boxes === 1 ? await boxesOf(capture, batch) : ok(null)
  if (!boxes.ok) return boxes
  return ok({
    columns,
    lines,
    cells: batch.u8('cells'),
    lineSegment: batch.f64('line_segment'),
    lineOffset: batch.f64('line_offset'),
    lineBytes: batch.f64('line_bytes'),
    boxes: boxes.value,
    allLines: meta.lines,
    blockCount: meta.blocks,
    longestBytes: meta.longest,
  })
}

async function boxesOf(capture: OpenCapture, batch: NativeBatch): Promise<Result<BlockRaster['boxes']>> {
  const stacks = batch.f64('box_stack')
  const titles = await capture.titles.of(stacks)
  if (!titles.ok) return titles
  return ok({
    line: batch.f64('box_line'),
    offset: batch.f64('box_offset'),
    bytes: batch.f64('box_bytes'),
    requested: batch.f64('box_requested'),
    state: batch.f64('box_state'),
    slot: batch.f64('box_slot'),
    allocation: batch.f64('box_allocation'),
    titles: Array.from(stacks, (stackId) => labelOf(titles.value(stackId))),
  })
}

const nativeBlockSchema = blockAtSchema.omit({ title: true, place: true })

export const blockAt: QueryHandler<'blocks.at'> = async (capture, { device, event, address }) => {
  const answer = await jsonOf(capture, 'SELECT block_at(?, ?, ?) AS answer', [device, event, address])
  if (!answer.ok) return answer
  const block = nativeBlockSchema.nullable().parse(answer.value)
  if (block === null) return ok({ block })
  const titles = await capture.titles.of([block.stackId])
  return titles.ok ? ok({ block: { ...block, ...titles.value(block.stackId) } }) : titles
}

export const blocksWouldFit: QueryHandler<'blocks.wouldFit'> = async (capture, { device, event, sizeBytes, stream, pool }) => {
  // A handle has 64 bits: as a number it would lose digits on the way.
  const sql = 'SELECT would_fit(?, ?, ?, CAST(? AS INTEGER), ?) AS answer'
  const answer = await jsonOf(capture, sql, [device, event, sizeBytes, stream ?? null, pool ?? null])
  return answer.ok ? ok(wouldFitSchema.parse(answer.value)) : answer
}
