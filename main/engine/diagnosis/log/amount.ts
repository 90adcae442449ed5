// Amounts of memory as failure texts write them: 1013.05 MiB, 0 bytes, 1,024 KB, 1EB.

/** Bytes that a text gives, and half of its last digit: the true value lies within `bytes ± precision`. */
export interface Amount {
  readonly bytes: number
  readonly precision: number
}

const unitBytes: Readonly<Record<string, number>> = {
  b: 1,
  byte: 1,
  bytes: 1,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  tib: 1024 ** 4,
  pib: 1024 ** 5,
  eib: 1024 ** 6,
  kb: 1000,
  mb: 1000 ** 2,
  gb: 1000 ** 3,
  tb: 1000 ** 4,
  pb: 1000 ** 5,
  eb: 1000 ** 6,
}

/** The pattern of an amount, with two groups: the number, which has no sign, and the unit. Lengths are bounded, so that no text makes it slow. */
export const amountPattern = '(?<![-+\\w.,])(\\d[\\d,.]{0,30})\\s{0,4}(bytes?|[KMGTPE]i?B|B)\\b'

/** Above this a number is an overflow of the program that wrote it (the driver answers 2^64 − 1 where it does not know). */
const largestBytes = 2 ** 50

/** The amount of a number and a unit of `amountPattern`; null for an unknown unit, no number, or more bytes than `largest`. */
export function amountOf(number: string, unit: string, largest = largestBytes): Amount | null {
  const factor = unitBytes[unit.toLowerCase()]
  const plain = plainNumber(number)
  const value = Number(plain)
  if (factor === undefined || !Number.isFinite(value)) return null
  const bytes = Math.round(value * factor)
  if (bytes > largest) return null
  const digits = plain.split('.')[1]?.length ?? 0
  return { bytes, precision: factor === 1 ? 0 : Math.ceil((factor * 10 ** -digits) / 2) }
}

/** Commas group thousands, or are the decimal mark where at most two digits follow the only one. */
function plainNumber(text: string): string {
  const number = text.replace(/[.,]$/, '')
  return /^\d+,\d{1,2}$/.test(number) ? number.replace(',', '.') : number.replaceAll(',', '')
}
