// Every view of the window, in the order of its keys, and which of them is in front.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { type ViewId, viewIdSchema } from '../../preload/contract/shell.ts'
import { failureAtCursor } from '../state/go-to.ts'
import { deviceOf } from '../state/initial-view.ts'
import { useView } from '../state/use-view.ts'
import { viewHistory } from '../state/view-history.ts'
import { type ViewState, viewOf } from '../state/view-state.ts'
import { allocationsView } from '../views/allocations/index.ts'
import { blocksView } from '../views/blocks/index.ts'
import { diagnosisView } from '../views/diagnosis/index.ts'
import { flameView } from '../views/flame/index.ts'
import { fragmentationView } from '../views/fragmentation/index.ts'
import { lifetimesView } from '../views/lifetimes/index.ts'
import { sqlView } from '../views/sql/index.ts'
import { timelineView } from '../views/timeline/index.ts'
import { traceView } from '../views/trace/index.ts'
import type { ViewDefinition } from '../views/view.ts'
import type { NamedLooks } from './session-document.ts'

/** To add a view, add it here. */
export const views: readonly [ViewDefinition, ...ViewDefinition[]] = [
  timelineView,
  lifetimesView,
  blocksView,
  fragmentationView,
  flameView,
  traceView,
  allocationsView,
  sqlView,
  diagnosisView,
]

/** What each view alone knows of how a capture is looked at, by the view's id. */
export const ownLooks: NamedLooks = views.flatMap(({ id, ownLook }) => (ownLook ? [[id, ownLook] as const] : []))

viewHistory.remember(ownLooks.map(([, look]) => look))

/** True while the drawer of the view in front has something to tell: a selected allocation, a failure at the cursor, or what the view says. */
export function hasDetails(capture: CaptureSummary, view: ViewState): boolean {
  const inFront = viewById(view.view)
  const hasFailure = !inFront.tellsFailure && failureAtCursor(capture, view) !== undefined
  return view.selectedAllocation !== undefined || hasFailure || (inFront.hasDetails?.(view) ?? false)
}

/** The views that a capture is offered. */
export const viewsOf = (capture: CaptureSummary): readonly ViewDefinition[] =>
  views.filter(({ offers, takesProfiles = false }) => (capture.profile === null || takesProfiles) && (offers?.(capture) ?? true))

/** True when the window has a view, and the capture in question is offered it. */
export const hasView = (id: ViewId, capture?: CaptureSummary): boolean =>
  (capture ? viewsOf(capture) : views).some((view) => view.id === id)

const viewById = (id: ViewId | undefined): ViewDefinition => views.find((view) => view.id === id) ?? views[0]

/** The view in which a capture is shown. */
export const activeView = ({ captureId }: CaptureSummary): ViewDefinition => viewById(viewOf(captureId)?.view)

/** As `activeView`, in React. */
export function useActiveView(capture: CaptureSummary | undefined): ViewDefinition {
  return viewById(useView(capture?.captureId, (view) => view.view))
}

/** True when a view has something to show of a device. */
export const canShow = (view: ViewDefinition, capture: CaptureSummary, device: number): boolean =>
  view.shows(capture, deviceOf(capture, device))

/** True when the window has a view that has something to show of the device in front. */
export function canLeadTo(id: ViewId, capture: CaptureSummary): boolean {
  const device = viewOf(capture.captureId)?.device
  return device !== undefined && hasView(id, capture) && canShow(viewById(id), capture, device)
}

/** True when the view in front has something to show of the device in front. */
export function useCanShow(capture: CaptureSummary): boolean {
  const device = useView(capture.captureId, (view) => view.device)
  const view = useActiveView(capture)
  return device !== undefined && canShow(view, capture, device)
}

/** False for commands about a view that the window does not have. */
export function isOffered(commandId: string): boolean {
  const named = viewIdSchema.safeParse(/^(?:view|showIn)\.(\w+)$/.exec(commandId)?.[1])
  return !named.success || hasView(named.data)
}
