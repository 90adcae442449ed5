// What a capture's scrubber shows and how it plays.
import { useStore } from 'zustand'
import type { TimelineCurves } from '../../preload/contract/queries.ts'
import { captureStores } from '../data/capture-stores.ts'
import type { WithFailure } from '../data/questions.ts'
import type { EventState, Placed } from '../plot/placed.ts'
import type { Range } from '../state/view-state.ts'
import type { ScrubberLayout } from './model.ts'

export const rates = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000] as const // events a second
export type Rate = (typeof rates)[number]

export interface ScrubberData extends WithFailure {
  readonly layout: ScrubberLayout | undefined
  readonly curves: Placed<TimelineCurves> | undefined // of the whole history
  readonly moment: (EventState & { readonly device: number }) | undefined // at the event shown, or at the one before until its answer is there
  readonly marked: { readonly device: number; readonly events: Range } | undefined // the selected range that views share
  readonly isPlaying: boolean
  readonly rate: Rate | undefined // undefined: what suits the length of the history
}

const empty: ScrubberData = {
  layout: undefined,
  curves: undefined,
  moment: undefined,
  marked: undefined,
  isPlaying: false,
  rate: undefined,
  failure: undefined,
}

/** The store of a capture. */
export const scrubberData = captureStores(empty)

/** Part of it in React. */
export const useScrubber = <T>(captureId: string, pick: (data: ScrubberData) => T): T => useStore(scrubberData(captureId), pick)

const playSeconds = 30
const shortSeconds = 6

/** The slowest rate that plays the whole history in about half a minute. */
export const suitedRate = (eventCount: number): Rate => rates.find((rate) => rate * playSeconds >= eventCount) ?? 1_000_000

/** The rates to choose from: a faster one as long as the one before takes more than a few seconds. The fastest always plays within a minute. */
export const offeredRates = (eventCount: number): readonly Rate[] =>
  rates.filter((_, index) => (rates[index - 1] ?? 0) * shortSeconds < eventCount)
