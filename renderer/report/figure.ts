// Pictures of views in the page, with what they show in words.
import type { ReportView } from '../../preload/contract/report-job.ts'
import { deviceName, formatBytes, formatCount } from '../i18n/format.ts'
import { type Html, html } from '../sheet/html.ts'
import { svgAddress } from '../sheet/svg-address.ts'
import { mainMoment, type ReportInput, type ReportPicture } from './input.ts'
import { reportText } from './words.ts'

function captionOf({ view, isLastStretch }: ReportPicture, { facts }: ReportInput): string {
  if (isLastStretch) return reportText('caption.timelineLast')
  if (facts?.failure && view === 'timeline') return reportText('caption.timelineOom')
  if (facts?.failure && view === 'blocks') return reportText('caption.blocksOom')
  return reportText(`caption.${view}`)
}

/** Which sentence tells what a picture tells. */
function alternativeKey({ view, isLastStretch }: ReportPicture, hasFailure: boolean) {
  if (isLastStretch) return 'alt.timelineLast'
  return hasFailure && (view === 'timeline' || view === 'blocks') ? (`alt.${view}Oom` as const) : (`alt.${view}` as const)
}

/** What the picture tells, in a sentence for who cannot see it. */
function alternativeOf(picture: ReportPicture, input: ReportInput): string {
  const { capture, device, facts } = input
  const amount = (value: number | undefined) => formatBytes(value ?? 0)
  const count = (value: number | undefined) => formatCount(value ?? 0)
  return reportText(alternativeKey(picture, facts?.failure != null), {
    device: device ? deviceName(device.device, device.deviceType) : '',
    events: count(device?.eventCount),
    peak: amount(device?.peakAllocatedBytes),
    peakEvent: count(device?.peakEvent),
    reserved: amount(device?.peakReservedBytes),
    asked: amount(facts?.failure?.sizeBytes),
    event: count(facts?.failure?.moment.event),
    made: count(facts?.made.count),
    kept: count(facts?.neverFreed.count),
    slices: count(capture.trace?.sliceCount),
    tracks: count(capture.trace?.trackCount),
    ...momentValues(input),
  })
}

function momentValues({ facts }: ReportInput) {
  const moment = facts && mainMoment(facts)?.moment
  const [largest, totals] = [moment?.stacks[0], moment?.space?.totals]
  return {
    allocated: formatBytes(moment?.allocatedBytes ?? 0),
    largestStack: largest?.title || reportText('held.noStack'),
    largestBytes: formatBytes(largest?.bytes ?? 0),
    segments: formatCount(totals?.segments ?? 0),
    free: formatBytes(totals?.freeBytes ?? 0),
    largest: formatBytes(totals?.largestFreeBytes ?? 0),
  }
}

/** The pictures of the given views, in that order; nothing for a view without one. */
export function figures(input: ReportInput, ...views: readonly ReportView[]): Html[] {
  return views.flatMap((view) => {
    return input.pictures
      .filter((each) => each.view === view)
      .map(
        (picture) =>
          html`<figure><figcaption>${captionOf(picture, input)}${picture.isAsInWindow ? html` <i>${reportText('caption.asInWindow')}</i>` : null}</figcaption>
<img src="${svgAddress(picture.svg)}" alt="${alternativeOf(picture, input)}"></figure>`,
      )
  })
}
