// `tidemark info`: what a capture holds.
import { parseArgs } from 'node:util'
import type { CaptureSummary, DeviceSummary } from '../../preload/contract/capture.ts'
import { ok, type Result } from '../../preload/contract/errors.ts'
import { deviceName, formatBytes, formatCount, formatTime, plainSpaces } from '../../preload/contract/format.ts'
import type { JoinMatch } from '../../preload/contract/queries.ts'
import type { Captures } from '../engine/captures.ts'
import { reportFailure } from './failure.ts'
import { matchesOf, matchLines } from './joins.ts'
import { categoriesAtPeaks, categoryLines, type PeakCategories } from './peak-categories.ts'
import { printable } from './printable.ts'
import { startSession, withProgress } from './session.ts'
import { UsageError } from './usage.ts'

const options = { json: { type: 'boolean', default: false }, with: { type: 'string' } } as const

/** Prints the summary of one file, with `--with` also how well it matches another. Answers the exit status. */
export async function info(words: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: words, allowPositionals: true, options })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError('info wants one FILE')
  const session = startSession()
  if (!session.ok) return reportFailure(session.error, file)
  const { captures } = session.value
  try {
    const opened = await withProgress((listener) => captures.open(file, listener))
    if (!opened.ok) return reportFailure(opened.error, file)
    const matched = values.with === undefined ? null : await matchWith(captures, opened.value, values.with)
    if (matched && !matched.ok) return reportFailure(matched.error, values.with ?? file)
    const peaks = await categoriesAtPeaks(captures, opened.value)
    if (!peaks.ok) return reportFailure(peaks.error, file)
    const write = values.json ? summaryJson : summaryText
    process.stdout.write(write(opened.value, peaks.value, matched?.value ?? null))
    return 0
  } finally {
    await captures.closeAll()
  }
}

interface Matched {
  readonly partner: CaptureSummary
  readonly matches: readonly JoinMatch[]
}

async function matchWith(captures: Captures, capture: CaptureSummary, file: string): Promise<Result<Matched>> {
  const partner = await withProgress((listener) => captures.open(file, listener))
  if (!partner.ok) return partner
  const matches = await matchesOf(captures, capture, partner.value)
  return matches.ok ? ok({ partner: partner.value, matches: matches.value }) : matches
}

/** The ids of open captures are of this process alone. */
function summaryJson({ captureId: _, ...summary }: CaptureSummary, peakCategories: PeakCategories[], matched: Matched | null): string {
  const joins = matched?.matches.map(({ snapshotId: _snapshot, traceId: _trace, ...match }) => match)
  const all = { ...summary, peakCategories, ...(matched && { with: { sourceName: matched.partner.sourceName, matches: joins } }) }
  return `${JSON.stringify(all, null, 2)}\n`
}

function summaryText(capture: CaptureSummary, peaks: readonly PeakCategories[], matched: Matched | null): string {
  const lines = [
    capture.sourceName,
    `  format     ${capture.formatDetail} (${capture.kind}), ${formatBytes(capture.sourceBytes)}`,
    `  recorded   ${capture.startUnixUs === null ? 'time unknown' : dateOf(capture.startUnixUs)}`,
    `  duration   ${capture.durationNs === null ? 'unknown' : formatTime(capture.durationNs)}`,
    ...contentLines(capture),
    `  index      ${formatBytes(capture.indexBytes)}${capture.fromCache ? ', from the cache' : ''}`,
  ]
  const findings = capture.findings.map(
    ({ code, severity, count, message }) => `  ${severity}: ${code}${count > 1 ? ` (${formatCount(count)}×)` : ''}: ${message}`,
  )
  const joined = matched ? matchLines(matched.matches, capture, matched.partner.sourceName) : []
  const all = [
    ...lines,
    ...capture.devices.flatMap((device) => deviceLines(device, capture, categoryLines(peaks, device))),
    ...joined,
    ...findings,
  ]
  return plainSpaces(`${all.map(printable).join('\n')}\n`)
}

function profileLines({ eventCount, profile }: CaptureSummary): string[] {
  if (profile === null) return []
  const types = profile.valueTypes.map(({ name, unit, isDefault, stackCount }) => {
    const words = [name || 'values', unit && `in ${unit}`, `of ${formatCount(stackCount)} stacks`, isDefault && '(shown first)']
    return `  value      ${words.filter(Boolean).join(' ')}`
  })
  return [
    `  samples    ${formatCount(eventCount)} in ${formatCount(profile.stackCount)} stacks of ${formatCount(profile.frameCount)} frames`,
    ...types,
  ]
}

function contentLines(capture: CaptureSummary): string[] {
  const { trace, profile, hasHistory, eventCount, devices } = capture
  if (profile !== null) return profileLines(capture)
  if (trace === null) return [`  events     ${hasHistory ? formatCount(eventCount) : 'no history was recorded'}`]
  const { processCount, trackCount, sliceCount, instantCount, seriesCount } = trace
  const memoryEvents = devices.reduce((sum, device) => sum + device.eventCount, 0)
  return [
    `  tracks     ${formatCount(trackCount)} of ${formatCount(processCount)} processes`,
    `  slices     ${formatCount(sliceCount)}, ${formatCount(instantCount)} instants, ${formatCount(seriesCount)} counter series`,
    `  memory     ${hasHistory ? `${formatCount(memoryEvents)} events` : 'was not recorded'}`,
  ]
}

/** The clock of a machine can be wrong without bounds; a Date cannot. */
function dateOf(unixUs: number): string {
  const date = new Date(unixUs / 1000)
  return Number.isNaN(date.getTime()) ? `${unixUs} µs since 1970, beyond any date` : date.toISOString()
}

function deviceLines(device: DeviceSummary, { hasBlocks }: CaptureSummary, ofPeak: readonly string[]): string[] {
  const peakTime = device.peakTimeNs === null ? '' : `, ${formatTime(device.peakTimeNs)} after the start`
  const peakPlace = device.peakEvent < 0 ? 'before the first event' : `event ${formatCount(device.peakEvent)}${peakTime}`
  // Without history the largest moment is not in the file: the end state is no peak.
  const peaks =
    device.eventCount > 0
      ? [
          `    peak allocated  ${formatBytes(device.peakAllocatedBytes)} (${peakPlace})`,
          `    peak reserved   ${formatBytes(device.peakReservedBytes)}`,
        ]
      : ['    peak            unknown: this device has no history']
  const ooms = device.ooms.map(
    ({ event, sizeBytes }) => `    out of memory at event ${formatCount(event)}: ${formatBytes(sizeBytes)} asked for`,
  )
  const more = device.oomCount - device.ooms.length
  return [
    `  ${deviceName(device.device, device.deviceType)}: ${formatCount(device.eventCount)} events, ${formatCount(device.allocationCount)} allocations${device.exact ? '' : ', replay approximate'}`,
    ...peaks,
    ...ofPeak,
    ...(hasBlocks
      ? endLines(device)
      : [`    at the end      ${formatBytes(device.allocatedBytes)} allocated, ${formatBytes(device.reservedBytes)} reserved`]),
    ...ooms,
    ...(more > 0 ? [`    and ${formatCount(more)} more times out of memory`] : []),
  ]
}

/** What only the blocks of a snapshot tell. */
const endLines = (device: DeviceSummary): string[] => [
  `    at the end      ${formatBytes(device.allocatedBytes)} allocated, ${formatBytes(device.activeBytes)} active, ${formatBytes(device.requestedBytes)} requested, ${formatBytes(device.reservedBytes)} reserved`,
  `    free at the end ${formatBytes(device.inactiveSplitBytes)} inactive split, largest free block ${formatBytes(device.largestFreeBytes)}`,
]
