// The allocations of a rectangle, page by page, for the list in the drawer and the table twin.
import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import type { Failure } from '../../../preload/contract/errors.ts'
import type { EngineOutput, lifetimeSortSchema } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { askFilter } from '../../state/filter.ts'
import type { AllocationFilter } from '../../state/view-state.ts'
import { type Place, rectangleOf } from './questions.ts'

export type ListSort = z.output<typeof lifetimeSortSchema>
type Answer = EngineOutput<'lifetimes.list'>
export type ListRow = Answer['rows'][number]

export const pageRows = 200

export interface ListQuestion {
  readonly place: Place
  readonly filter: AllocationFilter
  readonly sort: ListSort
}

export interface ListPages {
  readonly totals: Omit<Answer, 'rows'> | undefined
  readonly rows: ReadonlyMap<number, ListRow>
  readonly isPending: boolean // they belong to another question than the one asked
  readonly failure: Failure | undefined
}

interface Kept extends Omit<ListPages, 'isPending'> {
  readonly key: string
}

/** One page of a rectangle's allocations, largest first. */
export async function askPage({ place, filter: asked, sort }: ListQuestion, offset: number, limit: number) {
  const filter = await askFilter(place.captureId, asked)
  if (!filter.ok) return filter
  return engine.call('lifetimes.list', { ...rectangleOf(place), filter: filter.value, sort, offset, limit })
}

const nothing: Kept = { key: '', totals: undefined, rows: new Map(), failure: undefined }

/** Rows around the first in sight; a new question starts afresh, and what was there stays until its answer comes. */
export function useListRows(question: ListQuestion | undefined, first: number): ListPages {
  const [kept, setKept] = useState<Kept>(nothing)
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
      void askPage(JSON.parse(key) as ListQuestion, each * pageRows, pageRows).then((answer) => {
        if (asked.current.key !== key) return
        if (!answer.ok) {
          pages.delete(each) // so that scrolling asks again
          return setKept((old) => ({ ...old, failure: answer.error }))
        }
        const { rows, ...totals } = answer.value
        setKept((old) => {
          const all = new Map(old.key === key ? old.rows : [])
          for (const [index, row] of rows.entries()) all.set(each * pageRows + index, row)
          return { key, totals, rows: all, failure: undefined }
        })
      })
    }
  }, [key, page])
  return { ...kept, isPending: kept.key !== key }
}
