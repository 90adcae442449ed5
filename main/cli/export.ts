// `tidemark export`: a picture of a view (drawn by Electron in a hidden window) or its table as CSV (plain Node).
import { busiestDevice, type CaptureSummary, type DeviceSummary, defaultValueType } from '../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import { profileFormatSchema } from '../../preload/contract/queries.ts'
import { type ExportJob, type PictureFormat, pictureFormatSchema } from '../../preload/contract/shell.ts'
import { type ExportOptions, parseExport } from './export-options.ts'
import { eventOf, writeCsv, writeProfile } from './export-table.ts'
import { reportFailure } from './failure.ts'
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
  if (capture.profile) return writeOfProfile(session, capture, options)
  if (!capture.hasBlocks && (options.view === 'blocks' || options.view === 'fragmentation'))
    return fail('query/bad_argument', `A trace does not say where memory lies, so it has no ${options.view}`)
  const { view } = options
  if (view === 'trace') return writeTrace(session, capture, options)
  const device = chooseDevice(capture, options.device)
  if (!device.ok) return device
  const plain = atFailure(options, device.value)
  if (!plain.ok) return plain
  const { format } = plain.value
  const picture = pictureFormatSchema.safeParse(format)
  if (picture.success) return drawPicture(picture.data, plain.value)
  const found = await eventOf(session, capture, device.value, plain.value)
  if (!found.ok) return found
  const moment = { captureId: capture.captureId, device: device.value.device, event: found.value, out: plain.value.out }
  const profile = profileFormatSchema.safeParse(format)
  if (!profile.success) return writeCsv(session, view, moment)
  const words = `bytes alive after event ${moment.event} of device ${moment.device}`
  return writeProfile(session, capture, profile.data, { ...moment, measure: 'alive', words })
}

/** A profile of another tool has stacks and their values, and nothing else. */
async function writeOfProfile(session: Session, capture: CaptureSummary, options: ExportOptions): Promise<Result<void>> {
  const { view, device, at, format, out } = options
  if (view !== 'flame')
    return fail('query/bad_argument', `A profile has stacks and their values only: it is shown as flame, not as ${view}`)
  if (device !== null || at !== null)
    return fail('query/bad_argument', 'A profile has neither devices nor moments: it takes no --device and no --at')
  const picture = pictureFormatSchema.safeParse(format)
  if (picture.success) return drawPicture(picture.data, { ...options, at: null })
  const valueType = defaultValueType(capture)
  const profile = profileFormatSchema.safeParse(format)
  if (profile.success) {
    const words = valueType.name || 'values'
    return writeProfile(session, capture, profile.data, { device: 0, event: valueType.valueType, out, measure: 'profile', words })
  }
  return session.captures.writeLiveCsv(capture.captureId, { table: 'values', device: valueType.valueType, event: 0, path: out })
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

function drawPicture(format: PictureFormat, options: PlainOptions): Promise<Result<void>> {
  const { file, out, view, width, height, theme, language, device, axis, colorBy, range, at } = options
  const plainRange: ExportJob['range'] = range === null ? null : [range[0], range[1]]
  const job = { view, format, width, height, theme, language, device, axis, colorBy, range: plainRange, at }
  return runInHiddenWindow({ source: file, out, task: { kind: 'picture', job } })
}
