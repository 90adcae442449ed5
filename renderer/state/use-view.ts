// The view state in React. Pick what changes rarely: the visible range changes at pointer rate.
import { useStore } from 'zustand'
import { type ViewState, viewStates } from './view-state.ts'

/** Part of a capture's view state; undefined while the capture has none. */
export function useView<T>(captureId: string | undefined, pick: (view: ViewState) => T): T | undefined {
  return useStore(viewStates, (state) => {
    const view = captureId === undefined ? undefined : state.byCapture[captureId]
    return view ? pick(view) : undefined
  })
}
