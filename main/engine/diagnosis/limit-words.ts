// What a failed request would have needed in all, told as a sum that adds up, against what could be reserved.
import { formatBytesRange } from '../../../preload/contract/format.ts'
import { isShort, sumOf, takenOf } from './reason.ts'
import { bytesWord } from './score.ts'
import type { Situation } from './situation.ts'
import { sumWords } from './sum-words.ts'
import type { Texts } from './types.ts'
import { say } from './words.ts'

/** The limit as it is known: an amount, or a range. */
export function limitWord({ limitBytes, limitAtLeastBytes, limitBelowBytes }: Situation): string {
  if (limitAtLeastBytes === null || limitBelowBytes === null) return bytesWord(limitBytes)
  return formatBytesRange(limitAtLeastBytes, limitBelowBytes)
}

/** Both ends of the range of a limit, in one unit. */
export function limitWords({ limitAtLeastBytes, limitBelowBytes }: Situation) {
  const { parts, marks } = sumWords([limitAtLeastBytes ?? 0], limitBelowBytes === null ? [] : [limitBelowBytes])
  return { atLeast: parts[0] ?? '', below: marks[0] ?? '' }
}

interface Needed {
  /** held + what else + request = in all. */
  readonly texts: { readonly needed: Texts }
  /** What it is compared with. */
  readonly words: { readonly against: string; readonly atLeast: string; readonly below: string }
  /** The sentence of what is too much. */
  readonly exhausted: 'exhausted' | 'exhausted_device' | 'exhausted_left' | 'exhausted_range'
}

interface Mark {
  readonly exhausted: Needed['exhausted']
  /** What the sum is compared with; null where that is a range. */
  readonly bytes: number | null
  /** In use outside PyTorch, where that counts too. */
  readonly outside: number
}

/** Of a device that is full, what lies outside PyTorch counts too; a cap counts this program's reserved memory alone. */
function markOf(situation: Situation): Mark {
  const { reservedBytes, deviceTotalBytes, outsideBytes, deviceFreeBytes, segmentBytes, allowedBytes, limitBytes, isLimitKnown } = situation
  const left = isShort(deviceFreeBytes, segmentBytes) ? sumOf(reservedBytes, deviceFreeBytes) : null
  if (left === null || left >= (allowedBytes ?? Number.POSITIVE_INFINITY))
    return { exhausted: isLimitKnown ? 'exhausted' : 'exhausted_range', bytes: isLimitKnown ? limitBytes : null, outside: 0 }
  if (deviceTotalBytes === null || outsideBytes === null) return { exhausted: 'exhausted_left', bytes: left, outside: 0 }
  return { exhausted: 'exhausted_device', bytes: deviceTotalBytes, outside: outsideBytes }
}

function marksOf({ limitAtLeastBytes, limitBelowBytes, reservedBytes }: Situation, { bytes }: Mark): number[] {
  if (bytes !== null) return [bytes]
  return [limitAtLeastBytes ?? reservedBytes ?? 0, ...(limitBelowBytes === null ? [] : [limitBelowBytes])]
}

/** The sum and its mark. */
export function neededWords(situation: Situation): Needed {
  const held = situation.allocatedBytes ?? 0
  const mark = markOf(situation)
  const pieces = [
    ['sum_held', held],
    ['sum_elsewhere', Math.max(0, (takenOf(situation) ?? held) - held)],
    ['sum_outside', mark.outside],
    ['sum_request', situation.requestedBytes ?? 0],
  ] as const
  const shown = pieces.filter(([, bytes], at) => at === 0 || bytes > 0)
  const amounts = shown.map(([, bytes]) => bytes)
  const { parts, sum, marks } = sumWords(amounts, marksOf(situation, mark))
  const texts = shown.map(([id], at) => say(id, { bytes: parts[at] ?? '' }))
  const joined = (language: keyof Texts): string => `${texts.map((text) => text[language]).join(' + ')} = ${sum}`
  const [first = '', last = first] = marks
  return {
    texts: { needed: { en: joined('en'), 'zh-CN': joined('zh-CN') } },
    words: { against: first, atLeast: first, below: last },
    exhausted: mark.exhausted,
  }
}
