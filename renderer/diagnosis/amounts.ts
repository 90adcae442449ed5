// Bytes of the arithmetic in one unit, so that they can be added by eye.
import type { Translate } from '../i18n/part-texts.ts'
import type { Arithmetic, ArithmeticBar } from './arithmetic.ts'

const [kib, mib, gib] = [2 ** 10, 2 ** 20, 2 ** 30]

export interface AmountUnit {
  readonly name: 'KiB' | 'MiB' | 'GiB'
  readonly text: (bytes: number) => string // "2,048.0"
  readonly whole: (bytes: number) => string // "2,048", of ticks
}

/** By the largest number: GiB above 10 GiB, of little memory KiB, else MiB. `precisionBytes`: how far amounts may be from the truth; digits that would pretend more are left out. */
export function unitOf({ most }: Arithmetic, precisionBytes: number): AmountUnit {
  const [name, size] = most > 10 * gib ? (['GiB', gib] as const) : most >= 8 * mib ? (['MiB', mib] as const) : (['KiB', kib] as const)
  // A hundredth of a GiB is what text in GiB shows.
  const finest = name === 'GiB' ? 2 : 1
  const digits = Math.min(finest, Math.max(0, Math.floor(Math.log10(size / Math.max(1, precisionBytes)))))
  const format = (fractionDigits: number) =>
    new Intl.NumberFormat('en-US', { minimumFractionDigits: fractionDigits, maximumFractionDigits: fractionDigits })
  const [exact, whole] = [format(digits), format(0)]
  return { name, text: (bytes) => exact.format(bytes / size), whole: (bytes) => whole.format(bytes / size) }
}

/** "allocated 238.5 + request 400.0". */
export const partsText = ({ parts }: ArithmeticBar, unit: AmountUnit, t: Translate<'diagnosis'>): string =>
  parts.flatMap(({ kind, from, to }) => (kind === 'missing' ? [] : [t(`part.${kind}`, { amount: unit.text(to - from) })])).join(' + ')

/** "limit 2,048.0", or the range in which it lies; null where there is none. */
export function limitText({ limit, limitBelow, isLimitKnown }: Arithmetic, unit: AmountUnit, t: Translate<'diagnosis'>): string | null {
  if (limit === null) return null
  if (limitBelow !== null) return t('sum.range', { from: unit.text(limit), to: unit.text(limitBelow) })
  return t(isLimitKnown ? 'sum.limit' : 'sum.noLimit', { amount: unit.text(limit) })
}

/** "2,080.0 > 2,048.0". */
export function comparison({ sum, against, outcome }: ArithmeticBar, unit: AmountUnit): string {
  if (against === null) return unit.text(sum)
  if (outcome === 'refused') return `${unit.text(sum)} ≥ ${unit.text(against)}`
  return `${unit.text(sum)} ${sum > against ? '>' : sum < against ? '<' : '='} ${unit.text(against)}`
}

/** What the comparison means: "32.0 too much". */
export const outcomeText = ({ kind, outcome, overBy }: ArithmeticBar, unit: AmountUnit, t: Translate<'diagnosis'>): string =>
  t(`outcome.${outcome === 'fits' && kind === 'largest' ? 'fitsBlock' : outcome}`, { amount: unit.text(Math.abs(overBy ?? 0)) })
