// Bytes of the arithmetic in one unit, so that they can be added by eye.
import type { DiagnosisSituation } from '../../preload/contract/diagnosis.ts'
import type { Translate } from '../i18n/part-texts.ts'
import type { Arithmetic, ArithmeticBar } from './arithmetic.ts'

const [kib, mib, gib] = [2 ** 10, 2 ** 20, 2 ** 30]

export interface AmountUnit {
  readonly name: 'KiB' | 'MiB' | 'GiB'
  readonly text: (bytes: number) => string // "2,048.0"
  readonly between: (from: number, to: number) => string // rounded ends apart, so that what is shown adds up to the shown sum
  readonly whole: (bytes: number) => string // "2,048", of ticks
}

const mostDigits = 3

/**
 * By the largest number: GiB above 10 GiB where no part is too small for it, of little memory KiB, else MiB. `precisionBytes`: how far amounts may be
 * from the truth; digits that would pretend more are left out.
 */
export function unitOf(sum: Arithmetic, precisionBytes: number): AmountUnit {
  const { most } = sum
  const isLarge = most > 10 * gib && smallestOf(sum) >= leastOfGib
  const [name, size] = isLarge ? (['GiB', gib] as const) : most >= 8 * mib ? (['MiB', mib] as const) : (['KiB', kib] as const)
  // A hundredth of a GiB is what text in GiB shows.
  const usual = name === 'GiB' ? 2 : 1
  const known = Math.max(0, Math.floor(Math.log10(size / Math.max(1, precisionBytes))))
  const possible = Array.from({ length: mostDigits - usual + 1 }, (_, more) => usual + more).filter((digits) =>
    tellsApart(sum, size, digits),
  )
  const digits = Math.min(possible.find((each) => addsUp(sum, size, each)) ?? possible[0] ?? usual, known)
  const rounded = (bytes: number): number => Math.round((bytes / size) * 10 ** digits) / 10 ** digits
  const format = (fractionDigits: number) =>
    new Intl.NumberFormat('en-US', { minimumFractionDigits: fractionDigits, maximumFractionDigits: fractionDigits })
  const [exact, whole] = [format(digits), format(0)]
  return {
    name,
    text: (bytes) => exact.format(rounded(bytes)),
    between: (from, to) => exact.format(rounded(to) - rounded(from)),
    whole: (bytes) => whole.format(bytes / size),
  }
}

/** Parts below a tenth of a GiB would show one digit, or none. */
const leastOfGib = gib / 10

const smallestOf = ({ bars }: Arithmetic): number =>
  Math.min(...bars.flatMap(({ parts }) => parts.filter(({ kind }) => kind !== 'missing').map(({ from, to }) => to - from)))

/** Whether the parts, each rounded on its own, add up to the rounded sums. */
const addsUp = ({ bars }: Arithmetic, size: number, digits: number): boolean => {
  const rounded = (bytes: number): number => Math.round((bytes / size) * 10 ** digits)
  return bars.every(({ parts }) => parts.every(({ from, to }) => rounded(to - from) === rounded(to) - rounded(from)))
}

/** Whether sums that differ from what they are compared with read differently. */
const tellsApart = ({ bars }: Arithmetic, size: number, digits: number): boolean =>
  bars.every(
    ({ sum, against }) =>
      against === null || sum === against || ((sum / size) * 10 ** digits).toFixed() !== ((against / size) * 10 ** digits).toFixed(),
  )

/** "allocated 238.5 + request 400.0". */
export const partsText = ({ parts }: ArithmeticBar, unit: AmountUnit, t: Translate<'diagnosis'>): string =>
  parts.flatMap(({ kind, from, to }) => (kind === 'missing' ? [] : [t(`part.${kind}`, { amount: unit.between(from, to) })])).join(' + ')

/** "limit 2,048.0", or the range in which it lies; null where there is none. */
export function limitText({ limit, limitBelow, isLimitKnown }: Arithmetic, unit: AmountUnit, t: Translate<'diagnosis'>): string | null {
  if (limit === null) return null
  if (limitBelow !== null) return t('sum.range', { from: unit.text(limit), to: unit.text(limitBelow) })
  return t(isLimitKnown ? 'sum.limit' : 'sum.noLimit', { amount: unit.text(limit) })
}

/** "2,080.0 > 2,048.0". */
export function comparison({ sum, against, outcome }: ArithmeticBar, unit: AmountUnit): string {
  if (against === null) return unit.text(sum)
  // The limit lies below what was refused: compared with itself, it would say nothing.
  if (outcome === 'refused') return unit.text(sum)
  return `${unit.text(sum)} ${sum > against ? '>' : sum < against ? '<' : '='} ${unit.text(against)}`
}

/** What the comparison means: "32.0 too much". */
export const outcomeText = ({ kind, outcome, sum, against }: ArithmeticBar, unit: AmountUnit, t: Translate<'diagnosis'>): string => {
  const [less, more] = [Math.min(sum, against ?? sum), Math.max(sum, against ?? sum)]
  return t(`outcome.${outcome === 'fits' && kind === 'largest' ? 'fitsBlock' : outcome}`, { amount: unit.between(less, more) })
}

/** What the bars do not say of themselves: how a limit that no source names is known, and what the refused sum is made of. */
export function sumNotes(sum: Arithmetic, situation: DiagnosisSituation, unit: AmountUnit, t: Translate<'diagnosis'>): string[] {
  if (sum.limit === null || sum.limitBelow === null) return []
  const hadRoom = situation.deviceFreeBytes !== null && situation.deviceFreeBytes >= (situation.segmentBytes ?? 0)
  const range = { from: unit.text(sum.limit), to: unit.text(sum.limitBelow), unit: unit.name }
  return [t(hadRoom ? 'sum.limitRange' : 'sum.limitRangeDevice', range), ...refusedNotes(sum, situation, unit, t)]
}

/** The allocated memory and the request may fit below the limit: what else was reserved, and the size of the segment, tell why they were refused. */
function refusedNotes({ bars }: Arithmetic, situation: DiagnosisSituation, unit: AmountUnit, t: Translate<'diagnosis'>): string[] {
  const { requestedBytes, segmentBytes, largestFreeBytes } = situation
  const reserved = bars.find(({ kind }) => kind === 'reserved')
  const free = reserved?.parts.find(({ kind }) => kind === 'free')
  if (requestedBytes === null || segmentBytes === null || !reserved) return []
  const words = { request: unit.text(requestedBytes), segment: unit.text(segmentBytes), unit: unit.name }
  return [
    ...(free && largestFreeBytes !== null && largestFreeBytes < requestedBytes
      ? [t('sum.cachedNoUse', { free: unit.between(free.from, free.to), largest: unit.text(largestFreeBytes), unit: unit.name })]
      : []),
    ...(segmentBytes > requestedBytes ? [t('sum.segmentOfRequest', words)] : []),
  ]
}
