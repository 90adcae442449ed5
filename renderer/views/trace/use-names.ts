// Sums by name of what a table is about.
import { useMemo } from 'react'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { EngineInput, TraceTracks } from '../../../preload/contract/queries.ts'
import type { GroupRow } from './rows.ts'
import type { TableQuestions } from './table-questions.ts'
import { type Answer, useAnswer } from './use-answer.ts'
import { useTrace } from './use-trace.ts'

const limit = 1000

/** The question after the sums by name. */
export function nameQuestion({ slices }: Pick<TableQuestions, 'slices'>, tracks: TraceTracks): EngineInput<'trace.selection'> {
  const { captureId, fromNs, toNs } = slices
  return { captureId, tracks: slices.tracks ?? tracks.tracks.map(({ trackId }) => trackId), fromNs, toNs, by: 'name', limit }
}

/** The rows that the search leaves; all without one. */
export function foundRows(rows: readonly GroupRow[], names: readonly number[] | null): readonly GroupRow[] {
  const found = names && new Set(names)
  return found ? rows.filter(({ key }) => found.has(key)) : rows
}

export interface NameRows extends Omit<Answer<never>, 'value'> {
  readonly rows: readonly GroupRow[] | undefined
  readonly told: number // names that the engine told, whether searched for or not
  readonly more: number // names that the engine did not tell
}

/** The names with most time; of a search those of them that it has found. */
export function useNameRows({ captureId }: CaptureSummary, questions: TableQuestions): NameRows {
  const tracks = useTrace(captureId, (data) => data.tracks)
  const question = useMemo(() => tracks && nameQuestion(questions, tracks), [questions, tracks])
  const { value, failure, isPending } = useAnswer('trace.selection', question)
  return {
    rows: value && foundRows(value.rows, questions.slices.names),
    told: value?.rows.length ?? 0,
    more: value ? value.groups - value.rows.length : 0,
    failure,
    isPending,
  }
}
