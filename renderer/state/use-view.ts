// The view state in React. Pick what changes rarely: the visible range changes at pointer rate.
import { useCallback } from 'react'
import { useStore } from 'zustand'
import type { CaptureSummary, DeviceSummary } from '../../preload/contract/capture.ts'
import { usePacedPart } from '../data/paced.ts'
import { deviceOf } from './initial-view.ts'
import { type ViewState, viewOf, viewStates } from './view-state.ts'

/** Part of a capture's view state; undefined while the capture has none. */
export function useView<T>(captureId: string | undefined, pick: (view: ViewState) => T): T | undefined {
  return useStore(viewStates, (state) => {
    const view = captureId === undefined ? undefined : state.byCapture[captureId]
    return view ? pick(view) : undefined
  })
}

/** The whole view state, at most ten times a second: for read-outs that follow zooming and panning. */
export function usePacedView(captureId: string): ViewState | undefined {
  const now = useCallback(() => viewOf(captureId), [captureId])
  return usePacedPart(viewStates.subscribe, now)
}

/** Summary of the device in front. */
export function useDevice(capture: CaptureSummary): DeviceSummary | undefined {
  const device = useView(capture.captureId, (view) => view.device)
  return device === undefined ? undefined : deviceOf(capture, device)
}
