// The sum behind a failure as bars on one scale: what was held and asked for against the limit, and the largest free block against the
// request. Pure; screen and pictures draw the same model.
import type { DiagnosisSituation } from '../../preload/contract/diagnosis.ts'

export type PartKind = 'allocated' | 'free' | 'outside' | 'largest' | 'request' | 'missing'

/** A stretch of a bar, in bytes from its start. */
export interface BarPart {
  readonly kind: PartKind
  readonly from: number
  readonly to: number
}

export type BarKind = 'allocated' | 'reserved' | 'largest'

export interface ArithmeticBar {
  readonly kind: BarKind
  readonly parts: readonly BarPart[]
  readonly sum: number // bytes that are compared
  readonly against: number | null // the limit, or the request; null = not known
  /** sum > against: beyond by so much; else so much is left. null where `against` is not known. */
  readonly overBy: number | null
  /** What it says: fits, over, or (of the largest block) short. Where the limit is a range: above = in it, refused = at its end, refusedBefore = beyond. */
  readonly outcome: 'fits' | 'over' | 'short' | 'above' | 'refused' | 'refusedBefore' | 'unknown'
  /** How many times larger than the scale of the other bars it is drawn. */
  readonly enlarged: number
}

export interface Arithmetic {
  readonly bars: readonly ArithmeticBar[]
  readonly limit: number | null // where it is not known, what surely could be reserved
  readonly limitBelow: number | null // where it is not known: it lies between `limit` and this
  readonly isLimitKnown: boolean
  readonly most: number // bytes at the right end
  readonly ticks: readonly number[]
}

const headRoom = 1.04
const leastShare = 0.04 // below it a bar on the common scale would tell nothing
const mostTicks = 5

/** null where no amounts are known. */
export function arithmeticOf(situation: DiagnosisSituation): Arithmetic | null {
  const { isLimitKnown, allocatedBytes, reservedBytes } = situation
  const limitBytes = limitOf(situation)
  const isExact = isLimitKnown || limitBytes === situation.deviceTotalBytes
  const limitBelow = isExact || limitBytes === null ? null : situation.limitBelowBytes
  const request = situation.isFailure ? situation.requestedBytes : null
  const segment = situation.isFailure ? (situation.segmentBytes ?? request) : null
  const sums = [
    ...(allocatedBytes === null ? [] : [sumBar('allocated', [['allocated', allocatedBytes]], request, situation)]),
    ...(reservedBytes === null ? [] : [sumBar('reserved', reservedParts(situation), segment, situation)]),
  ]
  const largest = largestBar(situation, request)
  const furthest = Math.max(limitBytes ?? 0, limitBelow ?? 0, ...sums.map(({ sum }) => sum), largest?.parts.at(-1)?.to ?? 0)
  if (furthest <= 0) return null
  const most = furthest * headRoom
  const bars = largest ? [...sums, { ...largest, enlarged: enlargement(largest, most) }] : sums
  if (bars.length === 0) return null
  return {
    bars,
    limit: limitBytes,
    limitBelow,
    isLimitKnown: isExact,
    most,
    ticks: ticksTo(furthest),
  }
}

/** Where others took the device, its whole memory; without a failure only a limit that is known. */
function limitOf(situation: DiagnosisSituation): number | null {
  const { reason, limitBytes, isLimitKnown, isFailure, deviceTotalBytes } = situation
  if (reason === 'outside_pytorch' && deviceTotalBytes !== null) return deviceTotalBytes
  if (isLimitKnown) return limitBytes
  return isFailure ? (situation.limitAtLeastBytes ?? limitBytes) : null
}

/** What is reserved, by parts, and what others hold where the limit is the device's: a cap of its own the program does not share. */
function reservedParts(situation: DiagnosisSituation): Piece[] {
  const { allocatedBytes, reservedBytes, outsideBytes, deviceTotalBytes } = situation
  const reserved = reservedBytes ?? 0
  const allocated = Math.min(allocatedBytes ?? 0, reserved)
  const isShared = deviceTotalBytes !== null && limitOf(situation) === deviceTotalBytes
  return [
    ['allocated', allocated],
    ['free', reserved - allocated],
    ['outside', isShared ? (outsideBytes ?? 0) : 0],
  ]
}

type Piece = readonly [kind: PartKind, bytes: number]

function sumBar(kind: BarKind, pieces: readonly Piece[], request: number | null, situation: DiagnosisSituation): ArithmeticBar {
  const limitBytes = limitOf(situation)
  const parts = laid([...pieces, ['request', request ?? 0]])
  const sum = parts.at(-1)?.to ?? 0
  const isExact = situation.isLimitKnown || limitBytes === situation.deviceTotalBytes
  const below = isExact ? null : situation.limitBelowBytes
  const isRefused = below !== null && sum >= below
  const against = isRefused ? below : limitBytes
  const overBy = against === null ? null : sum - against
  const isOver = isRefused || (overBy !== null && overBy > situation.precisionBytes)
  const refused = sum === below ? 'refused' : 'refusedBefore'
  const over = isExact ? 'over' : isRefused ? refused : 'above'
  return { kind, parts, sum, against, overBy, outcome: overBy === null ? 'unknown' : isOver ? over : 'fits', enlarged: 1 }
}

function largestBar({ largestFreeBytes }: DiagnosisSituation, request: number | null): ArithmeticBar | null {
  if (largestFreeBytes === null || request === null) return null
  const missing = Math.max(0, request - largestFreeBytes)
  return {
    kind: 'largest',
    parts: laid([
      ['largest', largestFreeBytes],
      ['missing', missing],
    ]),
    sum: largestFreeBytes,
    against: request,
    overBy: largestFreeBytes - request,
    outcome: missing > 0 ? 'short' : 'fits',
    enlarged: 1,
  }
}

/** The longest stretch of a part that no line or band of the limit crosses: there its number stands. */
export function labelStretch({ from, to }: Pick<BarPart, 'from' | 'to'>, { limit, limitBelow }: Arithmetic, isBesideLimit: boolean) {
  if (!isBesideLimit || limit === null) return { from, to }
  const before = { from, to: Math.min(to, Math.max(from, limit)) }
  const after = { from: Math.max(from, Math.min(to, limitBelow ?? limit)), to }
  return before.to - before.from >= after.to - after.from ? before : after
}

/** Pieces end to end; those of no bytes are left out. */
function laid(pieces: readonly Piece[]): BarPart[] {
  const parts: BarPart[] = []
  let from = 0
  for (const [kind, bytes] of pieces) {
    if (bytes > 0) parts.push({ kind, from, to: from + bytes })
    from += Math.max(0, bytes)
  }
  return parts
}

/** A whole power of two, so that a bar too short to see fills about half the width. */
function enlargement({ parts }: ArithmeticBar, most: number): number {
  const length = parts.at(-1)?.to ?? 0
  if (length <= 0 || length >= most * leastShare) return 1
  return 2 ** Math.floor(Math.log2((most / length) * 0.6))
}

/** Powers of two times 0, 1, 2, …: at most five above 0. */
function ticksTo(furthest: number): number[] {
  const step = 2 ** Math.ceil(Math.log2(furthest / mostTicks))
  return Array.from({ length: Math.floor(furthest / step) + 1 }, (_, at) => at * step)
}
