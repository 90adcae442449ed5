// One piece of advice with its sentence.
import type { Advice } from './types.ts'
import { type SentenceId, say } from './words.ts'

export interface Parts {
  /** Added up from what was held; nothing below one byte counts. */
  readonly gainBytes?: number | null
  readonly code?: string
  readonly words?: Readonly<Record<string, string>>
  readonly place?: Advice['place']
  /** The gain is an upper bound. */
  readonly isMost?: boolean
  readonly isEnough?: boolean | null
  readonly neededAfterBytes?: number | null
}

/** Its gain, where there is one, is a sum: what is simulated says so itself. */
export function advice(id: SentenceId, parts: Parts = {}): Advice {
  const { gainBytes = null, code, words = {}, place = null, isMost = false, isEnough = null, neededAfterBytes = null } = parts
  const gain = gainBytes !== null && gainBytes >= 1 ? Math.round(gainBytes) : null
  return {
    id,
    text: say(id, words),
    code: code ?? null,
    gainBytes: gain,
    basis: gain === null ? 'none' : isMost ? 'most' : 'sum',
    avoidsFailure: null,
    isEnough,
    neededAfterBytes,
    place,
  }
}
