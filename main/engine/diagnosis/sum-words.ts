// Amounts of one sum as people add them up: in one unit, rounded so that the parts make the sum, and so finely that it compares with each mark as the true
// amounts do.
import { byteUnits, formatCount } from '../../../preload/contract/format.ts'

export interface SumWords {
  readonly parts: readonly string[]
  readonly sum: string
  readonly marks: readonly string[]
}

interface Grain {
  readonly unit: number
  readonly digits: number
}

const unitOf = (bytes: number): number => Math.max(0, Math.min(byteUnits.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10)))

/** From coarse to exact. */
function grainsFor(bytes: number): Grain[] {
  const largest = unitOf(bytes)
  const units = Array.from({ length: largest }, (_, at) => largest - at)
  return [...units.map((unit) => ({ unit, digits: unit > 2 ? 2 : 1 })), { unit: 0, digits: 0 }]
}

/** The words of parts, of their sum, and of what it is compared with. */
export function sumWords(parts: readonly number[], marks: readonly number[] = []): SumWords {
  const sum = parts.reduce((all, part) => all + part, 0)
  const grains = grainsFor(Math.max(...parts, ...marks, 0))
  const counted = grains.map((grain) => countedIn(grain, parts, marks))
  const fitting = counted.find(
    ({ pieces, whole, rounded }) =>
      parts.every((part, at) => part <= 0 || (pieces[at] ?? 0) > 0) &&
      marks.every((mark, at) => isLike(sum, mark, whole, rounded[at] ?? 0)),
  )
  const { grain, pieces, whole, rounded } = fitting ?? countedIn({ unit: 0, digits: 0 }, parts, marks)
  const word = (count: number): string => wordOf(count, grain)
  return { parts: pieces.map(word), sum: word(whole), marks: rounded.map(word) }
}

/** In whole steps of the last digit. */
function countedIn(grain: Grain, parts: readonly number[], marks: readonly number[]) {
  const step = 1024 ** grain.unit / 10 ** grain.digits
  const count = (bytes: number): number => Math.max(0, Math.round(bytes / step))
  const pieces = parts.map(count)
  return { grain, pieces, whole: pieces.reduce((all, piece) => all + piece, 0), rounded: marks.map(count) }
}

const isLike = (sum: number, mark: number, roundedSum: number, roundedMark: number): boolean =>
  Math.sign(sum - mark) === Math.sign(roundedSum - roundedMark)

function wordOf(count: number, { unit, digits }: Grain): string {
  const factor = 10 ** digits
  const whole = formatCount(Math.floor(count / factor))
  const rest = digits === 0 ? '' : `.${String(count % factor).padStart(digits, '0')}`
  return `${whole}${rest}\u00a0${byteUnits[unit] ?? ''}`
}
