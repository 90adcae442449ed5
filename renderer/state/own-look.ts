// What a view alone knows of how a capture is looked at, and what is to come back with the view history: the zoom of a map, its order.
import type { StoreApi } from 'zustand/vanilla'

/** How it is at one time. */
export interface Look {
  readonly key: string // equal for equal looks
  /** Looks that way again. */
  readonly show: () => void
}

export interface OwnLook {
  readonly now: (captureId: string) => Look
  /** Tells when it may have changed; answers the end. */
  readonly follow: (captureId: string, changed: () => void) => () => void
}

/** Some fields of a view's store. They hold plain data. */
export function lookOf<T extends object>(storeOf: (captureId: string) => StoreApi<T>, fields: readonly (keyof T)[]): OwnLook {
  return {
    now: (captureId) => {
      const state = storeOf(captureId).getState()
      const look = Object.fromEntries(fields.map((field) => [field, state[field]])) as Partial<T>
      return { key: JSON.stringify(look), show: () => storeOf(captureId).setState(look) }
    },
    follow: (captureId, changed) =>
      storeOf(captureId).subscribe((state, old) => {
        if (fields.some((field) => state[field] !== old[field])) changed()
      }),
  }
}
