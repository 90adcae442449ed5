// What can be said about a running load.
import type { LoadProgress } from '../../preload/contract/capture.ts'

/** Rough part of a load that each stage takes, so that one bar can run from end to end. */
const weights = { recognise: 0.01, read: 0.55, replay: 0.14, index: 0.28, summarise: 0.02 } as const

/** How much of the whole load is done, 0…1; undefined before anything is known. */
export function overallShare(progress: LoadProgress | undefined): number | undefined {
  if (!progress) return undefined
  let before = 0
  for (const [stage, weight] of Object.entries(weights)) {
    if (stage === progress.stage) return before + weight * (progress.total > 0 ? Math.min(1, progress.done / progress.total) : 0)
    before += weight
  }
  return before
}

const settledMs = 3000

/** Estimated rest in nanoseconds, once the load has run long enough for an estimate to mean something. */
export function estimatedRestNs(progress: LoadProgress | undefined, elapsedMs: number): number | undefined {
  const share = overallShare(progress)
  if (share === undefined || elapsedMs < settledMs || share < 0.05) return undefined
  return ((elapsedMs * (1 - share)) / share) * 1e6
}
