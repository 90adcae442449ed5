// Robust statistics of short series: slopes, order, jumps, correlation. All bounded: longer series are thinned evenly.

/** Pairs grow with the square of the points. */
const maxPoints = 256

/** At most `limit` of the items, evenly spread, first and last included. */
function thinned<T>(items: readonly T[], limit = maxPoints): readonly T[] {
  if (items.length <= limit) return items
  return Array.from({ length: limit }, (_, at) => items[Math.round((at * (items.length - 1)) / (limit - 1))] as T)
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** 0 of no values. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return 0
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

export interface Trend {
  /** Theil–Sen: the median of the slopes of all pairs, in units of y a unit of x. */
  readonly slope: number
  /** Share of pairs that rise minus the share that fall, −1 to 1. */
  readonly order: number
  readonly first: number
  readonly last: number
  readonly points: number
}

/** Slope and order of a series; null below three points. */
export function trendOf(series: readonly Point[]): Trend | null {
  const points = thinned(series)
  const [first] = points
  const last = points.at(-1)
  if (points.length < 3 || !first || !last) return null
  const slopes: number[] = []
  let order = 0
  points.forEach((a, at) => {
    for (const b of points.slice(at + 1)) {
      if (b.x === a.x) continue
      slopes.push((b.y - a.y) / (b.x - a.x))
      order += Math.sign((b.y - a.y) * (b.x - a.x))
    }
  })
  return {
    slope: median(slopes),
    order: slopes.length > 0 ? order / slopes.length : 0,
    first: first.y,
    last: last.y,
    points: series.length,
  }
}

/** The largest rise between neighbors, as a share of the range; 0 where nothing rises. */
export function largestJump(series: readonly Point[]): { readonly x: number; readonly rise: number } {
  let best = { x: 0, rise: 0 }
  series.forEach((point, at) => {
    const before = series[at - 1]
    if (before && point.y - before.y > best.rise) best = { x: point.x, rise: point.y - before.y }
  })
  return best
}

/** Rank correlation (Spearman), −1 to 1; null where either does not vary, or below three points. */
export function correlation(pairs: readonly Point[]): number | null {
  const points = thinned(pairs)
  if (points.length < 3) return null
  const xs = ranksOf(points.map((point) => point.x))
  const ys = ranksOf(points.map((point) => point.y))
  const mean = (points.length - 1) / 2
  let [xy, xx, yy] = [0, 0, 0]
  xs.forEach((x, at) => {
    const y = ys[at] ?? 0
    xy += (x - mean) * (y - mean)
    xx += (x - mean) ** 2
    yy += (y - mean) ** 2
  })
  return xx === 0 || yy === 0 ? null : xy / Math.sqrt(xx * yy)
}

/** Ranks from 0; equal values share the mean of theirs. */
function ranksOf(values: readonly number[]): number[] {
  const order = values.map((_, at) => at).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
  const ranks = new Array<number>(values.length).fill(0)
  for (let from = 0; from < order.length; ) {
    let to = from
    while (to < order.length && values[order[to] ?? 0] === values[order[from] ?? 0]) to += 1
    for (const at of order.slice(from, to)) ranks[at] = (from + to - 1) / 2
    from = to
  }
  return ranks
}
