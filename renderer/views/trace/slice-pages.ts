// The slices of a range, page by page.
import { useEffect, useRef, useState } from 'react'
import type { Failure } from '../../../preload/contract/errors.ts'
import type { EngineInput, SliceRow } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'

const pageRows = 200

export type SlicesQuestion = Omit<EngineInput<'trace.slices'>, 'offset' | 'limit'>

export interface SlicePages {
  readonly key: string // of the question that the rows answer
  readonly total: number | undefined
  readonly rows: ReadonlyMap<number, SliceRow>
  readonly failure: Failure | undefined
}

const nothing: SlicePages = { key: '', total: undefined, rows: new Map(), failure: undefined }

/** Rows around the first in sight; a new question starts afresh, and what was there stays until its answer comes. */
export function useSlicePages(question: SlicesQuestion | undefined, first: number): SlicePages & { readonly isPending: boolean } {
  const [kept, setKept] = useState(nothing)
  const key = question ? JSON.stringify(question) : ''
  const asked = useRef({ key: '', pages: new Set<number>() })
  const page = Math.floor(first / pageRows)
  useEffect(() => {
    if (key === '') return
    if (asked.current.key !== key) asked.current = { key, pages: new Set() }
    const { pages } = asked.current
    for (const each of [page, page + 1]) {
      if (pages.has(each)) continue
      pages.add(each)
      const input = { ...(JSON.parse(key) as SlicesQuestion), offset: each * pageRows, limit: pageRows }
      void engine.call('trace.slices', input).then((answer) => {
        if (asked.current.key !== key) return
        if (!answer.ok) {
          pages.delete(each) // so that scrolling asks again
          return setKept((old) => ({ ...(old.key === key ? old : nothing), key, failure: answer.error }))
        }
        const { rows, total } = answer.value
        setKept((old) => {
          const all = new Map(old.key === key ? old.rows : [])
          for (const [index, row] of rows.entries()) all.set(each * pageRows + index, row)
          return { key, total, rows: all, failure: undefined }
        })
      })
    }
  }, [key, page])
  return { ...kept, isPending: kept.key !== key }
}
