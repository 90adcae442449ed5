// A picture in the page: the view's own SVG as a data address, so that nothing is fetched and nothing in it can run.
import type { ReportView } from '../../preload/contract/report-job.ts'
import { deviceName, formatBytes, formatCount } from '../i18n/format.ts'
import { type Html, html } from './html.ts'
import { mainMoment, type ReportInput } from './input.ts'
import { reportText } from './words.ts'

const chunkBytes = 0x8000

/** The address of an SVG's text. */
export function svgAddress(svg: string): string {
  const utf8 = new TextEncoder().encode(svg)
  let text = ''
  for (let at = 0; at < utf8.length; at += chunkBytes) text += String.fromCharCode(...utf8.subarray(at, at + chunkBytes))
  return `data:image/svg+xml;base64,${btoa(text)}`
}

function captionOf(view: ReportView, hasFailure: boolean): string {
  if (hasFailure && view === 'timeline') return reportText('caption.timelineOom')
  if (hasFailure && view === 'blocks') return reportText('caption.blocksOom')
  return reportText(`caption.${view}`)
}

/** What the picture shows, for who cannot see it. */
function alternativeOf(view: ReportView, { capture, device, facts }: ReportInput): string {
  const moment = facts && mainMoment(facts)?.moment
  const totals = moment?.space?.totals
  return reportText(`alt.${view}`, {
    device: device ? deviceName(device.device, device.deviceType) : '',
    events: formatCount(device?.eventCount ?? 0),
    peak: formatBytes(device?.peakAllocatedBytes ?? 0),
    reserved: formatBytes(device?.peakReservedBytes ?? 0),
    allocated: formatBytes(moment?.allocatedBytes ?? 0),
    segments: formatCount(totals?.segments ?? 0),
    free: formatBytes(totals?.freeBytes ?? 0),
    largest: formatBytes(totals?.largestFreeBytes ?? 0),
    made: formatCount(facts?.made.count ?? 0),
    kept: formatCount(facts?.neverFreed.count ?? 0),
    slices: formatCount(capture.trace?.sliceCount ?? 0),
    tracks: formatCount(capture.trace?.trackCount ?? 0),
  })
}

/** The pictures of the given views, in that order; nothing for a view without one. */
export function figures(input: ReportInput, ...views: readonly ReportView[]): Html[] {
  return views.flatMap((view) => {
    const picture = input.pictures.find((each) => each.view === view)
    if (!picture) return []
    return [
      html`<figure><figcaption>${captionOf(view, input.facts?.failure != null)}${picture.isAsInWindow ? html` <i>${reportText('caption.asInWindow')}</i>` : null}</figcaption>
<img src="${svgAddress(picture.svg)}" alt="${alternativeOf(view, input)}"></figure>`,
    ]
  })
}
