// What `tidemark export` writes without a window: tables as CSV, a flame graph as the file of another tool.
import type { CaptureSummary, DeviceSummary } from '../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import type { ProfileFormat } from '../../preload/contract/queries.ts'
import type { ViewId } from '../../preload/contract/shell.ts'
import { writeWhole } from '../atomic-write.ts'
import type { CsvTable } from '../engine/csv-tables.ts'
import { queryHandlers } from '../engine/queries/index.ts'
import type { PlainOptions } from './export.ts'
import type { Session } from './session.ts'

/** What the CSV of each view holds. */
const tables: Readonly<Record<Exclude<ViewId, 'trace' | 'sql'>, CsvTable>> = {
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
  view: Exclude<ViewId, 'trace' | 'sql'>,
  { captureId, device, event, out }: Moment,
): Promise<Result<void>> => captures.writeLiveCsv(captureId, { table: tables[view], device, event, path: out })

/** What a flame graph is written of: bytes alive after an event, or the values of a profile, whose type `event` is then. */
export interface Weighed extends Pick<Moment, 'device' | 'event' | 'out'> {
  readonly measure: 'alive' | 'profile'
  readonly words: string
}

/** Writes weights by function, whole stacks, as the view shows them at first. Errors: `export/write_failed`, those of the question. */
export async function writeProfile(
  { captures }: Session,
  { captureId, sourceName }: CaptureSummary,
  format: ProfileFormat,
  { device, event, out, measure, words }: Weighed,
): Promise<Result<void>> {
  const capture = captures.get(captureId)
  if (!capture.ok) return capture
  const options = { direction: 'callees', merge: 'function', foldRecursion: false, hide: [], pivot: null, with: [], without: [] } as const
  const profile = await queryHandlers['flame.profile'](capture.value, {
    captureId,
    device,
    measure,
    unit: 'bytes',
    fromEvent: event,
    toEvent: event,
    options: { ...options, hide: [], with: [], without: [] },
    filter: '',
    root: 0,
    order: 'size',
    format,
    name: `${sourceName}: ${words}`,
  })
  if (!profile.ok) return profile
  const { bytes, leftOut } = profile.value
  if (leftOut > 0) process.stderr.write(`${leftOut} small functions are counted with their callers\n`)
  return writeWhole(out, bytes)
}
