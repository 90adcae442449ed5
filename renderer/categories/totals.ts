// What each category holds after an event. Legend and side bar ask together; while the cursor moves one question is on its way, and the
// latest wins.
import { useEffect } from 'react'
import { useStore } from 'zustand'
import type { StoreApi } from 'zustand/vanilla'
import type { Failure } from '../../preload/contract/errors.ts'
import type { CategoryTotals } from '../../preload/contract/queries.ts'
import { captureStores } from '../data/capture-stores.ts'
import { Questions, type WithFailure } from '../data/questions.ts'

export interface PlacedTotals {
  readonly device: number
  readonly event: number
  readonly totals: CategoryTotals
}

interface TotalsData extends WithFailure {
  readonly answer: PlacedTotals | undefined
}

const totalsData = captureStores<TotalsData>({ answer: undefined, failure: undefined })
const asking = new WeakMap<StoreApi<TotalsData>, Questions<TotalsData>>()

function questionsOf(store: StoreApi<TotalsData>): Questions<TotalsData> {
  const questions = asking.get(store) ?? new Questions(store)
  asking.set(store, questions)
  return questions
}

/** Asks for the totals after an event; an equal question is not asked again. */
function askTotals(captureId: string, device: number, event: number): void {
  const questions = questionsOf(totalsData(captureId))
  questions.push('totals', [device, event], () =>
    questions.ask('totals', 'categories.totals', { captureId, device, event }, (totals) => ({ answer: { device, event, totals } })),
  )
}

export interface ShownTotals {
  readonly answer: PlacedTotals | undefined // of the device
  readonly isPending: boolean // of another event than the one asked for
  readonly failure: Failure | undefined
}

/** The totals as answered last for the device; undefined `at` asks for nothing. */
export function useTotals(captureId: string, at: { readonly device: number; readonly event: number } | undefined): ShownTotals {
  const { answer, failure } = useStore(totalsData(captureId))
  const [device, event] = [at?.device, at?.event]
  useEffect(() => {
    if (device !== undefined && event !== undefined) askTotals(captureId, device, event)
  }, [captureId, device, event])
  const ofDevice = answer?.device === device ? answer : undefined
  return { answer: ofDevice, isPending: ofDevice?.event !== event, failure: failure?.error }
}

export type Held = CategoryTotals['categories'][number]

/** Bytes of all categories together: what is allocated. */
export const bytesOf = (held: readonly Pick<Held, 'bytes'>[]): number => held.reduce((sum, { bytes }) => sum + bytes, 0)
