// What a page was made from: the snapshot, the logs and metrics beside it, and what the user gave, each with what became of it.
import { basename } from 'node:path'
import type { DiagnosisSource } from '../../../preload/contract/queries.ts'
import type { DiagnosedCase, MeasuredDiagnosis, ToldSources } from './cases.ts'

/** Stands where a file's name would, for what was pasted. */
export const pastedName = 'text'
/** The same for several texts, which count from 0. */
export const pastedFile = (at: number): string => (at === 0 ? pastedName : `${pastedName} ${at + 1}`)
export const isPasted = (file: string): boolean => /^text(?: \d+)?$/.test(file)

const maxNameLength = 200
const shownName = (file: string): string => (isPasted(file) ? '' : basename(file).slice(0, maxNameLength))

type Read = Pick<DiagnosedCase, 'snapshot' | 'logFile' | 'metricsFile' | 'misfits'>

/** What a case was made from. */
export function readSourcesOf({ snapshot, logFile, metricsFile, misfits }: Read): DiagnosisSource[] {
  const source = (kind: DiagnosisSource['kind'], file: string | null): DiagnosisSource[] =>
    file === null ? [] : [{ kind: isPasted(file) ? 'text' : kind, name: shownName(file), use: 'read', why: null, given: null }]
  return [
    ...source('snapshot', snapshot),
    ...source('log', logFile),
    ...source('metrics', metricsFile),
    ...misfits.map(({ file, why }) => ({ kind: 'metrics', name: shownName(file), use: 'misfit', why, given: null }) as const),
  ]
}

export interface GivenSource {
  /** A path, or the name of a pasted text. */
  readonly file: string
  /** It cannot be read any more. */
  readonly isLost: boolean
}

/** What an open snapshot's page was made from, and what became of each that the user gave, in their order. */
export function openSourcesOf(
  given: readonly GivenSource[],
  told: ToldSources,
  { found, telling, others }: MeasuredDiagnosis,
): DiagnosisSource[] {
  const isGiven = new Set(given.map(({ file }) => file))
  const without = (file: string | null): string | null => (file !== null && isGiven.has(file) ? null : file)
  const beside = readSourcesOf({
    snapshot: found.snapshot,
    logFile: without(found.logFile),
    metricsFile: without(found.metricsFile),
    misfits: found.misfits.filter(({ file }) => !isGiven.has(file)),
  })
  const isMetrics = new Set(told.metrics.map(({ file }) => file))
  const isOther = new Set(others.map(({ file }) => file))
  const becameOf = ({ file, isLost }: GivenSource): DiagnosisSource['use'] => {
    if (file === found.metricsFile || telling.has(file)) return 'read'
    if (isLost || told.unreadable.some((one) => one.file === file)) return 'lost'
    if (found.misfits.some((one) => one.file === file)) return 'misfit'
    return isOther.has(file) ? 'others' : 'unused'
  }
  return [
    ...beside,
    ...given.map((one, at): DiagnosisSource => {
      const { file } = one
      const kind = isPasted(file) ? 'text' : isMetrics.has(file) ? 'metrics' : 'log'
      const why = found.misfits.find((misfit) => misfit.file === file)?.why ?? null
      return { kind, name: shownName(file), use: becameOf(one), why, given: at }
    }),
  ]
}
