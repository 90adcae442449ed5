// `tidemark export`: a picture of a view (drawn by Electron in a hidden window) or its table as CSV (plain Node).
import { busiestDevice, type CaptureSummary, type DeviceSummary, defaultValueType } from '../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import { profileFormatSchema } from '../../preload/contract/queries.ts'
import { type ExportJob, type PictureFormat, pictureFormatSchema } from '../../preload/contract/shell.ts'
import type { OpenCapture } from '../engine/open-capture.ts'
import { weighedByValue, weighedOf, writeNodes, writeProfile } from './export-flame.ts'
import { type ExportOptions, parseExport } from './export-options.ts'
import { eventOf, type Moment, writeCsv } from './export-table.ts'
import { reportFailure } from './failure.ts'
import { filterOf } from './filter-option.ts'
import { lookOf } from './flame-choice.ts'
import { runInHiddenWindow } from './hidden-window.ts'
import { type Session, startSession, withProgress } from './session.ts'

/** Options that no longer name a moment by what happened there. */
export type PlainOptions = ExportOptions & Pick<ExportJob, 'at'>

/** Writes OUT and prints its path. Answers the exit status. */
export async function exportView(words: string[]): Promise<number> {
  const options = parseExport(words)
  const session = startSession()
  if (!session.ok) return reportFailure(session.error, options.file)
  // The index is made here, with progress and with the file's own errors; the hidden window then finds it in the cache.
  const opened = await withProgress((load) => session.value.captures.open(options.file, load))
  if (!opened.ok) return reportFailure(opened.error, options.file)
  const written = await write(session.value, opened.value, options)
  await session.value.captures.closeAll()
  if (!written.ok) return reportFailure(written.error, written.error.code.startsWith('export/') ? options.out : options.file)
  process.stdout.write(`${options.out}\n`)
  return 0
}

async function write(session: Session, capture: CaptureSummary, options: ExportOptions): Promise<Result<void>> {
  const open = session.captures.get(capture.captureId)
  if (!open.ok) return open
  if (capture.profile) return writeOfProfile(session, open.value, options)
  if (!capture.hasBlocks && (options.view === 'blocks' || options.view === 'fragmentation'))
    return fail('query/bad_argument', `A trace does not say where memory lies, so it has no ${options.view}`)
  const { view } = options
  if (view === 'trace') return writeTrace(session, capture, options)
  const device = chooseDevice(capture, options.device)
  if (!device.ok) return device
  const plain = atFailure(options, device.value)
  if (!plain.ok) return plain
  if (view === 'flame' && options.flame.weight !== 'alive' && device.value.eventCount === 0)
    return fail('query/bad_argument', `Device ${device.value.device} has no history, so only --weight alive can be told`)
  const picture = pictureFormatSchema.safeParse(options.format)
  // A picture of what a device without history held is of no event.
  const isDump = picture.success && device.value.eventCount === 0
  const found = isDump ? ok(-1) : await eventOf(session, capture, device.value, plain.value)
  if (!found.ok) return found
  const filter = await filterOf(open.value, capture, device.value, options.filter, cursorOf(plain.value, device.value, found.value))
  if (!filter.ok) return filter
  if (picture.success) return drawPicture(picture.data, plain.value)
  const moment = { captureId: capture.captureId, device: device.value.device, event: found.value, out: options.out, filter: filter.value }
  if (view !== 'flame' || (options.format === 'csv' && options.flame.isPlain && filter.value === '')) return writeCsv(session, view, moment)
  return writeFlame(open.value, device.value, plain.value, moment)
}

/** Where the cursor of the filter language stands: as on screen, without one at the last failure, else at the peak. */
const cursorOf = ({ at }: PlainOptions, { ooms, peakEvent }: DeviceSummary, event: number): number =>
  at === null ? (ooms.at(-1)?.event ?? peakEvent) : event

async function writeFlame(
  open: OpenCapture,
  device: DeviceSummary,
  options: PlainOptions,
  { event, filter }: Moment,
): Promise<Result<void>> {
  const weighed = await weighedOf(open, device, options, event, filter)
  if (!weighed.ok) return weighed
  const profile = profileFormatSchema.safeParse(options.format)
  return profile.success ? writeProfile(open, profile.data, weighed.value, options) : writeNodes(open, device, weighed.value, options)
}

/** A profile of another tool has stacks and their values, and nothing else. */
async function writeOfProfile(session: Session, open: OpenCapture, options: ExportOptions): Promise<Result<void>> {
  const { view, device, at, format, out, filter, range, flame } = options
  const capture = open.summary
  if (view !== 'flame')
    return fail('query/bad_argument', `A profile has stacks and their values only: it is shown as flame, not as ${view}`)
  if (device !== null || at !== null || range !== null)
    return fail('query/bad_argument', 'A profile has neither devices nor moments: it takes no --device, --at and --range')
  if (filter !== '' || flame.weight !== 'alive' || flame.unit !== 'bytes')
    return fail('query/bad_argument', 'A profile has values in place of allocations: it takes no --filter, --weight and --unit')
  const plain = { ...options, at: null }
  const picture = pictureFormatSchema.safeParse(format)
  if (picture.success) return drawPicture(picture.data, plain)
  const profile = profileFormatSchema.safeParse(format)
  if (profile.success) return writeProfile(open, profile.data, weighedByValue(capture), plain)
  if (!flame.isPlain) return fail('query/bad_argument', 'The CSV of a profile holds its stacks as they are: it takes no --order and --root')
  const { valueType } = defaultValueType(capture)
  return session.captures.writeLiveCsv(capture.captureId, { table: 'values', device: valueType, event: 0, path: out })
}

/** A trace is also one without memory, and so without a device. */
async function writeTrace({ captures }: Session, capture: CaptureSummary, options: ExportOptions): Promise<Result<void>> {
  if (!capture.trace) return fail('query/bad_argument', 'This capture is no trace')
  const { format, out, device: wanted } = options
  const device = chooseDevice(capture, wanted)
  const isUnknown = !device.ok && wanted !== null
  const plain = device.ok ? atFailure(options, device.value) : ok({ ...options, at: null })
  if (isUnknown) return device
  if (!plain.ok) return plain
  const picture = pictureFormatSchema.safeParse(format)
  if (picture.success) return drawPicture(picture.data, plain.value)
  const all = { fromNs: Number.MIN_SAFE_INTEGER, toNs: Number.MAX_SAFE_INTEGER }
  return captures.writeTraceCsv(capture.captureId, { table: 'slices', tracks: null, names: null, ...all }, out)
}

/** The wanted device, or the one with the most events. */
export function chooseDevice(capture: CaptureSummary, wanted: number | null): Result<DeviceSummary> {
  const { devices } = capture
  const device = wanted === null ? busiestDevice(capture) : devices.find((each) => each.device === wanted)
  if (device) return ok(device)
  const known = devices.map((each) => each.device).join(', ') || 'none'
  return fail('query/bad_argument', `There is no device ${wanted ?? ''} in this capture (devices: ${known})`)
}

/** Options whose `at` is an event where `oom` was asked for. */
function atFailure(options: ExportOptions, { device, ooms }: DeviceSummary): Result<PlainOptions> {
  const { at } = options
  if (at !== 'oom') return ok({ ...options, at })
  const last = ooms.at(-1)
  return last ? ok({ ...options, at: { event: last.event } }) : fail('query/bad_argument', `Device ${device} has no out-of-memory event`)
}

async function drawPicture(format: PictureFormat, options: PlainOptions): Promise<Result<void>> {
  const { file, out, view, width, height, theme, language, device, axis, colorBy, range, at, filter, flame } = options
  const plainRange: ExportJob['range'] = range === null ? null : [range[0], range[1]]
  const look = view === 'flame' && !flame.isPlain ? lookOf(flame) : {}
  const job = { view, format, width, height, theme, language, device, axis, colorBy, range: plainRange, at, filter, look }
  const drawn = await runInHiddenWindow({ source: file, out, task: { kind: 'picture', job } })
  if (!drawn.ok) return drawn
  if (colorBy !== null && drawn.value.includes('heatMap')) process.stderr.write(heatMapNote)
  return ok(undefined)
}

const heatMapNote =
  'lifetimes: the colors of --color-by are of bars, one an allocation; there are too many for bars, so the heat map of bytes was drawn: ' +
  'choose a shorter --range, or fewer allocations with --filter\n'
