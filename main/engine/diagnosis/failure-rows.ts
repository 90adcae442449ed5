// The table of many failures as the window gets it: bounded, whatever is in the files.
import { basename, dirname, relative, sep } from 'node:path'
import type { FailureRow, Failures } from '../../../preload/contract/queries.ts'
import type { DiagnosedCase } from './cases.ts'
import type { CaseFailure } from './inputs.ts'
import { isPasted } from './page-sources.ts'
import { patternsOf } from './patterns.ts'

/** Of a table. */
export const maxRows = 5000
const maxPatterns = 200
const maxUnreadable = 100
const maxNameLength = 200
const maxMessageLength = 300
/** Characters of the rows: beyond the first, rows have no evidence; beyond the second, there are no more rows. */
const [charactersWithEvidence, charactersInAll] = [500_000, 750_000]

export interface TableSources {
  readonly cases: readonly DiagnosedCase[]
  /** How many there are, with those that were too many to keep. */
  readonly total: number
  readonly unreadable: readonly CaseFailure[]
  /** A token by which the window may open a file. */
  readonly tokenOf: (path: string) => string
}

/** Rows in the order of the cases: the index of a row is that of its case. */
export function tableOf({ cases, total, unreadable, tokenOf }: TableSources): Omit<Failures, 'failuresId'> {
  const { patterns, patternOf } = patternsOf(cases)
  const folder = commonFolder([...cases.map(({ file }) => file), ...unreadable.map(({ file }) => file)])
  const rows: FailureRow[] = []
  let characters = 0
  for (const [index, one] of cases.slice(0, maxRows).entries()) {
    const pattern = patternOf[index] ?? null
    const row = rowOf(one, index, {
      name: shownName(one.file, folder),
      pattern: pattern !== null && pattern < maxPatterns ? pattern : null,
      tokenOf,
    })
    const isShort = characters > charactersWithEvidence
    const kept = isShort ? { ...row, evidence: null } : row
    characters += JSON.stringify(kept).length
    if (characters > charactersInAll) break
    rows.push(kept)
  }
  return {
    rows,
    total,
    patterns: patterns.slice(0, maxPatterns),
    unreadable: unreadable.slice(0, maxUnreadable).map(({ file, error }) => ({
      name: shownName(file, folder),
      failure: { ...error, message: error.message.slice(0, maxMessageLength) },
    })),
    unreadableTotal: unreadable.length,
  }
}

interface RowParts extends Pick<FailureRow, 'name' | 'pattern'> {
  readonly tokenOf: (path: string) => string
}

function rowOf(one: DiagnosedCase, index: number, { name, pattern, tokenOf }: RowParts): FailureRow {
  const { verdict, candidates, situation } = one.diagnosis
  return {
    index,
    name,
    label: verdict.label,
    confidence: verdict.confidence,
    isUncertain: verdict.isUncertain,
    isFailure: situation.isFailure,
    reason: situation.provedReason,
    evidence: candidates[0]?.evidence[0]?.text ?? null,
    requestedBytes: situation.requestedBytes,
    device: one.capture?.device ?? one.log?.gpu ?? null,
    pattern,
    captureToken: one.snapshot === null ? null : tokenOf(one.snapshot),
    sourceTokens: [one.logFile, one.metricsFile].flatMap((file) => (file === null || isPasted(file) ? [] : tokenOf(file))),
  }
}

/** What the folders of all files have in common, with a separator at its end, be it only that; '' where they lie in one folder. */
function commonFolder(files: readonly string[]): string {
  const folders = [...new Set(files.filter((file) => file.includes(sep)).map((file) => dirname(file)))]
  const [first, ...others] = folders
  if (first === undefined || others.length === 0) return ''
  const parts = first.split(sep)
  const shared = parts.findIndex((part, at) => others.some((other) => other.split(sep)[at] !== part))
  return parts.slice(0, shared < 0 ? parts.length : shared).join(sep) + sep
}

function shownName(file: string, folder: string): string {
  const name = folder === '' || !file.includes(sep) ? basename(file) : relative(folder, file)
  return name.length <= maxNameLength ? name : `…${name.slice(1 - maxNameLength)}`
}
