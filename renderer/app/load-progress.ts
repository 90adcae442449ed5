// What can be said about a running load.
import type { LoadProgress } from '../../preload/contract/capture.ts'
import type { CaptureTab } from '../state/captures.ts'

/** Rough part of a load that each stage takes, so that one bar can run from end to end. */
const weights = { recognise: 0.01, read: 0.55, replay: 0.14, index: 0.28, summarise: 0.02 } as const

/** How much of the whole load is done, 0…1; undefined before anything is known. */
function overallShare(progress: LoadProgress | undefined): number | undefined {
  if (!progress) return undefined
  let before = 0
  for (const [stage, weight] of Object.entries(weights)) {
    if (stage === progress.stage) return before + weight * (progress.total > 0 ? Math.min(1, progress.done / progress.total) : 0)
    before += weight
  }
  return before
}

type LoadingTab = Extract<CaptureTab, { status: 'loading' }>

/** As `overallShare`, of whatever a tab loads: of a table of failures, how many of its runs are read, where there are several. */
export function loadShare({ request, progress }: Pick<LoadingTab, 'request' | 'progress'>): number | undefined {
  if (!request.failures) return overallShare(progress)
  return progress && progress.total > 1 ? progress.done / progress.total : undefined
}

const settledMs = 3000

/** Estimated rest in nanoseconds, once the load has run long enough for an estimate to mean something. */
export function estimatedRestNs(share: number | undefined, elapsedMs: number): number | undefined {
  if (share === undefined || elapsedMs < settledMs || share < 0.05) return undefined
  return ((elapsedMs * (1 - share)) / share) * 1e6
}
