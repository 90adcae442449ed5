// The selected range with its tracks, and what tables are about: that range, else what is in sight.
import { useMemo } from 'react'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { useRested } from '../../data/use-rested.ts'
import { shownRange } from '../../focus/home.ts'
import { usePacedView, useView } from '../../state/use-view.ts'
import { type Range, viewOf } from '../../state/view-state.ts'
import { areaTracks, tracksOfArea } from './actions.ts'
import { areaNow } from './assemble.ts'
import { questionsOf, type TableQuestions, type TableRange } from './table-questions.ts'
import { traceData } from './trace-data.ts'
import { useTrace } from './use-trace.ts'

const restMs = 200

export interface ShownArea {
  readonly range: Range
  readonly trackIds: readonly number[] // all of them where the range is of all tracks
  readonly isAll: boolean
}

/** The selected range and its tracks. */
export function useArea({ captureId }: CaptureSummary): ShownArea | undefined {
  const range = useView(captureId, (view) => (view.axis === 'time' ? view.selectedRange : undefined))
  const area = useTrace(captureId, (data) => data.area)
  const tracks = useTrace(captureId, (data) => data.tracks)
  return useMemo(() => {
    if (!range || !tracks || !(range.x0 < range.x1)) return undefined
    const some = tracksOfArea(areaNow({ selectedRange: range }, { area }), { tracks })
    return { range, trackIds: some ?? tracks.tracks.map(({ trackId }) => trackId), isAll: some === null }
  }, [range, area, tracks])
}

/** What the tables ask, once view and search rest; undefined until the view has a range of time. */
export function useTableQuestions(capture: CaptureSummary): TableQuestions | undefined {
  const area = useArea(capture)
  const search = useTrace(capture.captureId, (data) => data.search)
  const view = usePacedView(capture.captureId)
  const shown = view && view.axis === 'time' ? shownRange(capture, view) : undefined
  const [x0, x1] = [shown?.x0, shown?.x1]
  const now = useMemo((): TableQuestions | undefined => {
    const sight: TableRange | undefined =
      x0 === undefined || x1 === undefined ? undefined : { range: { x0, x1 }, tracks: null, isSelected: false }
    const about: TableRange | undefined = area ? { range: area.range, tracks: area.isAll ? null : area.trackIds, isSelected: true } : sight
    return about && questionsOf(capture, about, search)
  }, [capture, area, x0, x1, search])
  return useRested(now, restMs)
}

/** The same at once, outside React. */
export function questionsNow(capture: CaptureSummary): TableQuestions | undefined {
  const view = viewOf(capture.captureId)
  if (view?.axis !== 'time') return undefined
  const { search } = traceData(capture.captureId).getState()
  const { selectedRange } = view
  const about = selectedRange
    ? { range: selectedRange, tracks: areaTracks(capture) ?? null, isSelected: true }
    : { range: shownRange(capture, view), tracks: null, isSelected: false }
  return questionsOf(capture, about, search)
}
