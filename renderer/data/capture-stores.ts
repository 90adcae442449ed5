// One store a capture, made at first use and forgotten when the capture is closed.
import { createStore, type StoreApi } from 'zustand/vanilla'

const all: Map<string, StoreApi<never>>[] = []

/** Stores of one kind, each beginning as `empty`. Answers the store of a capture. */
export function captureStores<T>(empty: T): (captureId: string) => StoreApi<T> {
  const stores = new Map<string, StoreApi<T>>()
  all.push(stores as unknown as Map<string, StoreApi<never>>)
  return (captureId) => {
    const store = stores.get(captureId) ?? createStore<T>(() => empty)
    stores.set(captureId, store)
    return store
  }
}

/** Forgets what is kept about captures that are no longer open. */
export function forgetClosed(open: ReadonlySet<string>): void {
  for (const stores of all) for (const captureId of stores.keys()) if (!open.has(captureId)) stores.delete(captureId)
}
