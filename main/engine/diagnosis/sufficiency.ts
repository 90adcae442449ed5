// Whether a change alone would have done: what is then held and asked for, against what the program could reserve.
import type { Situation } from './situation.ts'
import type { Advice } from './types.ts'

export interface Change {
  readonly gainBytes: number | null
  /** What would then be asked for; absent: the same. */
  readonly requestBytes?: number | null
  /** The gain is an upper bound: it may be enough, and is never surely so. */
  readonly isMost?: boolean
}

type Sufficiency = Pick<Advice, 'isEnough' | 'neededAfterBytes'>
const unknown: Sufficiency = { isEnough: null, neededAfterBytes: null }

/** By sums: where memory was there and only in pieces, they tell nothing. */
export function sufficiencyOf(situation: Situation, { gainBytes, requestBytes, isMost }: Change): Sufficiency {
  const { isFailure, reason, allocatedBytes, requestedBytes, reach } = situation
  const request = requestBytes ?? requestedBytes
  const isChange = (gainBytes ?? 0) >= 1 || request !== requestedBytes
  if (!isFailure || reason === 'no_contiguous_block' || allocatedBytes === null || request === null || !isChange) return unknown
  const after = (gain: number): number => Math.round(Math.max(0, allocatedBytes - gain) + request)
  const least = after(gainBytes ?? 0)
  const isEnough = !reach ? null : least >= reach.below ? false : least <= reach.atLeast && !isMost ? true : null
  return { isEnough, neededAfterBytes: least }
}
