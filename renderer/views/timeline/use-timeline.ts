// The timeline's answers and view state in React, at settled pace.
import { useCallback, useRef, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { CaptureSummary, DeviceSummary } from '../../../preload/contract/capture.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { useView } from '../../state/use-view.ts'
import { type ViewState, viewOf, viewStates } from '../../state/view-state.ts'
import { type Translate, timelineText } from './texts.ts'
import { type TimelineData, timelineData } from './timeline-data.ts'

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

/** The whole view state, at most ten times a second: for read-outs that follow zooming and panning. */
export function usePacedView(captureId: string): ViewState | undefined {
  const shown = useRef(viewOf(captureId))
  const subscribe = useCallback(
    (listener: () => void) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const update = () => {
        timer = undefined
        shown.current = viewOf(captureId)
        listener()
      }
      shown.current = viewOf(captureId)
      const stop = viewStates.subscribe(() => {
        timer ??= setTimeout(update, paceMs)
      })
      return () => {
        stop()
        clearTimeout(timer)
      }
    },
    [captureId],
  )
  return useSyncExternalStore(subscribe, () => shown.current)
}
