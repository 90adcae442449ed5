// The timeline's answers and view state in React, at settled pace.
import { useMemo, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { CaptureSummary, DeviceSummary } from '../../../preload/contract/capture.ts'
import { later } from '../../data/later.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { useView } from '../../state/use-view.ts'
import { type ViewState, viewOf, viewStates } from '../../state/view-state.ts'
import { stacksEvent } from './moments.ts'
import { type Translate, timelineText } from './texts.ts'
import { type TimelineData, type TopStacks, timelineData } from './timeline-data.ts'

const paceMs = 100

/** Part of what the engine has answered. */
export function useTimeline<T>(captureId: string, pick: (data: TimelineData) => T): T {
  return useStore(timelineData(captureId), pick)
}

/** Texts of the timeline; the component is drawn again when the language changes. */
export function useTexts(): Translate {
  useTranslation('timeline')
  return timelineText
}

export function useDevice(capture: CaptureSummary): DeviceSummary | undefined {
  const device = useView(capture.captureId, (view) => view.device)
  return device === undefined ? undefined : deviceOf(capture, device)
}

export interface ShownStacks {
  readonly top: TopStacks | undefined
  readonly isAtPeak: boolean // there is no cursor
  readonly isPending: boolean // they are of another event than the cursor's (without one, the peak's)
}

/** The largest stacks as answered last for the device, with the event they belong to. */
export function useTopStacks(capture: CaptureSummary): ShownStacks {
  const device = useDevice(capture)
  const cursorEvent = useView(capture.captureId, (view) => view.cursorEvent)
  const answered = useTimeline(capture.captureId, (data) => data.topStacks)
  const top = answered?.device === device?.device ? answered : undefined
  const isPending = device !== undefined && top?.event !== stacksEvent(cursorEvent, device)
  return { top, isAtPeak: cursorEvent === undefined && !isPending, isPending }
}

interface Paced<T> {
  readonly subscribe: (listener: () => void) => () => void
  readonly read: () => T
}

/** A store that changes at frame rate, seen at most ten times a second; a change after a rest is seen at once. */
function paced<T>(subscribeTo: (listener: () => void) => () => void, now: () => T): Paced<T> {
  let shown = now()
  const subscribe = (listener: () => void) => {
    let cancel: (() => void) | undefined
    let lastMs = 0
    const update = () => {
      cancel = undefined
      lastMs = performance.now()
      shown = now()
      listener()
    }
    shown = now()
    const stop = subscribeTo(() => {
      cancel ??= later(Math.max(0, lastMs + paceMs - performance.now()), update)
    })
    return () => {
      stop()
      cancel?.()
    }
  }
  return { subscribe, read: () => shown }
}

/** The whole view state, at most ten times a second: for read-outs that follow zooming and panning. */
export function usePacedView(captureId: string): ViewState | undefined {
  const { subscribe, read } = useMemo(() => paced(viewStates.subscribe, () => viewOf(captureId)), [captureId])
  return useSyncExternalStore(subscribe, read)
}

/** What the engine has answered, at most ten times a second: for words about answers that come with every frame of a pan. */
export function usePacedTimeline(captureId: string): TimelineData {
  const { subscribe, read } = useMemo(() => {
    const store = timelineData(captureId)
    return paced(store.subscribe, store.getState)
  }, [captureId])
  return useSyncExternalStore(subscribe, read)
}
