// The head of a report: what the capture is, what happened, what held the memory, in sentences.
import type { DeviceSummary } from '../../preload/contract/capture.ts'
import type { ReportFailure } from '../../preload/contract/report.ts'
import { deviceName, formatBytes, formatCount, formatShare, formatTime } from '../i18n/format.ts'
import { type Html, html } from '../sheet/html.ts'
import { type DeviceInput, mainMoment, type NamedMoment, type ReportInput } from './input.ts'
import { bytes, bytesCell, code, countCell, reportText, say, sayCount, sentences, stackName, strong } from './words.ts'

export const nameOf = ({ device, deviceType }: Pick<DeviceSummary, 'device' | 'deviceType'>): string => deviceName(device, deviceType)

/** Sentences, the facts as tiles, all devices where there are several. */
export function summarySection(input: ReportInput): Html {
  const { capture, device, facts } = input
  const about = device && facts ? { ...input, device, facts } : undefined
  const primer = capture.trace ? 'primerTrace' : 'primer'
  return html`${about ? tiles(about) : null}
${captureParagraph(input)}
${about ? aboutDevice(about) : null}
<p>${trustSentences(input)}</p>
${about ? html`<p class="primer">${say(primer)}</p>` : null}
${capture.devices.length > 1 ? devicesTable(input) : null}`
}

function aboutDevice(about: DeviceInput): Html {
  const main = mainMoment(about.facts)
  if (!main) return html``
  const { failure } = main
  return html`${failure ? html`${failureParagraph(about, failure)}<p>${sentences(...freeSentences(failure), deviceSentence(failure))}</p>` : null}
<p>${sentences(peakSentence(about), main.name === 'peak' && !about.capture.trace ? say('oom.none') : null)}</p>
<p>${heldSentence(about, main)}</p>`
}

/** What the file is; of several devices, which one the report is about. */
export function captureParagraph(input: ReportInput): Html {
  const { capture, device } = input
  const which = capture.devices.length > 1 && device ? say('capture.devices', { device: strong(nameOf(device)) }) : null
  return html`<p>${sentences(captureSentence(input), which)}</p>`
}

function captureSentence({ capture, device }: ReportInput): Html {
  const { sourceName, trace, durationNs } = capture
  const values = {
    name: code(sourceName),
    device: device ? nameOf(device) : '',
    events: formatCount(device?.eventCount ?? 0),
    duration: durationNs === null ? '' : formatTime(durationNs),
    slices: formatCount(trace?.sliceCount ?? 0),
  }
  if (trace) return say(device && device.eventCount > 0 ? 'capture.trace' : 'capture.traceNoMemory', values)
  if (!device || device.eventCount === 0) return say('capture.snapshotNoHistory', values)
  return say(durationNs === null ? 'capture.snapshotNoTimes' : 'capture.snapshot', values)
}

function peakSentence({ device, facts }: DeviceInput): Html {
  const { dump } = facts
  if (dump) return say('peak.dump', { allocated: bytes(dump.allocatedBytes), reserved: bytes(dump.reservedBytes) })
  const { peakAllocatedBytes, peakReservedBytes, peakEvent, peakTimeNs } = device
  const values = {
    peak: bytes(peakAllocatedBytes),
    reserved: bytes(peakReservedBytes),
    event: formatCount(peakEvent),
    time: peakTimeNs === null ? '' : formatTime(peakTimeNs),
  }
  if (peakEvent < 0) return say('peak.beforeFirst', values)
  if (peakReservedBytes === 0) return say('peak.onlyAllocated', values) // of the CPU nothing is reserved
  return say(peakTimeNs === null ? 'peak.reachedNoTime' : 'peak.reached', values)
}

/** The three largest stacks of the moment. */
export function heldSentence({ capture }: DeviceInput, { name, moment }: NamedMoment): Html {
  const largest = moment.stacks.slice(0, 3)
  const [first, second, third] = largest.map((stack) =>
    say('held.item', {
      name: stackName(stack, capture),
      bytes: bytes(stack.bytes),
      share: formatShare(stack.bytes, moment.allocatedBytes),
    }),
  )
  const when = reportText(`when.${name}`)
  const sum = largest.reduce((all, stack) => all + stack.bytes, 0)
  const share = strong(formatShare(sum, moment.allocatedBytes))
  if (first && second && third) return say('held.three', { when, first, second, third, share })
  if (first && second) return say('held.two', { when, first, second, share })
  return first ? say('held.one', { when, first }) : html``
}

/** Who asked for how much, and where in the file that is. `noStackText`: what is known of a request without a stack. */
export function failureParagraph({ capture, device }: DeviceInput, failure: ReportFailure, noStackText?: string): Html {
  const { moment, sizeBytes } = failure
  const after = device.eventCount - 1 - moment.event
  const asked = { event: formatCount(moment.event), size: bytes(sizeBytes), name: stackName(failure, capture) }
  return html`<p class="failure"><span aria-hidden="true">▲</span> ${sentences(
    say(failure.title === '' ? 'oom.askedUnknown' : 'oom.asked', asked),
    failure.title === '' && noStackText !== undefined ? html`${noStackText}` : null,
    after > 0 ? sayCount('oom.after', after) : say('oom.last'),
    device.oomCount > 1 ? say('oom.several', { formatted: formatCount(device.oomCount) }) : null,
  )}</p>`
}

/** What was free inside PyTorch, and whether one block of it all would have held the request: arithmetic, no verdict. */
function freeSentences({ moment, sizeBytes, fit }: ReportFailure): readonly Html[] {
  const totals = moment.space?.totals
  if (!totals) return []
  const { freeBytes, freeBlockCount, largestFreeBytes, allocatedBytes, reservedBytes } = totals
  const needed = fit?.rounded ?? sizeBytes
  const state = say('oom.state', {
    allocated: bytes(allocatedBytes),
    reserved: bytes(reservedBytes),
    share: formatShare(allocatedBytes, reservedBytes),
    free: bytes(freeBytes),
    count: formatCount(freeBlockCount),
    largest: bytes(largestFreeBytes),
  })
  if (freeBytes === 0) return [state, say('oom.nothingFree')]
  if (freeBytes < needed) return [state, say('oom.notEnough', { missing: bytes(needed - freeBytes) })]
  const usable = fit?.free ?? { bytes: freeBytes, largestBytes: largestFreeBytes }
  if (usable.bytes < needed) return [state, say('oom.elsewhere', { usable: bytes(usable.bytes) })]
  if (usable.largestBytes < needed) return [state, say('oom.fragmented')]
  return [state, say(fit?.fits ? 'oom.fitting' : 'oom.unsuitable')]
}

function deviceSentence({ deviceFreeBytes, fit }: ReportFailure): Html {
  if (deviceFreeBytes === null) return say('oom.deviceUnknown')
  const free = bytes(deviceFreeBytes)
  if (!fit) return say('oom.deviceFree', { free })
  return deviceFreeBytes >= fit.segmentBytes
    ? say('oom.deviceMore', { free })
    : say('oom.deviceLess', { free, segment: bytes(fit.segmentBytes) })
}

/** How far the numbers can be trusted. */
export function trustSentences({ capture, device }: ReportInput): Html {
  const limits = capture.findings.filter(({ severity }) => severity !== 'info').length
  const notes = capture.findings.length - limits
  const replay = device?.exact ? (capture.trace ? 'trust.totals' : 'trust.exact') : 'trust.approximate'
  return sentences(
    device && device.eventCount > 0 ? say(replay) : null,
    limits > 0 ? sayCount('trust.findings', limits) : null,
    notes > 0 ? sayCount('trust.notes', notes) : null,
    capture.findings.length === 0 ? say('trust.noFindings') : null,
  )
}

interface Tile {
  readonly label: string
  readonly value: string
  readonly isBad?: boolean
}

function tilesOf({ device, facts }: DeviceInput): readonly Tile[] {
  const { failure, dump } = facts
  if (dump) {
    return [
      { label: reportText('fact.allocated'), value: formatBytes(dump.allocatedBytes) },
      { label: reportText('fact.reserved'), value: formatBytes(dump.reservedBytes) },
    ]
  }
  const totals = failure?.moment.space?.totals
  return [
    ...(failure ? [{ label: reportText('fact.asked'), value: formatBytes(failure.sizeBytes), isBad: true }] : []),
    ...(totals
      ? [
          { label: reportText('fact.free'), value: formatBytes(totals.freeBytes) },
          { label: reportText('fact.largestFree'), value: formatBytes(totals.largestFreeBytes) },
        ]
      : []),
    { label: reportText('fact.peak'), value: formatBytes(device.peakAllocatedBytes) },
    ...(device.peakReservedBytes > 0 ? [{ label: reportText('fact.peakReserved'), value: formatBytes(device.peakReservedBytes) }] : []),
    ...(failure ? [] : [{ label: reportText('fact.neverFreed'), value: formatBytes(facts.neverFreed.bytes) }]),
  ]
}

const tiles = (about: DeviceInput): Html =>
  html`<dl class="tiles">${tilesOf(about).map(
    ({ label, value, isBad }) => html`<div${isBad ? html` class="bad"` : null}><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl>`

export function devicesTable({ capture, device: shown }: ReportInput): Html {
  const rows = capture.devices.map(
    (device) => html`<tr><th scope="row">${device.device === shown?.device ? strong(nameOf(device)) : nameOf(device)}</th>
${countCell(device.eventCount)}${bytesCell(device.peakAllocatedBytes)}${bytesCell(device.peakReservedBytes)}${countCell(device.oomCount)}</tr>`,
  )
  return html`<h3>${reportText('devices.title')}</h3>
<div class="scroll"><table><thead><tr><th>${reportText('devices.device')}</th><th class="n">${reportText('devices.events')}</th>
<th class="n">${reportText('fact.peak')}</th><th class="n">${reportText('fact.peakReserved')}</th><th class="n">${reportText('devices.oom')}</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}
