// The free blocks that a request meets, sorted by why they may serve it or not.
import type { BlockRow, SegmentRow } from './playback.ts'
import type { Rules } from './rules.ts'

export interface FitRequest {
  readonly bytes: number
  readonly stream: bigint
  readonly pool: string
}

export interface Tally {
  count: number
  bytes: number
  largest_bytes: number
  largest_address: string | null
  /** Large enough. */
  fitting_count: number
}

export interface FitTallies {
  /** Of the right stream, pool and class; those that are kept for other requests do not count as fitting. */
  readonly free: Tally
  /** Of these, large enough but kept for other requests. */
  readonly oversize: Tally
  readonly other_pools: Tally
  readonly other_streams: Tally
  readonly other_class: Tally
  /** As `free`, once every pending free completed. */
  readonly pending: Tally
}

type Piece = Pick<BlockRow, 'address' | 'size'>

const tally = (blocks: readonly Piece[], fits: (size: number) => boolean): Tally => {
  const largest = blocks.reduce<Piece | null>((best, block) => (best === null || block.size > best.size ? block : best), null)
  return {
    count: blocks.length,
    bytes: blocks.reduce((sum, block) => sum + block.size, 0),
    largest_bytes: largest?.size ?? 0,
    largest_address: largest === null ? null : `0x${largest.address.toString(16)}`,
    fitting_count: blocks.filter((block) => fits(block.size)).length,
  }
}

/** Counts the free blocks of a layout for a request. */
export function fitTallies(segments: readonly SegmentRow[], rules: Rules, { bytes, stream, pool }: FitRequest): FitTallies {
  const rounded = rules.round(bytes)
  const small = rounded <= 1 << 20
  const ofPool = segments.filter((segment) => segment.pool === pool)
  const ofStream = ofPool.filter((segment) => segment.stream === stream)
  const right = ofStream.filter((segment) => segment.small === small)
  const free = (of: readonly SegmentRow[]) => of.flatMap((segment) => segment.blocks.filter((block) => block.held === 'free'))
  const isEnough = (size: number) => size >= rounded
  const serves = (size: number) => isEnough(size) && !rules.keeps(size, rounded)
  const isKept = ({ size }: Piece) => isEnough(size) && rules.keeps(size, rounded)
  return {
    free: tally(free(right), serves),
    oversize: tally(free(right).filter(isKept), isEnough),
    other_pools: tally(free(segments.filter((segment) => !ofPool.includes(segment))), isEnough),
    other_streams: tally(free(ofPool.filter((segment) => !ofStream.includes(segment))), isEnough),
    other_class: tally(free(ofStream.filter((segment) => !right.includes(segment))), isEnough),
    pending: tally(right.flatMap(freeOncePendingCompleted), serves),
  }
}

/** Free and pending blocks next to each other become one. */
function freeOncePendingCompleted({ blocks }: SegmentRow): Piece[] {
  const merged: { address: bigint; size: number }[] = []
  let isOpen = false
  for (const { address, size, held } of blocks) {
    const last = merged.at(-1)
    if (held !== 'allocated' && isOpen && last !== undefined) last.size += size
    else if (held !== 'allocated') merged.push({ address, size })
    isOpen = held !== 'allocated'
  }
  return merged
}
