// The view's answers in React, at settled pace.
import { useStore } from 'zustand'
import { usePaced } from '../../data/paced.ts'
import { useTexts as useTextsOf } from '../../i18n/part-texts.ts'
import { type Translate, traceText } from './texts.ts'
import { type TraceData, traceData } from './trace-data.ts'

/** Part of what the engine has answered. */
export function useTrace<T>(captureId: string, pick: (data: TraceData) => T): T {
  return useStore(traceData(captureId), pick)
}

/** Texts of the view; the component is drawn again when the language changes. */
export const useTexts = (): Translate => useTextsOf(traceText)

/** What the engine has answered, at most ten times a second: for words about answers that come with every frame of a pan. */
export const usePacedTrace = (captureId: string): TraceData => usePaced(traceData(captureId))
