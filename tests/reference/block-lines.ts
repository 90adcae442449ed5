// The block map the slow way: segments broken into lines, every cell looks at every block of its segment.
import type { BlockRow, SegmentRow } from './playback.ts'

export interface Line {
  readonly segment: SegmentRow
  /** Bytes from the start of the segment. */
  readonly offset: number
  readonly bytes: number
}

/** The lines of all segments, each of `lineBytes` (0 = a whole segment) or what is left. */
export function linesOf(segments: readonly SegmentRow[], order: 'address' | 'size', lineBytes: number): Line[] {
  const sorted = order === 'address' ? segments : [...segments].sort((a, b) => b.size - a.size || (a.address < b.address ? -1 : 1))
  return sorted.flatMap((segment) => {
    const step = lineBytes === 0 ? segment.size : lineBytes
    return Array.from({ length: Math.ceil(segment.size / step) }, (_, index) => {
      const offset = index * step
      return { segment, offset, bytes: Math.min(step, segment.size - offset) }
    })
  })
}

export interface LineCell {
  /** Bytes of memory. */
  readonly bytes: number
  readonly active: number
  /** Bytes of the largest part that one block has of it, by state. */
  readonly most: { readonly allocated: number; readonly pending: number }
}

/** What lies in bytes [from, to) of a line. */
export function lineCell({ segment, offset, bytes }: Line, from: number, to: number): LineCell {
  const [low, high] = [offset + Math.max(0, from), offset + Math.min(bytes, to)]
  const partOf = (block: BlockRow) => {
    const start = Number(block.address - segment.address)
    return Math.max(0, Math.min(high, start + block.size) - Math.max(low, start))
  }
  const parts = (held: BlockRow['held']) => segment.blocks.filter((block) => block.held === held).map(partOf)
  const [allocated, pending] = [parts('allocated'), parts('pending')]
  return {
    bytes: Math.max(0, high - low),
    active: [...allocated, ...pending].reduce((sum, part) => sum + part, 0),
    most: { allocated: Math.max(0, ...allocated), pending: Math.max(0, ...pending) },
  }
}
