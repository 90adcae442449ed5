// Size classes of a report, merged until few enough for a short list. Pure.
export interface SizeBin {
  readonly fromBytes: number
  readonly toBytes: number
  readonly count: number
  readonly bytes: number
}

const mostRows = 9

/** Neighbouring classes joined by powers of two, then four, sixteen … until at most nine rows are left. Smallest first. */
export function mergedSizes(bins: readonly SizeBin[]): SizeBin[] {
  for (let power = 0; ; power = power === 0 ? 1 : power * 2) {
    const merged = power === 0 ? [...bins] : mergedBy(bins, power)
    if (merged.length <= mostRows) return merged
  }
}

function mergedBy(bins: readonly SizeBin[], power: number): SizeBin[] {
  const classes = new Map<number, SizeBin>()
  for (const bin of bins) {
    const key = Math.floor(Math.log2(Math.max(1, bin.fromBytes)) / power)
    const known = classes.get(key)
    const from = 2 ** (key * power)
    const start = known ?? { fromBytes: from, toBytes: from * 2 ** power, count: 0, bytes: 0 }
    classes.set(key, { ...start, count: start.count + bin.count, bytes: start.bytes + bin.bytes })
  }
  return [...classes.values()]
}
