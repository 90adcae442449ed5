// What a session says and what it means: the view, its looks and the notes as plain data, and back. A session may be of an older version or
// broken by hand: what does not fit the capture is as at first.
import { z } from 'zod'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { type Axis, axisSchema, colorBySchema } from '../../preload/contract/queries.ts'
import { mostNotes, type Session, sessionVersion } from '../../preload/contract/session.ts'
import { type ViewId, viewIdSchema } from '../../preload/contract/shell.ts'
import { homeOf } from '../focus/home.ts'
import { clampRange, sameRange } from '../plot/scales.ts'
import { deviceOf, fullRange, initialView } from '../state/initial-view.ts'
import { notesOf } from '../state/notes.ts'
import type { OwnLook } from '../state/own-look.ts'
import { type Range, readFilter, type ViewState } from '../state/view-state.ts'

export type NamedLooks = readonly (readonly [name: string, look: OwnLook])[]

/** How a capture is looked at, and its notes. */
export function sessionOf(captureId: string, view: ViewState, looks: NamedLooks): Session {
  const { view: inFront, device, axis, full, visible, cursorEvent, selectedRange, colorBy, filter } = view
  const { showLegend, showTable, showDetails } = view
  const place = { device, axis, cursorEvent, selectedRange, ...(sameRange(visible, full) ? {} : { visible }) }
  return {
    schemaVersion: sessionVersion,
    view: { view: inFront, ...place, colorBy, filter, showLegend, showTable, showDetails },
    looks: Object.fromEntries(
      looks.flatMap(([name, look]) => {
        const kept = look.kept(captureId)
        return kept ? [[name, kept]] : []
      }),
    ),
    notes: notesOf(captureId).slice(0, mostNotes),
  }
}

const rangeSchema = z.object({ x0: z.number(), x1: z.number() }).refine(({ x0, x1 }) => x1 > x0)
const flag = z.boolean()

/** One field of what was kept, when it fits. */
function fieldOf<T>(kept: Session['view'], name: string, schema: z.ZodType<T>): T | undefined {
  return schema.safeParse(kept[name]).data
}

/** The view of a session on a capture, of which it offers some views; what does not fit is as in the initial view. */
export function viewOfSession(capture: CaptureSummary, { view: kept }: Session, isOffered: (id: ViewId) => boolean): ViewState {
  const initial = initialView(capture)
  const view = fieldOf(kept, 'view', viewIdSchema)
  const shown = {
    ...initial,
    view: view !== undefined && isOffered(view) ? view : initial.view,
    colorBy: fieldOf(kept, 'colorBy', colorBySchema) ?? initial.colorBy,
    filter: readFilter(kept.filter),
    showLegend: fieldOf(kept, 'showLegend', flag) ?? initial.showLegend,
    showTable: fieldOf(kept, 'showTable', flag) ?? initial.showTable,
    showDetails: fieldOf(kept, 'showDetails', flag) ?? initial.showDetails,
  }
  return { ...shown, ...placeIn(capture, kept, initial) }
}

type Place = Pick<ViewState, 'device' | 'axis' | 'full' | 'visible' | 'cursorEvent' | 'selectedRange'>

/** Device and axis, and where on it: of another device or axis the ranges would mean something else. */
function placeIn(capture: CaptureSummary, kept: Session['view'], initial: ViewState): Partial<Place> {
  const device = fieldOf(kept, 'device', z.number()) ?? initial.device
  const axis = fieldOf(kept, 'axis', axisSchema) ?? initial.axis
  if (!isPlace(capture, device, axis)) return {}
  const full = fullRange(capture, deviceOf(capture, device), axis)
  const visible = fieldOf(kept, 'visible', rangeSchema)
  const selectedRange = fieldOf(kept, 'selectedRange', rangeSchema)
  const cursor = z
    .number()
    .int()
    .min(-1)
    .lt(deviceOf(capture, device)?.eventCount ?? 0)
  return {
    device,
    axis,
    full,
    visible: visible && overlaps(visible, full) ? clampRange(visible, homeOf(capture, { full }), axis) : full,
    selectedRange: selectedRange && overlaps(selectedRange, full) ? inside(selectedRange, homeOf(capture, { full })) : undefined,
    cursorEvent: fieldOf(kept, 'cursorEvent', cursor),
  }
}

function isPlace(capture: CaptureSummary, device: number, axis: Axis): boolean {
  const hasDevice = deviceOf(capture, device) !== undefined
  return (hasDevice || (capture.devices.length === 0 && device === 0)) && (axis === 'event' || capture.hasTimes || capture.trace !== null)
}

const overlaps = (a: Range, b: Range): boolean => a.x0 < b.x1 && a.x1 > b.x0

const inside = ({ x0, x1 }: Range, all: Range): Range => ({ x0: Math.max(x0, all.x0), x1: Math.min(x1, all.x1) })
