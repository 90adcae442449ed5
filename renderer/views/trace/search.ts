// What a search finds: names that contain a text, and the place of the selected slice among their slices.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { SliceRow } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { failureSentence } from '../../i18n/texts.ts'
import { showMessage } from '../../state/shell.ts'
import { viewOf } from '../../state/view-state.ts'
import { setSearch } from './actions.ts'
import { traceData } from './trace-data.ts'

/** Most names of one search; the engine takes no more. */
const mostNames = 10_000
const pageRows = 200

/** Looks for names; an empty text ends the search. Says whether there is a search now that is of this text. */
export async function searchFor(capture: CaptureSummary, text: string): Promise<boolean> {
  const { captureId } = capture
  if (text.trim() === '') {
    setSearch(capture, undefined)
    return false
  }
  const found = await engine.latest('trace.searchNames', 'trace.names', { captureId, text: text.slice(0, 1000), limit: mostNames })
  if (!found.ok) {
    if (found.error.code !== 'query/cancelled') showMessage(failureSentence(found.error), 'error')
    return false
  }
  const { names, count, slices } = found.value
  setSearch(capture, { text, names: names.map(({ nameId }) => nameId), sliceCount: slices, leftOut: count - names.length })
  return true
}

/** Looks for the slices of one name in the whole trace. */
export async function searchName(capture: CaptureSummary, text: string, nameId: number): Promise<void> {
  const { captureId } = capture
  const view = viewOf(captureId)
  if (!view) return
  const everything = { fromNs: view.full.x0 - 1, toNs: view.full.x1 + 1 }
  const found = await engine.latest('trace.searchNames', 'trace.slices', {
    captureId,
    tracks: null,
    names: [nameId],
    ...everything,
    sort: 'start',
    offset: 0,
    limit: 1,
  })
  if (found.ok) setSearch(capture, { text, names: [nameId], sliceCount: found.value.total, isExact: true })
  else if (found.error.code !== 'query/cancelled') showMessage(failureSentence(found.error), 'error')
}

/** Which of the found slices the selected one is, counted from 1 in the order of their starts; undefined when it is none of them, or when names were left out. */
export async function placeInSearch(
  { captureId }: CaptureSummary,
  slice: Pick<SliceRow, 'sliceId' | 'startNs'>,
  ends: { readonly fromNs: number; readonly toNs: number },
  signal: AbortSignal,
): Promise<number | undefined> {
  const search = traceData(captureId).getState().search
  if (!search || (search.leftOut ?? 0) > 0) return undefined
  const question = { captureId, names: [...search.names], fromNs: ends.fromNs, sort: 'start' as const }
  const before = await engine.call('trace.slices', { ...question, toNs: slice.startNs, offset: 0, limit: 1 }, { signal })
  if (!before.ok) return undefined
  const { total } = before.value
  const there = await engine.call('trace.slices', { ...question, toNs: ends.toNs, offset: total, limit: pageRows }, { signal })
  const index = there.ok ? there.value.rows.findIndex(({ sliceId }) => sliceId === slice.sliceId) : -1
  return index < 0 ? undefined : total + index + 1
}
