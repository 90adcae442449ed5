// Times of a trace: decimal text in microseconds, exactly to nanoseconds.

/** A number as digits × 10^−scale. Throws where the text is none. */
function decimal(text: string): { readonly digits: bigint; readonly scale: number } {
  const parts = /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/.exec(text.trim())
  if (parts === null || !/\d/.test(`${parts[2]}${parts[3] ?? ''}`)) throw new Error(`no number: ${text}`)
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts
  const digits = BigInt(`${whole}${fraction}`)
  return { digits: sign === '-' ? -digits : digits, scale: fraction.length - Number(exponent) }
}

function times10(value: bigint, power: number, roundUp: boolean): bigint {
  if (power >= 0) return value * 10n ** BigInt(power)
  const divisor = 10n ** BigInt(-power)
  const floor = value >= 0n ? value / divisor : -((-value + divisor - 1n) / divisor)
  return roundUp && floor * divisor !== value ? floor + 1n : floor
}

/** The nanosecond at or before a time in microseconds. */
export function nanoseconds(text: string): bigint {
  const { digits, scale } = decimal(text)
  return times10(digits, 3 - scale, false)
}

/** Whole nanoseconds that cover [ts, ts + dur): the start rounded down, the end up. */
export function coveredNanoseconds(ts: string, dur: string): { readonly startNs: bigint; readonly durNs: bigint } {
  const [from, length] = [decimal(ts), decimal(dur)]
  const scale = Math.max(from.scale, length.scale)
  const end = times10(from.digits, scale - from.scale, false) + times10(length.digits, scale - length.scale, false)
  const startNs = nanoseconds(ts)
  const endNs = times10(end, 3 - scale, true)
  return { startNs, durNs: endNs > startNs ? endNs - startNs : 0n }
}
