// `metrics.jsonl`: what a program noted of itself, one JSON object a step, and how its memory grew.
import { linesIn, linesOf } from './lines.ts'
import { bytesPerUnit, isWanted, type KnownField, nameOf } from './metric-names.ts'
import { closeStepsOf } from './pressure.ts'
import { correlation, largestJump, median, type Point, type Trend, trendOf } from './trends.ts'

/** One step: every field that holds a number or a text. Numbers that are not finite (Python writes NaN, Infinity) are kept. */
export type MetricsRow = ReadonlyMap<string, number | string>

export interface Metrics {
  readonly rows: readonly MetricsRow[]
  /** By row: how many rows stood before it. */
  readonly places: readonly number[]
  /** Lines that hold no object. */
  readonly badLines: number
  /** Rows that are not in `rows`: of a file that is too large every second one goes, again and again, the last excepted. */
  readonly leftOut: number
  /** Fields in order of first sight. */
  readonly fields: readonly string[]
}

/** About what the rows may hold in memory. */
const maxHeldBytes = 256 * 1024 ** 2
const fieldBytes = 64
const rowBytes = 200
const maxTextLength = 1000
const maxFields = 1000
const maxFieldsOfRow = 256

interface PlacedRow {
  readonly row: MetricsRow
  readonly place: number
}

/** A row as it was read: of most rows of a large file no more is made. */
interface ReadRow {
  readonly fields: object
  readonly place: number
}

/** Collects lines as they come, in bounded memory. */
export class MetricsReader {
  #kept: PlacedRow[] = []
  #last: ReadRow | null = null
  #stride = 1
  #count = 0
  #heldBytes = 0
  #badLines = 0
  readonly #fields = new Set<string>()
  readonly #maxHeldBytes: number

  constructor(heldBytes = maxHeldBytes) {
    this.#maxHeldBytes = heldBytes
  }

  push(line: string): void {
    if (line.trim() === '') return
    const fields = objectIn(line)
    if (!fields) {
      this.#badLines += 1
      return
    }
    const place = this.#count
    this.#last = { fields, place }
    this.#count += 1
    if (place % this.#stride !== 0) return
    const row = rowOf(fields)
    this.#kept.push({ row, place })
    this.#heldBytes += bytesOf(row)
    for (const name of row.keys()) if (this.#fields.size < (isWanted(name) ? 2 * maxFields : maxFields)) this.#fields.add(name)
    while (this.#heldBytes > this.#maxHeldBytes && this.#kept.length > 1) this.#thin()
  }

  end(): Metrics {
    const isLastKept = this.#last === null || this.#kept.at(-1)?.place === this.#last.place
    const all = isLastKept || !this.#last ? this.#kept : [...this.#kept, { row: rowOf(this.#last.fields), place: this.#last.place }]
    return {
      rows: all.map(({ row }) => row),
      places: all.map(({ place }) => place),
      badLines: this.#badLines,
      leftOut: this.#count - all.length,
      fields: [...this.#fields],
    }
  }

  /** Every second row goes, so that what is left covers the run evenly. */
  #thin(): void {
    this.#stride *= 2
    this.#kept = this.#kept.filter(({ place }) => place % this.#stride === 0)
    this.#heldBytes = this.#kept.reduce((sum, { row }) => sum + bytesOf(row), 0)
  }
}

function bytesOf(row: MetricsRow): number {
  let bytes = rowBytes
  for (const [name, value] of row) bytes += fieldBytes + 2 * (name.length + (typeof value === 'string' ? value.length : 0))
  return bytes
}

/** Python's NaN and Infinity are no JSON: they become texts, and numbers again. */
const notFinite = /([:,[]\s*)(-?Infinity|NaN)\b/g

/** What a line holds; null where that is no object. */
function objectIn(line: string): object | null {
  const value = parsed(line) ?? parsed(line.replace(notFinite, '$1"$2"'))
  return typeof value === 'object' && !Array.isArray(value) ? value : null
}

/** Of a row with too many fields those that are looked for, and the first of the others. */
function keptOf<T>(entries: readonly (readonly [string, T])[]): readonly (readonly [string, T])[] {
  if (entries.length <= maxFieldsOfRow) return entries
  const wanted = entries.filter(([name]) => isWanted(name)).slice(0, maxFieldsOfRow)
  const others = entries.filter(([name]) => !isWanted(name)).slice(0, maxFieldsOfRow - wanted.length)
  return [...wanted, ...others]
}

/** Some programs write all numbers as texts: of fields that are looked for they are read. */
const isNumeral = (name: string, text: string): boolean =>
  /^(?:NaN|-?Infinity)$/.test(text) || (isWanted(name) && /^\s{0,8}[-+]?\d{1,30}(?:\.\d{0,30})?(?:e[-+]?\d{1,3})?\s{0,8}$/i.test(text))

function rowOf(fields: object): MetricsRow {
  const row = new Map<string, number | string>()
  for (const [name, item] of keptOf(Object.entries(fields))) {
    if (typeof item === 'number') row.set(name, item)
    else if (typeof item === 'string') row.set(name, isNumeral(name, item) ? Number(item) : item.slice(0, maxTextLength))
  }
  return row
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The metrics of a text. */
export function readMetricsText(text: string): Metrics {
  const reader = new MetricsReader()
  for (const line of linesOf(text)) reader.push(line)
  return reader.end()
}

/** Characters; a longer line is no row of numbers. */
const longestLine = 1024 ** 2

/** Throws what the system says when the file cannot be read; an AbortError after the signal. */
export async function readMetricsFile(path: string, signal?: AbortSignal): Promise<Metrics> {
  const reader = new MetricsReader()
  for await (const { text, isStart } of linesIn(path, longestLine, signal)) if (isStart) reader.push(text)
  return reader.end()
}

/** A field over the steps, amounts of memory in bytes; x is the step, or the place of the row where steps are not noted. */
export function seriesOf(metrics: Metrics, field: KnownField): Point[] {
  const name = fieldOf(metrics, field)
  return name === undefined ? [] : numbersOf(metrics, name, bytesPerUnit(name))
}

/** The same of a field by its own name. scale: what a value is multiplied by. */
export function numbersOf(metrics: Metrics, name: string, scale = 1): Point[] {
  const step = fieldOf(metrics, 'step')
  return metrics.rows.flatMap((row, at) => {
    const y = row.get(name)
    const place = metrics.places[at] ?? at
    const x = step === undefined ? place : row.get(step)
    return typeof y === 'number' ? [{ x: typeof x === 'number' && Math.abs(x) <= Number.MAX_SAFE_INTEGER ? x : place, y: y * scale }] : []
  })
}

/** The name that the metrics have for a field that we look for. */
export const fieldOf = (metrics: Metrics, field: KnownField): string | undefined => nameOf(metrics.fields, field)

/** How memory went with the steps. */
export interface MetricsGrowth {
  readonly steps: number
  /** Number of the first step, where every step from it on is noted. */
  readonly firstStep: number | null
  /** Any amount of memory is noted. */
  readonly hasMemory: boolean
  /** In use on the device, else reserved, when last noted. */
  readonly usedAtEnd: number | null
  /** What of the device is in use, by all. */
  readonly used: Trend | null
  /** Steps at the end that left as little of the device as the last. */
  readonly closeSteps: number
  /** Rows that were not kept, and lines that were none. */
  readonly leftOut: number
  readonly badLines: number
  /** Memory held between steps; null where it is not noted. */
  readonly allocated: Trend | null
  readonly peak: Trend | null
  readonly reserved: Trend | null
  readonly host: Trend | null
  /** What the device has in use beside this program's reserved memory. */
  readonly outside: Trend | null
  /** Rank correlation of the peak of a step with its size, null where the size does not vary. */
  readonly peakWithSize: number | null
  /** Steps of which both are noted. */
  readonly sizedSteps: number
  /** The size never fell: that both rose then proves little, as all else that grows with the steps does the same. */
  readonly sizeOnlyRose: boolean
  readonly largestJump: { readonly x: number; readonly rise: number }
  readonly deviceTotal: number | null
  /** The most that was noted at any step; null where it is not noted. */
  readonly most: { readonly allocated: number | null; readonly reserved: number | null }
  /** The different amounts reserved that were noted, the first of them where there are too many. */
  readonly reservedLevels: readonly number[]
  /** How often the allocator had emptied its cache and tried again, and the step after which that was first noted; null where it is not noted. */
  readonly retries: { readonly count: number; readonly firstStep: number | null; readonly stepsSince: number } | null
  /** What of a step's size was noted and varied, where both did or either. */
  readonly varying: 'batch' | 'sequence' | 'both' | null
  /** The last gradient norm over the median of the first half; infinite where it is not finite. Null without gradient norms. */
  readonly gradientNormRatio: number | null
}

/** No machine has more memory; what is below nothing is no amount either. */
const mostBytes = 2 ** 50
/** Without what can be no amount of memory, NaN among it. */
export const amounts = (points: readonly Point[]): Point[] => points.filter(({ y }) => y >= 0 && y <= mostBytes) // NaN is neither

const maxLevels = 2000

/** The measures of growth of a run. */
export function growthOf(metrics: Metrics): MetricsGrowth {
  const allocated = amounts(seriesOf(metrics, 'allocated'))
  const peaks = amounts(seriesOf(metrics, 'allocatedPeak'))
  const reserved = amounts(seriesOf(metrics, 'reserved'))
  const used = amounts(seriesOf(metrics, 'deviceUsed'))
  return {
    steps: metrics.rows.length + metrics.leftOut,
    firstStep: firstStepOf(metrics),
    hasMemory: memoryFields.some((field) => amounts(seriesOf(metrics, field)).length > 0),
    usedAtEnd: (used.at(-1) ?? amounts(seriesOf(metrics, 'reserved')).at(-1))?.y ?? null,
    used: trendOf(used),
    closeSteps: closeStepsOf(used, deviceTotalOf(metrics)),
    leftOut: metrics.leftOut,
    badLines: metrics.badLines,
    allocated: trendOf(allocated),
    peak: trendOf(peaks),
    reserved: trendOf(reserved),
    host: trendOf(amounts(seriesOf(metrics, 'rss'))),
    outside: trendOf(outsideOf(metrics)),
    peakWithSize: sizeCorrelation(metrics, peaks.length > 0 ? peaks : allocated),
    sizedSteps: (peaks.length > 0 ? peaks : allocated).length,
    sizeOnlyRose: !falls(seriesOf(metrics, 'batchSize')) && !falls(seriesOf(metrics, 'seqLen')),
    largestJump: largestJump(allocated),
    deviceTotal: deviceTotalOf(metrics),
    most: { allocated: mostOf([...allocated, ...peaks]), reserved: mostOf(reserved) },
    reservedLevels: [...new Set(reserved.map(({ y }) => y))].slice(0, maxLevels),
    retries: retriesIn(metrics),
    varying: varyingOf(metrics),
    gradientNormRatio: normRatio(seriesOf(metrics, 'gradNorm').map((point) => point.y)),
  }
}

const mostOf = (points: readonly Point[]): number | null =>
  points.length === 0 ? null : points.reduce((most, { y }) => Math.max(most, y), 0)

const memoryFields: readonly KnownField[] = ['allocated', 'allocatedPeak', 'reserved', 'deviceUsed', 'rss']

/** Rows that were left out, and steps that were not noted, leave the numbers of the others unknown. */
function firstStepOf(metrics: Metrics): number | null {
  const name = fieldOf(metrics, 'step')
  const numbers = metrics.rows.map((row, at) => (name === undefined ? metrics.places[at] : row.get(name)))
  const [first] = numbers
  const isEach = metrics.leftOut === 0 && typeof first === 'number' && numbers.every((number, at) => number === first + at)
  return isEach ? first : null
}

/** Null where the program has reserved more than the device is said to have. */
function deviceTotalOf(metrics: Metrics): number | null {
  const total = amounts(seriesOf(metrics, 'deviceTotal')).at(-1)?.y ?? null
  const reserved = amounts(seriesOf(metrics, 'reserved')).reduce((most, { y }) => Math.max(most, y), 0)
  return total === null || total < Math.max(1, reserved) ? null : total
}

function outsideOf(metrics: Metrics): Point[] {
  const reserved = new Map(amounts(seriesOf(metrics, 'reserved')).map((point) => [point.x, point.y]))
  return amounts(seriesOf(metrics, 'deviceUsed')).flatMap(({ x, y }) => {
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

const falls = (points: readonly Point[]): boolean => points.some(({ y }, at) => y < (points[at - 1]?.y ?? y))

function retriesIn(metrics: Metrics): MetricsGrowth['retries'] {
  const noted = seriesOf(metrics, 'retries').filter(({ y }) => y >= 0 && Number.isSafeInteger(y))
  const last = noted.at(-1)
  const stepsSince = noted.length - 1 - noted.findLastIndex(({ y }, at) => y > (noted[at - 1]?.y ?? 0))
  return last ? { count: last.y, firstStep: noted.find(({ y }) => y > 0)?.x ?? null, stepsSince } : null
}

function varyingOf(metrics: Metrics): MetricsGrowth['varying'] {
  const varies = (field: KnownField) => new Set(seriesOf(metrics, field).map(({ y }) => y)).size > 1
  const [batch, sequence] = [varies('batchSize'), varies('seqLen')]
  return batch && sequence ? 'both' : batch ? 'batch' : sequence ? 'sequence' : null
}

function normRatio(norms: readonly number[]): number | null {
  const usual = median(norms.slice(0, Math.max(1, Math.floor(norms.length / 2))).filter(Number.isFinite))
  const last = norms.at(-1)
  if (last === undefined) return null
  if (!Number.isFinite(last)) return Number.POSITIVE_INFINITY
  return usual > 0 ? last / usual : null
}
