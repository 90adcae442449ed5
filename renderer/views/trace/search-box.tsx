// The search box: names that contain a text stand out in the picture; Enter and F3 go through their slices.
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { registerCommands } from '../../commands/registry.ts'
import { later } from '../../data/later.ts'
import { homeOf } from '../../focus/home.ts'
import { counted, formatCount } from '../../i18n/format.ts'
import { focusSearch, searchInputId } from '../../panels/search-focus.ts'
import { SearchSteps } from '../../panels/search-steps.tsx'
import { useView } from '../../state/use-view.ts'
import { viewOf } from '../../state/view-state.ts'
import type { ViewProps } from '../view.ts'
import { setSearch, stepThroughSearch } from './actions.ts'
import { placeInSearch, searchFor } from './search.ts'
import { traceData } from './trace-data.ts'
import { useTexts, useTrace } from './use-trace.ts'

const restMs = 200

/** Registers the commands of the search; returns the removal. */
function registerSearchCommands(capture: CaptureSummary): () => void {
  const hasHits = () => (traceData(capture.captureId).getState().search?.sliceCount ?? 0) > 0
  return registerCommands({
    'go.search': { run: () => void focusSearch() },
    'go.nextHit': { when: hasHits, run: () => void stepThroughSearch(capture, true) },
    'go.previousHit': { when: hasHits, run: () => void stepThroughSearch(capture, false) },
  })
}

/** The field with what it has found. What is typed counts once it rests. */
export function SearchBox({ capture }: ViewProps) {
  const t = useTexts()
  const { captureId } = capture
  const search = useTrace(captureId, (data) => data.search)
  const [typed, setTyped] = useState<string>()
  const cancel = useRef<() => void>(undefined)
  useEffect(() => () => cancel.current?.(), [])
  useEffect(() => registerSearchCommands(capture), [capture])
  // A search from elsewhere, or its end, wins over what is being typed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the search changes
  useEffect(() => {
    cancel.current?.()
    setTyped(undefined)
  }, [search])
  const type = (text: string, isComposing: boolean) => {
    cancel.current?.()
    setTyped(text)
    if (!isComposing) cancel.current = later(restMs, () => void searchFor(capture, text))
  }
  const onKeyDown = async ({ key, shiftKey, nativeEvent, currentTarget: { value } }: KeyboardEvent<HTMLInputElement>) => {
    if (key !== 'Enter' || nativeEvent.isComposing) return
    cancel.current?.()
    if (value !== search?.text && !(await searchFor(capture, value))) return
    await stepThroughSearch(capture, !shiftKey)
  }
  return (
    <search className='view-search'>
      <input
        id={searchInputId}
        type='text'
        maxLength={1000}
        aria-label={t('search.label')}
        placeholder={t('search.placeholder')}
        title={t('search.label')}
        spellCheck={false}
        value={typed ?? search?.text ?? ''}
        onChange={({ target, nativeEvent }) => type(target.value, (nativeEvent as InputEvent).isComposing)}
        onCompositionEnd={({ currentTarget }) => type(currentTarget.value, false)}
        onKeyDown={(event) => void onKeyDown(event)}
      />
      {search && <Found capture={capture} />}
    </search>
  )
}

/** How many, which of them is selected, and the ways to the others. */
function Found({ capture }: ViewProps) {
  const t = useTexts()
  const search = useTrace(capture.captureId, (data) => data.search)
  const place = usePlace({ capture })
  if (!search) return null
  const { sliceCount, names, leftOut = 0 } = search
  const found = counted(sliceCount)
  const left = leftOut > 0 ? [t('search.leftOut', counted(leftOut))] : []
  const known = t('search.foundHint', { ...found, names: formatCount(names.length + leftOut) })
  const hint = leftOut > 0 ? `${known}\n${t('search.leftOutHint', { names: formatCount(names.length) })}` : known
  const words =
    sliceCount === 0
      ? t('search.none')
      : place === undefined
        ? t('search.found', found)
        : t('search.place', { index: formatCount(place), ...found })
  return (
    <>
      <span role='status' className={sliceCount === 0 ? 'weak' : 't1'} title={hint} data-testid='trace-found'>
        {[words, ...left].join(' · ')}
      </span>
      <SearchSteps
        hasHits={sliceCount > 0}
        onStep={(forward) => void stepThroughSearch(capture, forward)}
        onClear={() => setSearch(capture, undefined)}
      />
    </>
  )
}

/** The place of the selected slice among those found. */
function usePlace({ capture }: ViewProps): number | undefined {
  const { captureId } = capture
  const search = useTrace(captureId, (data) => data.search)
  const selected = useView(captureId, (view) => view.selectedSlice)
  const slice = useTrace(captureId, (data) => (data.selected?.sliceId === selected ? data.selected : undefined))
  const nameId = slice?.nameId ?? undefined
  const isHit = search !== undefined && nameId !== undefined && search.names.includes(nameId)
  const [place, setPlace] = useState<{ readonly of: unknown; readonly index: number | undefined }>()
  useEffect(() => {
    const view = viewOf(captureId)
    if (!isHit || !slice || !view) return
    const home = homeOf(capture, view)
    const abort = new AbortController()
    const ends = { fromNs: Math.min(home.x0, slice.startNs) - 1, toNs: Math.max(home.x1, slice.startNs + 1) }
    void placeInSearch(capture, slice, ends, abort.signal).then((index) => {
      if (!abort.signal.aborted) setPlace({ of: slice, index })
    })
    return () => abort.abort()
  }, [capture, captureId, slice, isHit])
  return isHit && place?.of === slice ? place?.index : undefined
}
