// The slices or instants of a range, page by page.
import { useEffect, useRef, useState } from 'react'
import type { Failure, Result } from '../../../preload/contract/errors.ts'
import type { EngineInput, InstantRow, SliceRow } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'

const pageRows = 200

type Question<M extends 'trace.slices' | 'trace.instants'> = Omit<EngineInput<M>, 'offset' | 'limit'>
type Asker<R> = (key: string, page: { readonly offset: number; readonly limit: number }) => Promise<Result<{ rows: R[]; total: number }>>

interface Pages<R> {
  readonly key: string // of the question that the rows answer
  readonly total: number | undefined
  readonly rows: ReadonlyMap<number, R>
  readonly failure: Failure | undefined
}

const nothing = { key: '', total: undefined, failure: undefined }

/** Rows around the first in sight; a new question starts afresh, and what was there stays until its answer comes. `ask` is always the same. */
function usePages<R>(key: string, ask: Asker<R>, first: number): Pages<R> & { readonly isPending: boolean } {
  const [kept, setKept] = useState<Pages<R>>({ ...nothing, rows: new Map() })
  const asked = useRef({ key: '', pages: new Set<number>() })
  const page = Math.floor(first / pageRows)
  useEffect(() => {
    if (asked.current.key !== key) asked.current = { key, pages: new Set() }
    const { pages } = asked.current
    for (const each of [page, page + 1]) {
      if (pages.has(each)) continue
      pages.add(each)
      void ask(key, { offset: each * pageRows, limit: pageRows }).then((answer) => {
        if (asked.current.key !== key) return
        if (!answer.ok) {
          pages.delete(each) // so that scrolling asks again
          return setKept((old) => ({ ...(old.key === key ? old : { ...nothing, rows: new Map() }), key, failure: answer.error }))
        }
        const { rows, total } = answer.value
        setKept((old) => {
          const all = new Map(old.key === key ? old.rows : [])
          for (const [index, row] of rows.entries()) all.set(each * pageRows + index, row)
          return { key, total, rows: all, failure: undefined }
        })
      })
    }
  }, [key, ask, page])
  return { ...kept, isPending: kept.key !== key }
}

const askSlices: Asker<SliceRow> = (key, page) => engine.call('trace.slices', { ...(JSON.parse(key) as Question<'trace.slices'>), ...page })

const askInstants: Asker<InstantRow> = (key, page) =>
  engine.call('trace.instants', { ...(JSON.parse(key) as Question<'trace.instants'>), ...page })

export const useSlicePages = (question: Question<'trace.slices'>, first: number) => usePages(JSON.stringify(question), askSlices, first)

export const useInstantPages = (question: Question<'trace.instants'>, first: number) =>
  usePages(JSON.stringify(question), askInstants, first)
