// What the units of other tools' profiles mean, in the words that pprof, speedscope and V8 use.

export interface UnitMeaning {
  readonly kind: 'bytes' | 'time' | 'count' | 'other'
  /** Bytes, nanoseconds or pieces that one of the unit is. */
  readonly size: number
}

const kib = 1024
const bytes = { b: 1, byte: 1, bytes: 1, kb: kib, kilobyte: kib, kilobytes: kib, mb: kib ** 2, megabyte: kib ** 2, megabytes: kib ** 2 }
const times = {
  ...{ ns: 1, nanosecond: 1, nanoseconds: 1, us: 1e3, µs: 1e3, microsecond: 1e3, microseconds: 1e3 },
  ...{ ms: 1e6, millisecond: 1e6, milliseconds: 1e6, s: 1e9, second: 1e9, seconds: 1e9 },
}
const counts = ['', 'none', 'count', 'counts', 'objects', 'samples']

/** The meaning of a unit as a file writes it; `other`: a number of something that only the word tells. */
export function meaningOf(unit: string): UnitMeaning {
  const word = unit.toLowerCase()
  const sizeIn = (table: Readonly<Record<string, number>>) => (Object.hasOwn(table, word) ? table[word] : undefined)
  const [ofBytes, ofTime] = [sizeIn(bytes), sizeIn(times)]
  if (ofBytes !== undefined) return { kind: 'bytes', size: ofBytes }
  if (ofTime !== undefined) return { kind: 'time', size: ofTime }
  return { kind: counts.includes(word) ? 'count' : 'other', size: 1 }
}
