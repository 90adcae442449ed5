// What held the memory at the moment that matters: pictures, stacks, allocations, categories where they are known.
import type { DeviceSummary } from '../../preload/contract/capture.ts'
import { isTold } from '../../preload/contract/categories.ts'
import type { ReportCategories, ReportFailure, ReportFrames, ReportMoment } from '../../preload/contract/report.ts'
import { formatCount, formatShare } from '../i18n/format.ts'
import { type Html, html, joined } from '../sheet/html.ts'
import { shortPath } from '../sheet/words.ts'
import { type DeviceInput, isDiagnosed, type MomentName, mainMoment } from './input.ts'
import { bytes, bytesCell, code, countCell, reportText, say, stackName } from './words.ts'

/** Nothing where the capture holds no memory. */
export function heldSection(input: DeviceInput): Html {
  const main = mainMoment(input.facts)
  if (!main) return html``
  const { moment, name, failure } = main
  const when = whenText(name, moment)
  const { peak } = input.facts
  return html`<p>${say('held.total', { when: reportText(`when.${name}`), event: eventText(moment), allocated: bytes(moment.allocatedBytes) })}</p>
${failure && !isDiagnosed(input) ? failedStack(input, failure) : null}
${input.categories?.length ? categoriesPart(input.device, input.categories, moment.allocatedBytes, when) : null}
<h3>${say('held.byStack', { when })}</h3>
<p class="lead">${say('held.caption')}</p>
${stacksTable(input, moment, true)}
${name === 'failure' && peak && isHigher(peak, moment) ? peakPart(input, peak, moment) : null}
<h3>${say('held.largest', { when })}</h3>
${largestTable(input, moment)}`
}

const inMoment = { failure: 'when.inFailure', peak: 'when.inPeak', dump: 'when.inDump' } as const

const eventText = ({ event }: ReportMoment): string =>
  event < 0 ? reportText('when.beforeFirst') : reportText('when.event', { event: formatCount(event) })

/** "when memory ran out (event 12)": beside each table, so that no number stands without its moment. */
export const whenText = (name: MomentName, moment: ReportMoment): string => reportText(inMoment[name], { event: eventText(moment) })

function failedStack({ capture, shortPaths }: DeviceInput, failure: ReportFailure): Html | null {
  const { stack } = failure
  if (stack.frames.length === 0) return null
  return html`<h3>${reportText('oom.stack')}</h3><p>${stackName(failure, capture)} ← ${frameChain(stack, shortPaths)}</p>`
}

/** Callers from the innermost outwards. */
function frameChain({ frames, leftOut }: ReportFrames, isShort: boolean): Html {
  if (frames.length === 0) return html`<i>${reportText('frames.none')}</i>`
  const lines = frames.map(({ name, filename, line, kind }) => {
    const file = isShort ? shortPath(filename) : filename
    const place = file === '' || file === '??' ? '' : line > 0 ? `${file}:${line}` : file
    return html`<span class="${kind}">${code(cut(name))} <span class="w">${place}</span></span>`
  })
  const more =
    leftOut > 0 ? [html`<span class="w">${reportText('frames.more', { count: leftOut, formatted: formatCount(leftOut) })}</span>`] : []
  return joined([...lines, ...more], html` ← `)
}

const maxNameLength = 120
const cut = (name: string): string => (name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength - 1)}…`)

function stacksTable({ capture, shortPaths }: DeviceInput, { stacks, allocatedBytes }: ReportMoment, hasCallers: boolean): Html {
  const rows = stacks.map((stack) => {
    const callers = hasCallers ? html`<td class="chain">${frameChain(stack, shortPaths)}</td>` : null
    const cells = [bytesCell(stack.bytes), shareCell(stack.bytes, allocatedBytes), countCell(stack.count)]
    return html`<tr><th scope="row">${stackName(stack, capture)}</th>${cells}${callers}</tr>`
  })
  return html`<div class="scroll"><table class="stacks"><thead><tr><th>${reportText('column.stack')}</th>
<th class="n">${reportText('column.bytes')}</th><th class="n">${reportText('column.ofAllocated')}</th><th class="n">${reportText('column.count')}</th>
${hasCallers ? html`<th>${reportText('column.own')}</th>` : null}</tr></thead><tbody>${rows}</tbody></table></div>`
}

/** The share as a number and as a bar under it. */
function shareCell(part: number, whole: number): Html {
  const fraction = whole > 0 ? Math.min(1, part / whole) : 0
  return html`<td class="n bar" style="--part:${fraction.toFixed(3)}">${formatShare(part, whole)}</td>`
}

const sameStacks = 3

/** Of what was allocated: a peak that was hardly higher tells nothing more. */
const leastHigher = 0.01

const isHigher = (peak: ReportMoment, failure: ReportMoment): boolean =>
  peak.allocatedBytes - failure.allocatedBytes >= leastHigher * failure.allocatedBytes

/** The peak where it is another moment than the failure: in a sentence where the same stacks lead, else as a table of its own. */
function peakPart(input: DeviceInput, peak: ReportMoment, failure: ReportMoment): Html {
  const difference = bytes(peak.allocatedBytes - failure.allocatedBytes)
  const values = { event: eventText(peak), peak: bytes(peak.allocatedBytes), difference }
  const leading = ({ stacks }: ReportMoment) =>
    stacks
      .slice(0, sameStacks)
      .map(({ stackId }) => stackId)
      .sort((a, b) => a - b)
      .join()
  if (leading(peak) === leading(failure)) return html`<p>${say('held.same', values)}</p>`
  return html`<h3>${say('held.peakTitle', values)}</h3><p class="lead">${say('held.atPeak', values)}</p>${stacksTable(input, { ...peak, stacks: peak.stacks.slice(0, 2 * sameStacks) }, false)}`
}

function largestTable({ capture }: DeviceInput, { largest }: ReportMoment): Html {
  const rows = largest.map(
    (each) => html`<tr><th scope="row">${stackName(each, capture)}</th>${bytesCell(each.sizeBytes)}
<td class="n">${each.allocEvent === null ? reportText('beforeHistory') : formatCount(each.allocEvent)}</td><td><code>${each.address}</code></td></tr>`,
  )
  return html`<div class="scroll"><table><thead><tr><th>${reportText('column.stack')}</th><th class="n">${reportText('column.size')}</th>
<th class="n">${reportText('column.since')}</th><th>${reportText('column.address')}</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

function categoriesPart(device: DeviceSummary, categories: ReportCategories, whole: number, when: string): Html {
  if (isTold(categories)) return categoriesTable(categories, whole, when)
  const why = device.noStackCount === device.allocationCount ? 'held.noStacks' : 'held.noRule'
  return html`<h3>${reportText('held.categories', { when })}</h3><p>${reportText(why)}</p>`
}

function categoriesTable(categories: ReportCategories, whole: number, when: string): Html {
  const rows = categories
    .filter((each) => each.bytes > 0)
    .map(
      (each) => html`<tr><th scope="row">${each.title}</th>${bytesCell(each.bytes)}${shareCell(each.bytes, whole)}${countCell(each.count)}
<td>${joined(each.why, html`<br>`)}</td></tr>`,
    )
  return html`<h3>${reportText('held.categories', { when })}</h3><p class="lead">${reportText('held.categoriesNote')}</p>
<div class="scroll"><table><thead><tr><th>${reportText('column.category')}</th><th class="n">${reportText('column.bytes')}</th>
<th class="n">${reportText('column.ofAllocated')}</th><th class="n">${reportText('column.count')}</th><th>${reportText('column.why')}</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}
