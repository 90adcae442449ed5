// What the console of a capture holds: the text as typed, what ran, what came back. It stays while other views are in front.
import { useStore } from 'zustand'
import type { Failure } from '../../../preload/contract/errors.ts'
import type { SqlCells, SqlRelation } from '../../../preload/contract/queries.ts'
import { captureStores } from '../../data/capture-stores.ts'

/** An answer with its rows. */
export interface SqlResult {
  readonly statement: string
  readonly columns: readonly string[]
  readonly rows: readonly SqlCells[]
  readonly more: 'rows' | 'bytes' | null // what cut it short
  readonly elapsedMs: number
}

export const chartKinds = ['none', 'bars', 'line'] as const
export type ChartKind = (typeof chartKinds)[number]

export interface SqlState {
  readonly text: string
  readonly history: readonly string[] // statements that ran, the latest last
  readonly timeLimitMs: number
  readonly running: string | undefined
  readonly result: SqlResult | undefined
  readonly failure: { readonly statement: string; readonly error: Failure } | undefined // of the last statement, whose result is an earlier one's
  readonly chart: ChartKind
  readonly chartColumn: string | undefined // undefined = the first that can be drawn
  readonly relations: readonly SqlRelation[] | undefined
}

const initial: SqlState = {
  text: '',
  history: [],
  timeLimitMs: 15_000,
  running: undefined,
  result: undefined,
  failure: undefined,
  chart: 'none',
  chartColumn: undefined,
  relations: undefined,
}

/** The store of a capture. */
export const sqlState = captureStores(initial)

/** Part of it in React. */
export const useSqlState = <T>(captureId: string, pick: (state: SqlState) => T): T => useStore(sqlState(captureId), pick)

/** Changes part of it; other fields stay. */
export const patchSql = (captureId: string, patch: Partial<SqlState>): void => sqlState(captureId).setState(patch)

const mostStatements = 100

/** The history with a statement at its end, once. */
export const withStatement = (history: readonly string[], statement: string): readonly string[] =>
  [...history.filter((each) => each !== statement), statement].slice(-mostStatements)

/** The statement before (−1) or after (+1) the one in the editor; undefined: there is none. */
export function neighbourStatement({ history, text }: Pick<SqlState, 'history' | 'text'>, step: 1 | -1): string | undefined {
  const at = history.indexOf(text.trim())
  const from = at < 0 ? history.length : at
  return history[from + step]
}
