// The view's answers in React, at settled pace.
import { useStore } from 'zustand'
import { usePaced } from '../../data/paced.ts'
import { useTexts as useTextsOf } from '../../i18n/part-texts.ts'
import { type LifetimesData, lifetimesData } from './lifetimes-data.ts'
import { lifetimesText, type Translate } from './texts.ts'

/** Part of what the engine has answered. */
export function useLifetimes<T>(captureId: string, pick: (data: LifetimesData) => T): T {
  return useStore(lifetimesData(captureId), pick)
}

/** Texts of the view; the component is drawn again when the language changes. */
export const useTexts = (): Translate => useTextsOf(lifetimesText)

/** What the engine has answered, at most ten times a second: for words about answers that come with every frame of a pan. */
export const usePacedLifetimes = (captureId: string): LifetimesData => usePaced(lifetimesData(captureId))
