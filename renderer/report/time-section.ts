// Memory over the whole recording, and how long allocations live.
import { formatCount, formatShare } from '../i18n/format.ts'
import { plotText } from '../i18n/part-texts.ts'
import { type Html, html, joined } from '../sheet/html.ts'
import { figures } from './figure.ts'
import type { DeviceInput } from './input.ts'
import { bytes, bytesCell, code, reportText, say, sayCount } from './words.ts'

const curveNames = ['reserved', 'active', 'allocated', 'requested'] as const

/** Nothing where there is no history. */
export function timeSection(input: DeviceInput): Html | null {
  const { curves } = input.facts
  if (!curves) return null
  // A trace records totals of allocated and reserved memory only.
  const names = curveNames.filter((name) => input.capture.trace === null || name === 'reserved' || name === 'allocated')
  const rows = names.map((name) => {
    const { min, mean, max, maxEvent } = curves[name]
    return html`<tr><th scope="row">${plotText(`curve.${name}`)}</th>${bytesCell(min)}${bytesCell(Math.round(mean))}${bytesCell(max)}
<td class="n">${maxEvent < 0 ? reportText('beforeHistory') : formatCount(maxEvent)}</td></tr>`
  })
  return html`<h3>${reportText('curves.title')}</h3>
<div class="scroll"><table><thead><tr><th>${reportText('curves.curve')}</th><th class="n">${reportText('curves.min')}</th>
<th class="n">${reportText('curves.mean')}</th><th class="n">${reportText('curves.max')}</th><th class="n">${reportText('curves.at')}</th></tr></thead>
<tbody>${rows}</tbody></table></div>
${annotationSentence(input)}
${figures(input, 'timeline')}`
}

function annotationSentence({ facts: { annotations, annotationCount } }: DeviceInput): Html | null {
  if (annotationCount === 0) return null
  const listed = annotations.reduce((sum, { count }) => sum + count, 0)
  const names = annotations.map(({ name, count }) => say('curves.annotation', { name: code(name), count: formatCount(count) }))
  return html`<p>${sayCount('curves.annotations', annotationCount, {
    names: joined(listed < annotationCount ? [...names, '…'] : names, html`, `),
  })}</p>`
}

const endsWithFailure = ({ device, facts }: DeviceInput): boolean => facts.failure?.moment.event === device.eventCount - 1

/** Nothing where no allocation is known by its life. */
export function livesSection(input: DeviceInput): Html | null {
  const { made, temporary, neverFreed } = input.facts
  if (input.facts.curves === null) return null
  return html`<ul>
<li>${say('lives.made', { made: formatCount(made.count), bytes: bytes(made.bytes) })}</li>
<li>${say('lives.temporary', {
    count: formatCount(temporary.count),
    share: formatShare(temporary.count, made.count),
    events: formatCount(input.temporaryEvents),
    bytes: bytes(temporary.bytes),
  })}</li>
<li>${say(endsWithFailure(input) ? 'lives.heldAtFailure' : 'lives.neverFreed', { count: formatCount(neverFreed.count), bytes: bytes(neverFreed.bytes) })}</li>
</ul>
${figures(input, 'lifetimes')}`
}
