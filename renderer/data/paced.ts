// Stores that change at frame rate, for panels that need not.
import { useMemo, useSyncExternalStore } from 'react'
import type { StoreApi } from 'zustand/vanilla'
import { later } from './later.ts'

const paceMs = 100

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

/** The state of a store, at most ten times a second. */
export function usePaced<T>(store: Pick<StoreApi<T>, 'subscribe' | 'getState'>): T {
  const { subscribe, read } = useMemo(() => paced(store.subscribe, store.getState), [store])
  return useSyncExternalStore(subscribe, read)
}

/** As `usePaced`, of what `now` reads out of a store; both must stay the same between draws. */
export function usePacedPart<T>(subscribeTo: (listener: () => void) => () => void, now: () => T): T {
  const { subscribe, read } = useMemo(() => paced(subscribeTo, now), [subscribeTo, now])
  return useSyncExternalStore(subscribe, read)
}
