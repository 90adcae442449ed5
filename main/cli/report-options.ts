// The options of `tidemark report`, checked. Pure.
import { extname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Language, languages, resolveLanguage } from '../../preload/contract/language.ts'
import { type ReportFormat, type ReportView, reportFormatSchema, reportViewSchema } from '../../preload/contract/report-job.ts'
import { oneOf, parseDevice, systemLocale } from './export-options.ts'
import { UsageError } from './usage.ts'

export interface ReportOptions {
  readonly file: string
  readonly out: string
  readonly format: ReportFormat
  readonly device: number | null
  readonly views: readonly ReportView[] | null
  readonly theme: 'light' | 'dark'
  readonly language: Language
  readonly shortPaths: boolean
  readonly notes: readonly string[]
  readonly madeAtMs: number | null
}

function parseViews(text: string): readonly ReportView[] {
  return text
    .split(',')
    .filter((word) => word !== '')
    .map((word) => oneOf(reportViewSchema.options, word, 'each of --views'))
}

/** "2026-11-30", or with a time: UTC unless it says otherwise. */
function parseDate(text: string): number {
  const isPlain = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?)?$/.test(text)
  const at = Date.parse(isPlain && text.includes('T') ? `${text}Z` : text)
  if (Number.isNaN(at) || !/^\d{4}-\d{2}-\d{2}/.test(text)) throw new UsageError('--date is like 2026-11-30 or 2026-11-30T12:00Z')
  return at
}

/** Throws UsageError. */
export function parseReport(words: string[]): ReportOptions {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      device: { type: 'string' },
      views: { type: 'string' },
      theme: { type: 'string', default: 'light' },
      language: { type: 'string', default: resolveLanguage('system', systemLocale()) },
      'full-paths': { type: 'boolean', default: false },
      note: { type: 'string', multiple: true, default: [] },
      date: { type: 'string' },
      output: { type: 'string', short: 'o' },
    },
  })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError('report wants one FILE')
  if (values.output === undefined) throw new UsageError('report wants -o OUT.html or OUT.pdf')
  return {
    file: resolve(file),
    out: resolve(values.output),
    format: oneOf(reportFormatSchema.options, extname(values.output).slice(1).toLowerCase(), 'the extension of OUT'),
    device: values.device === undefined ? null : parseDevice(values.device),
    views: values.views === undefined ? null : parseViews(values.views),
    theme: oneOf(['light', 'dark'], values.theme, '--theme'),
    language: oneOf(languages, values.language, '--language'),
    shortPaths: !values['full-paths'],
    notes: values.note,
    madeAtMs: values.date === undefined ? null : parseDate(values.date),
  }
}
