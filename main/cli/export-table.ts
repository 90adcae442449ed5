// What `tidemark export` writes without a window: tables as CSV.
import type { CaptureSummary, DeviceSummary } from '../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import type { ViewId } from '../../preload/contract/shell.ts'
import type { CsvTable } from '../engine/csv-tables.ts'
import { queryHandlers } from '../engine/queries/index.ts'
import type { PlainOptions } from './export.ts'
import type { Session } from './session.ts'

/** What the CSV of each view holds. */
const tables: Readonly<Record<Exclude<ViewId, 'trace' | 'sql' | 'diagnosis'>, CsvTable>> = {
  timeline: 'live',
  lifetimes: 'allocations',
  blocks: 'blocks',
  fragmentation: 'groups',
  flame: 'nodes',
  allocations: 'allocations',
}

export interface Moment {
  readonly captureId: string
  readonly device: number
  readonly event: number
  readonly out: string
  readonly filter: string // as the engine reads it
}

/** The event that `at` names; unless given, what the view shows at first. */
export async function eventOf(
  { captures }: Session,
  { captureId }: CaptureSummary,
  device: DeviceSummary,
  { at, view }: PlainOptions,
): Promise<Result<number>> {
  const capture = captures.get(captureId)
  if (!capture.ok) return capture
  const showsFailure = view === 'blocks' || view === 'fragmentation' || view === 'flame' // as on screen
  let event = (at === null && showsFailure ? device.ooms.at(-1)?.event : undefined) ?? device.peakEvent
  if (at === 'end') event = device.eventCount - 1
  else if (at !== null && typeof at === 'object' && 'event' in at) event = at.event
  else if (at !== null && typeof at === 'object') {
    const found = await queryHandlers['timeline.eventAt'](capture.value, { captureId, device: device.device, timeNs: at.timeNs })
    if (!found.ok) return found
    event = found.value.event
  }
  if (event < device.eventCount) return ok(event)
  return fail('query/bad_argument', `Device ${device.device} has no event ${event} (events: −1 to ${device.eventCount - 1})`)
}

/** Errors: those of the table. */
export const writeCsv = (
  { captures }: Session,
  view: Exclude<ViewId, 'trace' | 'sql' | 'diagnosis'>,
  { captureId, device, event, out, filter }: Moment,
): Promise<Result<void>> => captures.writeLiveCsv(captureId, { table: tables[view], device, event, filter, path: out })
