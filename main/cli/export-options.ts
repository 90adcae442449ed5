// The options of `tidemark export`, checked. Pure.
import { extname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Language, languages, resolveLanguage } from '../../preload/contract/language.ts'
import {
  type Axis,
  axisSchema,
  type ColorBy,
  colorBySchema,
  maxSidePx,
  type ProfileFormat,
  profileExtensions,
  profileFormatSchema,
} from '../../preload/contract/queries.ts'
import { type ExportJob, pictureFormatSchema, type ViewId, viewIdSchema } from '../../preload/contract/shell.ts'
import { checkFilter } from './filter-option.ts'
import { type FlameChoice, type FlameWord, flameWords, parseFlame } from './flame-choice.ts'
import { UsageError } from './usage.ts'

export interface ExportOptions {
  readonly file: string
  readonly out: string
  readonly view: Exclude<ViewId, 'sql' | 'diagnosis'> // `tidemark query` answers SQL, `tidemark diagnose` the diagnosis
  readonly format: OutFormat
  readonly device: number | null
  readonly at: ExportJob['at'] | 'oom' // the last out-of-memory event
  readonly axis: Axis | null
  readonly range: readonly [number, number] | null
  readonly width: number
  readonly height: number
  readonly theme: 'light' | 'dark'
  readonly colorBy: ColorBy | null
  readonly filter: string // in the filter language; '' = none
  readonly flame: FlameChoice // of the flame graph
  readonly language: Language
}

const formats = [...pictureFormatSchema.options, 'csv'] as const

/** A picture, a table, or a flame graph as the file of another tool. */
export type OutFormat = (typeof formats)[number] | ProfileFormat

/** Views that other commands write. */
const elsewhereOf: Readonly<Record<string, string>> = {
  sql: 'tidemark query writes the answer of a statement',
  diagnosis: 'tidemark report writes it as a page, tidemark diagnose as text or JSON',
}

/** By the end of the name: a profile's has two parts where another format ends alike. */
function formatOf(out: string, view: ViewId): OutFormat {
  const profile = profileFormatSchema.options.find((format) => out.toLowerCase().endsWith(`.${profileExtensions[format]}`))
  if (profile !== undefined && view !== 'flame') throw new UsageError(`only --view flame is written as .${profileExtensions[profile]}`)
  return profile ?? oneOf(formats, extname(out).slice(1).toLowerCase(), 'the extension of OUT')
}
const unitNs: Readonly<Record<string, number>> = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9 }
const minSidePx = 64

interface Position {
  readonly value: number
  readonly isTime: boolean
}

/** "1200" (no unit) or "1.5ms" (nanoseconds). */
function parsePosition(text: string, option: string): Position {
  const [, digits, unit] = /^(-?\d+(?:\.\d+)?)(ns|us|µs|ms|s)?$/.exec(text) ?? []
  if (digits === undefined) throw new UsageError(`${option}: ${text} is no position (1200, 1.5ms)`)
  return { value: Number(digits) * (unit === undefined ? 1 : (unitNs[unit] ?? 1)), isTime: unit !== undefined }
}

function parseAt(text: string): ExportOptions['at'] {
  if (text === 'peak' || text === 'oom' || text === 'end') return text
  const [, kind, position] = /^(event|time):(.+)$/.exec(text) ?? []
  if (kind === undefined || position === undefined) throw new UsageError(`--at is peak, oom, end, event:N or time:T, not ${text}`)
  const { value } = parsePosition(position, '--at')
  if (kind === 'time') return { timeNs: value }
  if (!Number.isInteger(value) || value < -1) throw new UsageError('--at event:N wants a whole number, −1 = before the first event')
  return { event: value }
}

function parseRange(text: string): { range: readonly [number, number]; axis: Axis } {
  const [from, to, ...more] = text.split(':')
  if (from === undefined || to === undefined || more.length > 0) throw new UsageError('--range is A:B')
  const [a, b] = [parsePosition(from, '--range'), parsePosition(to, '--range')]
  if (a.isTime !== b.isTime) throw new UsageError('--range wants two events or two times')
  if (a.value >= b.value) throw new UsageError('--range: A must be before B')
  return { range: [a.value, b.value], axis: a.isTime ? 'time' : 'event' }
}

function parseSize(text: string): { width: number; height: number } {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(text) ?? []
  const size = { width: Number(width), height: Number(height) }
  const isSound = [size.width, size.height].every((side) => side >= minSidePx && side <= maxSidePx)
  if (!isSound) throw new UsageError(`--size is WxH, each side from ${minSidePx} to ${maxSidePx} pixels`)
  return size
}

/** The one of `values` that a text is. Throws UsageError for any other text. */
export function oneOf<T extends string>(values: readonly T[], text: string, option: string): T {
  const found = values.find((value) => value === text)
  if (found === undefined) throw new UsageError(`${option} is one of ${values.join(', ')}`)
  return found
}

/** The number of a device; −1 = the CPU. Throws UsageError. */
export function parseDevice(text: string): number {
  if (!/^(?:\d+|-1)$/.test(text)) throw new UsageError('--device wants the number of a device, -1 = the CPU')
  return Number(text)
}

const ownWords = ['range', 'axis', 'color-by', 'filter', ...flameWords] as const
type OwnOption = (typeof ownWords)[number]

/** What each view's picture takes besides the options that all take. */
const ownOptions: Readonly<Record<ExportOptions['view'], readonly OwnOption[]>> = {
  timeline: ['range', 'axis', 'color-by', 'filter'],
  lifetimes: ['range', 'axis', 'color-by', 'filter'],
  blocks: ['color-by', 'filter'],
  fragmentation: ['range', 'axis'],
  flame: ['range', 'color-by', 'filter', ...flameWords],
  trace: ['range'],
  allocations: ['filter'],
}

/** What its CSV takes, and of a flame graph its profile. */
const tableOptions: Readonly<Record<ExportOptions['view'], readonly OwnOption[]>> = {
  timeline: ['filter'],
  lifetimes: ['filter'],
  blocks: ['filter'],
  fragmentation: [],
  flame: ['range', 'filter', 'weight', 'unit', 'order', 'root'],
  trace: [],
  allocations: ['filter'],
}

/** Ways to color of the views that do not have them all. */
const ownColors: Partial<Readonly<Record<ViewId, readonly ColorBy[]>>> = { lifetimes: ['stack', 'category'], flame: ['category'] }

/** Throws UsageError for an option that would change nothing. */
function refuseOthers(view: ExportOptions['view'], format: OutFormat, values: Partial<Record<OwnOption, string | undefined>>): void {
  const isPicture = format === 'png' || format === 'svg' || format === 'pdf'
  const taken: readonly OwnOption[] = isPicture ? ownOptions[view] : tableOptions[view]
  for (const option of ownWords) {
    if (values[option] === undefined || taken.includes(option)) continue
    throw new UsageError(`${isPicture ? `--view ${view}` : format === 'csv' ? `the CSV of ${view}` : 'a profile'} takes no --${option}`)
  }
}

const flameParsers = {
  weight: { type: 'string' },
  unit: { type: 'string' },
  order: { type: 'string' },
  direction: { type: 'string' },
  root: { type: 'string' },
} as const satisfies Readonly<Record<FlameWord, object>>

/** The locale of the terminal; an empty variable counts as unset. */
export const systemLocale = (): string => process.env.LC_ALL || process.env.LC_MESSAGES || process.env.LANG || ''

/** Throws UsageError. */
export function parseExport(words: string[]): ExportOptions {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      view: { type: 'string' },
      device: { type: 'string' },
      at: { type: 'string' },
      range: { type: 'string' },
      size: { type: 'string', default: '1600x900' },
      theme: { type: 'string', default: 'light' },
      axis: { type: 'string' },
      'color-by': { type: 'string' },
      filter: { type: 'string' },
      ...flameParsers,
      language: { type: 'string', default: resolveLanguage('system', systemLocale()) },
      output: { type: 'string', short: 'o' },
    },
  })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError('export wants one FILE')
  const elsewhere = elsewhereOf[values.view ?? '']
  if (elsewhere !== undefined) throw new UsageError(`--view ${values.view}: ${elsewhere}`)
  const view = oneOf(viewIdSchema.exclude(['sql', 'diagnosis']).options, values.view ?? '', '--view')
  if (values.output === undefined) throw new UsageError('export wants -o OUT.png, OUT.svg, OUT.pdf or OUT.csv')
  const ranged = values.range === undefined ? { range: null, axis: null } : parseRange(values.range)
  const axis = values.axis === undefined ? ranged.axis : oneOf(axisSchema.options, values.axis, '--axis')
  if (ranged.axis !== null && axis !== ranged.axis)
    throw new UsageError('--range and --axis differ: a time range wants units, such as 1ms:5ms')
  const colorBy = values['color-by']
  const format = formatOf(values.output, view)
  refuseOthers(view, format, values)
  const flame = parseFlame(view === 'flame' ? values : {}, oneOf)
  const filter = values.filter ?? ''
  checkFilter(filter)
  if (format === 'csv' && (view === 'lifetimes' || view === 'allocations') && values.at !== undefined)
    throw new UsageError(`the CSV of ${view} holds all allocations and takes no --at`)
  return {
    file: resolve(file),
    out: resolve(values.output),
    view,
    format,
    device: values.device === undefined ? null : parseDevice(values.device),
    at: values.at === undefined ? null : parseAt(values.at),
    axis,
    range: ranged.range,
    ...parseSize(values.size),
    theme: oneOf(['light', 'dark'], values.theme, '--theme'),
    colorBy: colorBy === undefined ? null : oneOf(ownColors[view] ?? colorBySchema.options, colorBy, '--color-by'),
    filter,
    flame,
    language: oneOf(languages, values.language, '--language'),
  }
}
