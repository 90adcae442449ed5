// Asks for the pages in sight, and for the place of what is selected elsewhere.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { Questions } from '../../data/questions.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { type ViewState, viewOf, viewStates } from '../../state/view-state.ts'
import { showRow } from './actions.ts'
import { type AllocationsData, allocationsData } from './allocations-data.ts'
import { askPlace, askRows, type ListPlace, listKey, listPlace, pageRows } from './questions.ts'

const mostKept = 4000 // rows

class Loader {
  readonly #capture: CaptureSummary
  readonly #questions: Questions<AllocationsData>
  readonly #stops: readonly (() => void)[]

  constructor(capture: CaptureSummary) {
    const { captureId } = capture
    this.#capture = capture
    this.#questions = new Questions(allocationsData(captureId))
    this.#stops = [
      viewStates.subscribe((state, old) => state.byCapture[captureId] !== old.byCapture[captureId] && this.#update()),
      allocationsData(captureId).subscribe((data, old) => {
        if (data.order !== old.order || data.first !== old.first || data.shown !== old.shown) this.#update()
      }),
    ]
    this.#update()
  }

  stop(): void {
    this.#questions.stop()
    for (const stop of this.#stops) stop()
  }

  #update(): void {
    const { captureId } = this.#capture
    const view = viewOf(captureId)
    const store = allocationsData(captureId)
    if (!view || !deviceOf(this.#capture, view.device)) return
    const place = listPlace(captureId, view, store.getState())
    const key = listKey(place, view)
    // Another list begins at its top.
    if (store.getState().asked !== key) store.setState({ asked: key, first: 0 })
    if (store.getState().shown > 0) this.#askPages(place, key)
    this.#askPlace(place, key, view)
  }

  /** The page of the first row in sight and of the last; a fast scroll skips what it passes. */
  #askPages(place: ListPlace, key: string): void {
    const store = allocationsData(this.#capture.captureId)
    const { first, shown } = store.getState()
    const from = Math.floor(first / pageRows)
    const to = Math.floor((first + shown) / pageRows)
    this.#questions.push('rows', [key, from, to], async () => {
      for (let page = from; page <= to; page++) {
        const { answered, rows, count } = store.getState()
        const isThere = answered === key && (rows.has(page * pageRows) || page * pageRows >= count)
        if (isThere) continue
        const answer = await askRows(place, page * pageRows, pageRows)
        if (store.getState().asked !== key) return
        if (!answer.ok) return this.#questions.failed('rows', answer.error)
        this.#keep(key, page, answer.value)
      }
    })
  }

  #keep(key: string, page: number, { count, bytes, rows }: { count: number; bytes: number; rows: readonly AllocationsRow[] }): void {
    const { answered, rows: before } = allocationsData(this.#capture.captureId).getState()
    const kept = new Map(answered === key && before.size < mostKept ? before : [])
    for (const [index, row] of rows.entries()) kept.set(page * pageRows + index, row)
    this.#questions.keep('rows', { answered: key, count, bytes, rows: kept })
  }

  #askPlace(place: ListPlace, key: string, { selectedAllocation: allocationId }: ViewState): void {
    const store = allocationsData(this.#capture.captureId)
    this.#questions.push('place', [key, allocationId ?? null], async () => {
      const known = store.getState().place
      if (allocationId === undefined) return this.#questions.keep('place', { place: undefined })
      if (known?.list === key && known.allocationId === allocationId) return
      const answer = await askPlace(place, allocationId)
      if (!answer.ok) return this.#questions.failed('place', answer.error)
      const { index } = answer.value
      this.#questions.keep('place', { place: { list: key, allocationId, index } })
      if (index !== null) showRow(this.#capture, index)
    })
  }
}

type AllocationsRow = AllocationsData['rows'] extends ReadonlyMap<number, infer R> ? R : never

/** Starts loading for a capture; returns the stop. */
export function startLoader(capture: CaptureSummary): () => void {
  const loader = new Loader(capture)
  return () => loader.stop()
}
