// Free memory inside PyTorch: pictures, measures with their definitions, groups, what pins segments.
import type { ReportMoment } from '../../preload/contract/report.ts'
import { formatBytes, formatCount, formatShare } from '../i18n/format.ts'
import { type Html, html, joined } from '../sheet/html.ts'
import { groupCell, groupName } from '../space/group-cells.ts'
import { groupRows } from '../space/groups.ts'
import { cachedOf, measuresOf } from '../space/measures.ts'
import { stacksOf, stackWords } from '../space/pins.ts'
import { tilesOf } from '../space/tiles.ts'
import { figures } from './figure.ts'
import { whenText } from './held-section.ts'
import { type DeviceInput, mainMoment } from './input.ts'
import { bytes, bytesCell, fragmentationText, reportText, say } from './words.ts'

type Space = NonNullable<ReportMoment['space']>

/** Nothing where the file does not say where memory lies. */
export function spaceSection(input: DeviceInput): Html | null {
  const main = mainMoment(input.facts)
  const space = main?.moment.space
  if (!main || !space) return null
  const measures = measuresOf(space.totals, main.moment.event)
  const cached = cachedOf(measures)
  const when = whenText(main.name, main.moment)
  return html`<p>${say('space.intro', {
    when: reportText(`when.${main.name}`),
    reserved: bytes(measures.reserved),
    segments: formatCount(space.totals.segments),
    cached: bytes(cached),
    share: formatShare(cached, measures.reserved),
  })}${main.failure?.fit ? html` ${say('space.usable', { usable: bytes(main.failure.fit.free.bytes) })}` : null}</p>
${measuresTable(space, main.moment.event, main.failure?.sizeBytes)}
<h3>${reportText('space.groups', { when })}</h3><p class="lead">${reportText('space.groupsNote')}</p>${groupsTable(space, main.moment.event)}
${figures(input, 'fragmentation')}
${figures(input, 'blocks')}
<h3>${reportText('space.pins', { when })}</h3>${pinsTable(space)}`
}

function measuresTable({ totals }: Space, event: number, requestBytes: number | undefined): Html {
  const rows = tilesOf(measuresOf(totals, event), requestBytes, fragmentationText).map(
    ({ label, value, exact, note, definition }) =>
      html`<tr><th scope="row">${label}</th><td class="n" title="${exact}">${value}</td><td>${note}</td><td>${definition}</td></tr>`,
  )
  return html`<div class="scroll"><table><thead><tr><th>${reportText('column.measure')}</th><th class="n">${reportText('column.value')}</th>
<th>${reportText('column.share')}</th><th>${reportText('column.meaning')}</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

const columns = ['segments', 'reserved', 'active', 'cached', 'largestFree', 'external'] as const

function groupsTable(space: Space, event: number): Html {
  const rows = groupRows(space, event).map((row) => {
    const cells = columns.map((column) => {
      const [short, exact] = groupCell(row, column)
      return html`<td class="n" title="${exact}">${short}</td>`
    })
    return html`<tr><th scope="row">${groupName(row, fragmentationText)}</th>${cells}</tr>`
  })
  return html`<div class="scroll"><table><thead><tr><th>${fragmentationText('column.group')}</th>
${columns.map((column) => html`<th class="n">${fragmentationText(`column.${column}`)}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`
}

const maxStacksOfPin = 4

function pinsTable({ pins }: Space): Html {
  if (pins.length === 0) return html`<p>${reportText('space.pinsNone')}</p>`
  const rows = pins.map((pin) => {
    const stacks = stacksOf(pin)
    const words = stacks.slice(0, maxStacksOfPin).map((stack) => stackWords(stack, fragmentationText))
    return html`<tr><th scope="row"><code>${pin.segmentAddress}</code></th>${bytesCell(pin.totalBytes)}${bytesCell(pin.freeBytes)}
<td class="n">${formatBytes(pin.activeBytes)}</td><td>${joined(stacks.length > maxStacksOfPin ? [...words, '…'] : words, html`<br>`)}</td></tr>`
  })
  return html`<div class="scroll"><table><thead><tr><th>${reportText('column.segment')}</th><th class="n">${fragmentationText('pins.total')}</th>
<th class="n">${fragmentationText('pins.free')}</th><th class="n">${fragmentationText('column.active')}</th>
<th>${fragmentationText('pins.keptBy')}</th></tr></thead><tbody>${rows}</tbody></table></div>`
}
