// One piece of advice with its sentence.
import type { Advice } from './types.ts'
import { type SentenceId, say } from './words.ts'

interface Parts {
  /** Added up from what was held; nothing below one byte counts. */
  readonly gainBytes?: number | null
  readonly code?: string
  readonly words?: Readonly<Record<string, string>>
  readonly place?: Advice['place']
}

/** Its gain, where there is one, is a sum: what is simulated says so itself. */
export function advice(id: SentenceId, { gainBytes = null, code, words = {}, place = null }: Parts = {}): Advice {
  const gain = gainBytes !== null && gainBytes >= 1 ? Math.round(gainBytes) : null
  return {
    id,
    text: say(id, words),
    code: code ?? null,
    gainBytes: gain,
    basis: gain === null ? 'none' : 'sum',
    avoidsFailure: null,
    place,
  }
}
