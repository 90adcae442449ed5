// What a view alone knows of how a capture is looked at, and what is to come back with the view history: the zoom of a map, its order.
import type { z } from 'zod'
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
  /** What of it is kept in the capture's session, as plain data; absent = nothing. */
  readonly kept: (captureId: string) => Readonly<Record<string, unknown>> | undefined
  /** Looks as was kept; what does not fit stays as it is. */
  readonly restore: (captureId: string, kept: unknown) => void
  /** Looks as at first. */
  readonly reset: (captureId: string) => void
}

/** How the fields that are kept in a session are checked when they come back. */
export type KeptFields<T> = { readonly [K in keyof T]?: z.ZodType<T[K]> }

/** Some fields of a view's store. They hold plain data. */
export function lookOf<T extends object>(
  storeOf: (captureId: string) => StoreApi<T>,
  fields: readonly (keyof T & string)[],
  keptFields: KeptFields<T> = {},
): OwnLook {
  const pick = (state: T, names: readonly (keyof T & string)[]) =>
    Object.fromEntries(names.map((name) => [name, state[name]])) as Partial<T>
  const keptNames = Object.keys(keptFields) as (keyof T & string)[]
  return {
    now: (captureId) => {
      const look = pick(storeOf(captureId).getState(), fields)
      return { key: JSON.stringify(look), show: () => storeOf(captureId).setState(look) }
    },
    follow: (captureId, changed) =>
      storeOf(captureId).subscribe((state, old) => {
        if (fields.some((field) => state[field] !== old[field])) changed()
      }),
    kept: (captureId) => {
      const { getState, getInitialState } = storeOf(captureId)
      const changed = keptNames.filter((name) => getState()[name] !== getInitialState()[name])
      return changed.length > 0 ? pick(getState(), changed) : undefined
    },
    restore: (captureId, kept) => {
      if (typeof kept !== 'object' || kept === null) return
      const fitting = keptNames.flatMap((name) => {
        const parsed = Object.hasOwn(kept, name) ? keptFields[name]?.safeParse(Reflect.get(kept, name)) : undefined
        return parsed?.success ? [[name, parsed.data]] : []
      })
      storeOf(captureId).setState(Object.fromEntries(fitting) as Partial<T>)
    },
    reset: (captureId) => storeOf(captureId).setState(pick(storeOf(captureId).getInitialState(), fields)),
  }
}
