// `metrics.jsonl`: what a program noted of itself, one JSON object a step, and how its memory grew.
import { linesIn } from './lines.ts'
import { correlation, largestJump, median, type Point, type Trend, trendOf } from './trends.ts'

/** One step: every field that holds a number or a text. Numbers that are not finite (Python writes NaN, Infinity) are kept. */
export type MetricsRow = ReadonlyMap<string, number | string>

export interface Metrics {
  readonly rows: readonly MetricsRow[]
  /** Lines that hold no object. */
  readonly badLines: number
  /** Rows after the first million. */
  readonly leftOut: number
  /** Fields in order of first sight. */
  readonly fields: readonly string[]
}

const maxRows = 1_000_000
const maxFields = 1000
const maxFieldsOfRow = 256

/** Other programs' names for what we look for, in order of preference; compared without case and separators. */
const fieldNames = {
  step: ['step', 'globalstep', 'iteration', 'iter', 'it'],
  allocated: ['allocated', 'allocatedbytes', 'memoryallocated', 'memallocated', 'cudaallocated'],
  allocatedPeak: ['allocatedpeak', 'peakallocated', 'maxmemoryallocated', 'peakallocatedbytes', 'maxallocated'],
  reserved: ['reserved', 'reservedbytes', 'memoryreserved', 'memreserved', 'cudareserved'],
  inactiveSplit: ['inactivesplit', 'inactivesplitbytes'],
  deviceUsed: ['deviceused', 'deviceusedbytes', 'gpuused', 'gpumemused'],
  deviceTotal: ['devicetotal', 'devicetotalbytes', 'gputotal', 'gpumemtotal'],
  rss: ['rss', 'rssbytes', 'hostrss', 'hostmemory', 'maxrss'],
  gradNorm: ['gradnorm', 'gradientnorm', 'gnorm'],
  batchSize: ['batchsize', 'bs', 'microbatchsize', 'batch'],
  seqLen: ['seqlen', 'sequencelength', 'seqlength', 'numtokens', 'tokens'],
  retries: ['numallocretries', 'allocretries', 'retries'],
} as const

export type KnownField = keyof typeof fieldNames

const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Collects lines as they come. */
export class MetricsReader {
  readonly #rows: MetricsRow[] = []
  readonly #fields = new Set<string>()
  #badLines = 0
  #leftOut = 0

  push(line: string): void {
    if (line.trim() === '') return
    const row = rowOf(line)
    if (!row) this.#badLines += 1
    else if (this.#rows.length >= maxRows) this.#leftOut += 1
    else {
      this.#rows.push(row)
      for (const name of row.keys()) if (this.#fields.size < maxFields) this.#fields.add(name)
    }
  }

  end(): Metrics {
    return { rows: this.#rows, badLines: this.#badLines, leftOut: this.#leftOut, fields: [...this.#fields] }
  }
}

/** Python's NaN and Infinity are no JSON: they become texts, and numbers again. */
const notFinite = /([:,[]\s*)(-?Infinity|NaN)\b/g

function rowOf(line: string): MetricsRow | null {
  const value = parsed(line) ?? parsed(line.replace(notFinite, '$1"$2"'))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const entries = Object.entries(value).slice(0, maxFieldsOfRow)
  return new Map(entries.flatMap(([name, item]) => fieldOf(name, item)))
}

function fieldOf(name: string, item: unknown): [string, number | string][] {
  if (typeof item === 'number') return [[name, item]]
  if (typeof item !== 'string') return []
  return [[name, /^(?:NaN|-?Infinity)$/.test(item) ? Number(item) : item]]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function readMetricsText(text: string): Metrics {
  const reader = new MetricsReader()
  for (const line of text.split(/\r?\n/)) reader.push(line)
  return reader.end()
}

/** Characters; a longer line is no row of numbers. */
const longestLine = 1024 ** 2

/** Throws what the system says when the file cannot be read. */
export async function readMetricsFile(path: string): Promise<Metrics> {
  const reader = new MetricsReader()
  for await (const line of linesIn(path, longestLine)) reader.push(line)
  return reader.end()
}

/** A field over the steps; x is the step, or the place of the row where steps are not noted. */
export function seriesOf(metrics: Metrics, field: KnownField): Point[] {
  const name = nameOf(metrics, field)
  const step = nameOf(metrics, 'step')
  if (name === undefined) return []
  return metrics.rows.flatMap((row, at) => {
    const y = row.get(name)
    const x = step === undefined ? at : row.get(step)
    return typeof y === 'number' ? [{ x: typeof x === 'number' && Number.isFinite(x) ? x : at, y }] : []
  })
}

function nameOf(metrics: Metrics, field: KnownField): string | undefined {
  const byPlainName = new Map(metrics.fields.map((name) => [plainName(name), name]))
  const wanted = fieldNames[field].find((name) => byPlainName.has(name))
  return wanted === undefined ? undefined : byPlainName.get(wanted)
}

/** How memory went with the steps. */
export interface MetricsGrowth {
  readonly steps: number
  /** Memory held between steps; null where it is not noted. */
  readonly allocated: Trend | null
  readonly peak: Trend | null
  readonly reserved: Trend | null
  readonly host: Trend | null
  /** What the device has in use beside this program's reserved memory. */
  readonly outside: Trend | null
  /** Rank correlation of the peak of a step with its size, null where the size does not vary. */
  readonly peakWithSize: number | null
  readonly largestJump: { readonly x: number; readonly rise: number }
  readonly deviceTotal: number | null
  /** The last gradient norm over the median of the first half; infinite where it is not finite. Null without gradient norms. */
  readonly gradientNormRatio: number | null
}

const finite = (points: readonly Point[]): Point[] => points.filter((point) => Number.isFinite(point.y))

/** The measures of growth of a run. */
export function growthOf(metrics: Metrics): MetricsGrowth {
  const allocated = finite(seriesOf(metrics, 'allocated'))
  const peaks = finite(seriesOf(metrics, 'allocatedPeak'))
  return {
    steps: metrics.rows.length,
    allocated: trendOf(allocated),
    peak: trendOf(peaks),
    reserved: trendOf(finite(seriesOf(metrics, 'reserved'))),
    host: trendOf(finite(seriesOf(metrics, 'rss'))),
    outside: trendOf(outsideOf(metrics)),
    peakWithSize: sizeCorrelation(metrics, peaks.length > 0 ? peaks : allocated),
    largestJump: largestJump(allocated),
    deviceTotal: finite(seriesOf(metrics, 'deviceTotal')).at(-1)?.y ?? null,
    gradientNormRatio: normRatio(seriesOf(metrics, 'gradNorm').map((point) => point.y)),
  }
}

function outsideOf(metrics: Metrics): Point[] {
  const reserved = new Map(finite(seriesOf(metrics, 'reserved')).map((point) => [point.x, point.y]))
  return finite(seriesOf(metrics, 'deviceUsed')).flatMap(({ x, y }) => {
    const own = reserved.get(x)
    return own === undefined ? [] : [{ x, y: y - own }]
  })
}

function sizeCorrelation(metrics: Metrics, memory: readonly Point[]): number | null {
  const batch = new Map(seriesOf(metrics, 'batchSize').map((point) => [point.x, point.y]))
  const length = new Map(seriesOf(metrics, 'seqLen').map((point) => [point.x, point.y]))
  if (batch.size === 0 && length.size === 0) return null
  return correlation(memory.map(({ x, y }) => ({ x: (batch.get(x) ?? 1) * (length.get(x) ?? 1), y })))
}

function normRatio(norms: readonly number[]): number | null {
  const usual = median(norms.slice(0, Math.max(1, Math.floor(norms.length / 2))).filter(Number.isFinite))
  const last = norms.at(-1)
  if (last === undefined) return null
  if (!Number.isFinite(last)) return Number.POSITIVE_INFINITY
  return usual > 0 ? last / usual : null
}
