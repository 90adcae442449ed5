// What the pointer means alike on every picture with an overview, a ruler, a lane of annotations and a plot.
import type { PlacedSpan } from '../plot/annotations.ts'
import type { Flag } from '../plot/note-flags.ts'
import type { OverviewHit } from '../plot/overview.ts'
import { overviewCursor } from './overview-drag.ts'

export type AxisHit =
  | OverviewHit
  | { readonly region: 'ruler'; readonly flag?: Flag | undefined }
  | { readonly region: 'plot' }
  | { readonly region: 'lane'; readonly placed: PlacedSpan | undefined }

/** The pointer's shape; `isOnItem` where the plot has something to click. */
export function axisCursor(hit: AxisHit | undefined, isOnItem: boolean): string {
  if (!hit) return 'default'
  if (hit.region === 'overview') return overviewCursor(hit)
  if (hit.region === 'lane') return hit.placed ? 'pointer' : 'default'
  if (hit.region === 'ruler' && hit.flag) return 'pointer'
  return isOnItem ? 'pointer' : 'crosshair'
}
