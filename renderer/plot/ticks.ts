// Ticks of the axes: 1-2-5 steps for events and times, powers of two for bytes, and labels with just enough digits to tell neighbours apart.
import { byteUnits, formatCount } from '../i18n/format.ts'

const nbsp = '\u00a0'

/** The smallest 1-2-5 step that is not below `least`. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const digit = [1, 2, 5].find((each) => each * power >= least * (1 - 1e-9)) ?? 10
  return digit * power
}

/** Multiples of a 1-2-5 step inside [x0, x1], at most one each `minGapPx`. `leastStep` 1 for events. */
export function niceTicks(x0: number, x1: number, widthPx: number, minGapPx: number, leastStep: number): number[] {
  const step = Math.max(leastStep, niceStep(((x1 - x0) * minGapPx) / widthPx))
  const ticks: number[] = []
  // Whole multiples, so that no rounding adds up over the ticks.
  for (let n = Math.ceil(x0 / step); n * step <= x1; n++) ticks.push(n === 0 ? 0 : n * step)
  return ticks
}

/** Multiples of a power of two of bytes in [0, y1], at least `minGapPx` apart. */
export function byteTicks(y1: number, heightPx: number, minGapPx: number): number[] {
  if (!(y1 > 0)) return [0]
  const step = 2 ** Math.max(0, Math.ceil(Math.log2((y1 * minGapPx) / heightPx)))
  const ticks: number[] = []
  for (let bytes = 0; bytes <= y1; bytes += step) ticks.push(bytes)
  return ticks
}

export interface TickLabel {
  readonly text: string
  readonly strong: boolean // the base that offsets (+…) count from
}

const timeUnits: readonly (readonly [name: string, ns: number])[] = [
  ['s', 1e9],
  ['ms', 1e6],
  ['µs', 1e3],
  ['ns', 1],
]
const mostDecimals = 4

/** Labels of ascending times (ns): common unit, equal decimals; at deep zoom the first in full and the rest as offsets from it. */
export function timeLabels(timesNs: readonly number[]): TickLabel[] {
  const known = timesNs.filter((time) => !Number.isNaN(time))
  const gapNs = smallestGap(known)
  const [unit, unitNs] = unitFor(Math.max(...known.map(Math.abs), 0))
  const decimals = decimalsFor(gapNs / unitNs)
  if (decimals <= mostDecimals || known.length === 0)
    return timesNs.map((time) => ({ text: inUnit(time, unit, unitNs, decimals), strong: false }))
  const baseNs = known[0] ?? 0
  const [offsetUnit, offsetNs] = unitFor((known.at(-1) ?? baseNs) - baseNs)
  const offsetDecimals = Math.min(decimalsFor(gapNs / offsetNs), 3)
  const baseIndex = timesNs.findIndex((time) => !Number.isNaN(time))
  return timesNs.map((time, index) =>
    index === baseIndex
      ? { text: inUnit(time, unit, unitNs, Math.min(decimals, Math.round(Math.log10(unitNs)))), strong: true }
      : { text: Number.isNaN(time) ? '' : `+${inUnit(time - baseNs, offsetUnit, offsetNs, offsetDecimals)}`, strong: false },
  )
}

function smallestGap(times: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY
  for (let i = 1; i < times.length; i++) {
    const gap = (times[i] ?? 0) - (times[i - 1] ?? 0)
    if (gap > 0 && gap < least) least = gap
  }
  return Number.isFinite(least) ? least : Math.max(Math.abs(times[0] ?? 1), 1) / 100
}

function unitFor(ns: number): readonly [string, number] {
  return timeUnits.find(([, size]) => ns >= size) ?? ['ns', 1]
}

const decimalsFor = (gapInUnits: number): number => Math.max(0, Math.ceil(-Math.log10(gapInUnits * 1.0001)))

function inUnit(ns: number, unit: string, unitNs: number, decimals: number): string {
  if (Number.isNaN(ns)) return ''
  if (ns === 0) return `0${nbsp}${unit}`
  const value = Math.abs(ns / unitNs)
  const text = decimals === 0 ? formatCount(Math.round(value)) : value.toFixed(decimals)
  return `${ns < 0 ? '−' : ''}${text}${nbsp}${unit}`
}

/** Labels of byte ticks, three digits without useless zeros: 0, 768 MiB, 1 GiB, 1.25 GiB. */
export function byteTickLabels(ticks: readonly number[]): string[] {
  const step = (ticks[1] ?? 0) - (ticks[0] ?? 0)
  return ticks.map((bytes) => {
    if (bytes === 0) return '0'
    const power = Math.min(byteUnits.length - 1, Math.floor(Math.log2(bytes) / 10))
    const unit = 1024 ** power
    const text = step % unit === 0 ? formatCount(bytes / unit) : String(Number((bytes / unit).toPrecision(3)))
    return `${text}${nbsp}${byteUnits[power] ?? ''}`
  })
}

/** One moment with the digits that matter at a glance: 1.5000 s, 832.1 ms. */
export function exactTimeLabel(ns: number): string {
  const [unit, unitNs] = unitFor(Math.abs(ns))
  return inUnit(ns, unit, unitNs, unitNs === 1 ? 0 : mostDecimals)
}
