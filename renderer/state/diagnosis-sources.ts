// Logs and metrics that are read with a capture for its diagnosis, by the tokens of their files.
import { create } from 'zustand'

interface DiagnosisSources {
  readonly byCapture: Readonly<Record<string, readonly string[]>>
}

const useAll = create<DiagnosisSources>(() => ({ byCapture: {} }))

const none: readonly string[] = []
/** As many as the engine takes. */
const mostSources = 100

/** Tokens of the logs and metrics attached to an open capture, in the order in which they came. */
export const sourcesOf = (captureId: string): readonly string[] => useAll.getState().byCapture[captureId] ?? none

/** As `sourcesOf`, in React. */
export const useSources = (captureId: string): readonly string[] => useAll((state) => state.byCapture[captureId] ?? none)

/** Tells when what is attached to any capture changes; returns the end of it. */
export const watchSources = (listener: () => void): (() => void) => useAll.subscribe(listener)

/** Reads these files too with the capture from now on; those that came first go where there are too many. */
export function attachSources(captureId: string, tokens: readonly string[]): void {
  const known = sourcesOf(captureId)
  const added = tokens.filter((token) => !known.includes(token))
  if (added.length > 0) set(captureId, [...known, ...added].slice(-mostSources))
}

/** Reads a file no longer with the capture. */
export function detachSource(captureId: string, token: string): void {
  const known = sourcesOf(captureId)
  if (known.includes(token))
    set(
      captureId,
      known.filter((each) => each !== token),
    )
}

/** Forgets what was attached to a capture, and answers it. */
export function takeSources(captureId: string): readonly string[] {
  const known = sourcesOf(captureId)
  if (known.length > 0) set(captureId, undefined)
  return known
}

function set(captureId: string, tokens: readonly string[] | undefined): void {
  useAll.setState(({ byCapture: { [captureId]: _, ...others } }) => ({
    byCapture: tokens === undefined ? others : { ...others, [captureId]: tokens },
  }))
}
