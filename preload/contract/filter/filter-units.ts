// Amounts and places as people type them in a filter: bytes, lives, moments, and comparisons of them.
export type Operator = ':' | '=' | '>' | '>=' | '<' | '<='

/** Both ends included; an absent end is open. */
export interface Bounds {
  readonly min?: number
  readonly max?: number
}

const byteUnits: Readonly<Record<string, number>> = {
  b: 1,
  ...Object.fromEntries(
    ['k', 'm', 'g', 't'].flatMap((letter, index) => [
      [letter, 2 ** (10 * (index + 1))],
      [`${letter}ib`, 2 ** (10 * (index + 1))],
      [`${letter}b`, 1000 ** (index + 1)],
    ]),
  ),
}
const timeUnits: Readonly<Record<string, number>> = { ns: 1, us: 1e3, µs: 1e3, μs: 1e3, ms: 1e6, s: 1e9, min: 60e9 }
const eventUnits: ReadonlySet<string> = new Set(['', 'event', 'events'])

const amount = /^(\d[\d_]*(?:\.\d+)?)\s*([a-zµμ]*)$/i

function numberAndUnit(text: string): readonly [number, string] | undefined {
  const [, digits, unit = ''] = amount.exec(text.trim()) ?? []
  return digits === undefined ? undefined : [Number(digits.replaceAll('_', '')), unit.toLowerCase()]
}

/** Bytes of "4MiB", "1.5 GB" or "512". KiB, MiB … and K, M … count in powers of 1024, kB, MB … in powers of 1000. */
export function bytesOf(text: string): number | undefined {
  const [number, unit] = numberAndUnit(text) ?? []
  const factor = unit === '' ? 1 : byteUnits[unit ?? '']
  return number === undefined || factor === undefined ? undefined : number * factor
}

export type Span = { readonly unit: 'events'; readonly value: number } | { readonly unit: 'ns'; readonly value: number }

/** A stretch of events ("40", "40 events") or of time ("1.5ms"). */
export function spanOfText(text: string): Span | undefined {
  const [number, unit = ''] = numberAndUnit(text) ?? []
  if (number === undefined) return undefined
  if (eventUnits.has(unit)) return Number.isInteger(number) ? { unit: 'events', value: number } : undefined
  const factor = timeUnits[unit]
  return factor === undefined ? undefined : { unit: 'ns', value: number * factor }
}

export type NamedMoment = 'start' | 'peak' | 'end' | 'oom' | 'cursor'
export const namedMoments: readonly NamedMoment[] = ['peak', 'end', 'oom', 'cursor', 'start']
export type MomentText = Span | { readonly unit: 'named'; readonly value: NamedMoment }

/** An event, a time since the capture's start, or a moment with a name. */
export function momentOfText(text: string): MomentText | undefined {
  const named = namedMoments.find((each) => each === text.trim().toLowerCase())
  return named ? { unit: 'named', value: named } : spanOfText(text)
}

/** What a comparison with whole numbers leaves; `value` may have a fraction. */
export function boundsOf(operator: Operator, value: number): Bounds {
  switch (operator) {
    case '>':
      return { min: Math.floor(value) + 1 }
    case '>=':
      return { min: Math.ceil(value) }
    case '<':
      return { max: Math.ceil(value) - 1 }
    case '<=':
      return { max: Math.floor(value) }
    default:
      return { min: Math.ceil(value), max: Math.floor(value) }
  }
}

/** The comparison that holds where this one does not. */
export const inverse: Readonly<Partial<Record<Operator, Operator>>> = { '>': '<=', '>=': '<', '<': '>=', '<=': '>' }

/** The numbers in both. */
export function meet(a: Bounds, b: Bounds): Bounds {
  const min = Math.max(a.min ?? Number.NEGATIVE_INFINITY, b.min ?? Number.NEGATIVE_INFINITY)
  const max = Math.min(a.max ?? Number.POSITIVE_INFINITY, b.max ?? Number.POSITIVE_INFINITY)
  return { ...(min === Number.NEGATIVE_INFINITY ? {} : { min }), ...(max === Number.POSITIVE_INFINITY ? {} : { max }) }
}
