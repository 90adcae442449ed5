// The lines of the block map: one a segment, or several where a segment is much longer than a line is readable.
import type { BlockAt, Segments } from '../../../preload/contract/queries.ts'

export const scalings = ['scale', 'normalise', 'compact'] as const
export type Scaling = (typeof scalings)[number]

export interface Line {
  readonly segment: number // index into the segments
  readonly offset: number // bytes from the segment's start
  readonly bytes: number
  readonly place: number // index among all lines, as the engine counts them
}

export interface LineList {
  readonly lineBytes: number // most bytes of a line; 0 = one line a segment
  readonly lines: readonly Line[]
  readonly longest: number // bytes of the longest line
  readonly hidden: number // segments left out because they are fully used (compact)
}

const readableLines = 24
const wrapsFrom = 2 // times longer than a readable line
const leastLineBytes = 2 ** 28 // shorter lines need no breaking: a pixel is a fraction of a MiB

/** Bytes of a line: 0 while every segment is readable in one, else a power of two such that all memory fills about 24 lines. */
export function chooseLineBytes(totals: Float64Array): number {
  const all = totals.reduce((sum, bytes) => sum + bytes, 0)
  const longest = totals.reduce((most, bytes) => Math.max(most, bytes), 0)
  const readable = Math.max(leastLineBytes, 2 ** Math.ceil(Math.log2(Math.max(1, all / readableLines))))
  return longest > wrapsFrom * readable ? readable : 0
}

/** All lines of the segments, in their order. Compact leaves out the segments without a free byte. */
export function linesOf(segments: Segments, scaling: Scaling): LineList {
  const lineBytes = chooseLineBytes(segments.totalBytes)
  const lines: Line[] = []
  let place = 0
  let longest = 0
  let hidden = 0
  for (let segment = 0; segment < segments.totalBytes.length; segment++) {
    const total = segments.totalBytes[segment] ?? 0
    const isHidden = scaling === 'compact' && (segments.freeBytes[segment] ?? 0) === 0
    if (isHidden) hidden++
    const step = lineBytes === 0 ? total : lineBytes
    for (let offset = 0; offset < total; offset += step, place++) {
      const bytes = Math.min(step, total - offset)
      if (isHidden) continue
      lines.push({ segment, offset, bytes, place })
      longest = Math.max(longest, bytes)
    }
  }
  return { lineBytes, lines, longest, hidden }
}

/** A stretch of a line. */
export interface Stretch {
  readonly row: number // index into the lines
  readonly from: number // bytes from the line's start
  readonly to: number
}

/** Where a stretch of a segment lies: one piece a line that it touches. Nothing when the segment is left out. */
export function stretchesOf({ lines }: LineList, segment: number, offset: number, bytes: number): Stretch[] {
  const found: Stretch[] = []
  for (let row = firstRowOf(lines, segment); row >= 0 && row < lines.length; row++) {
    const line = lines[row]
    if (!line || line.segment !== segment || line.offset >= offset + bytes) break
    const from = Math.max(offset - line.offset, 0)
    const to = Math.min(offset + bytes - line.offset, line.bytes)
    if (to > from) found.push({ row, from, to })
  }
  return found
}

/** First line of a segment, −1 when it is left out. */
export function firstRowOf(lines: readonly Line[], segment: number): number {
  let low = 0
  let high = lines.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle]?.segment ?? 0) < segment) low = middle + 1
    else high = middle
  }
  return lines[low]?.segment === segment ? low : -1
}

const starts = new WeakMap<readonly string[], readonly bigint[]>()

/** The segment that contains an address, and the offset in it; undefined when none does. Addresses are exact: never a float. */
export function placeOfAddress(segments: Segments, address: string): { readonly segment: number; readonly offset: number } | undefined {
  const { addresses, totalBytes } = segments
  const known = starts.get(addresses) ?? addresses.map((each) => BigInt(each))
  starts.set(addresses, known)
  const wanted = BigInt(address)
  const segment = known.findIndex((start, index) => wanted >= start && wanted < start + BigInt(totalBytes[index] ?? 0))
  return segment < 0 ? undefined : { segment, offset: Number(wanted - (known[segment] ?? 0n)) }
}

/** The address of a place in a segment. */
export const addressAt = (segments: Segments, segment: number, offset: number): string =>
  `0x${(BigInt(segments.addresses[segment] ?? '0x0') + BigInt(Math.floor(offset))).toString(16)}`

/** The address just past a block; at a segment's end that of the next segment, in the order given, that has something in use. */
export function addressBeyond(
  segments: Segments,
  {
    segmentAddress,
    segmentOffset,
    segmentBytes,
    sizeBytes,
  }: Pick<BlockAt, 'segmentAddress' | 'segmentOffset' | 'segmentBytes' | 'sizeBytes'>,
  direction: 1 | -1,
): string | undefined {
  const at = segments.addresses.indexOf(segmentAddress)
  const end = segmentOffset + sizeBytes
  if (direction > 0 && end < segmentBytes) return addressAt(segments, at, end)
  if (direction < 0 && segmentOffset > 0) return addressAt(segments, at, segmentOffset - 1)
  let next = at + direction
  while (segments.activeBytes[next] === 0) next += direction
  if (segments.addresses[next] === undefined) return undefined
  return addressAt(segments, next, direction > 0 ? 0 : (segments.totalBytes[next] ?? 1) - 1)
}
