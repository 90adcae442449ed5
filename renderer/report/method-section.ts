// What limits the report, how the allocator was set, how the numbers were made and what they mean.
import { formatBytes, formatCount } from '../i18n/format.ts'
import { plotText, textsOf } from '../i18n/part-texts.ts'
import { findingText } from '../i18n/texts.ts'
import { type Html, html } from '../sheet/html.ts'
import { utcMinute } from '../sheet/words.ts'
import type { ReportInput } from './input.ts'
import { countCell, fragmentationText, reportText } from './words.ts'

const shellText = textsOf('shell')

export function findingsSection({ capture: { findings } }: ReportInput): Html {
  if (findings.length === 0) return html`<p>${reportText('findings.none')}</p>`
  const rows = findings.map((finding) => {
    const { title, cause, next } = findingText(finding)
    return html`<tr><td class="k">${shellText(`findings.severity.${finding.severity}`)}</td><th scope="row">${title}</th><td>${cause} ${next}</td>${countCell(finding.count)}</tr>`
  })
  return html`<p>${reportText('findings.intro')}</p><div class="scroll"><table><thead><tr><th>${reportText('column.severity')}</th>
<th>${reportText('column.finding')}</th><th>${reportText('column.meaning')}</th><th class="n">${reportText('column.times')}</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}

const maxSettings = 100
const maxValueLength = 300

/** Only of snapshots: a trace has no allocator settings. */
export function settingsSection({ capture }: ReportInput): Html | null {
  if (capture.trace) return null
  const settings = Object.entries(capture.settings ?? {}).slice(0, maxSettings)
  if (settings.length === 0) return html`<p>${reportText('settings.none')}</p>`
  const rows = settings.map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return html`<tr><th scope="row"><code>${name}</code></th><td><code>${text.slice(0, maxValueLength)}</code></td></tr>`
  })
  return html`<p>${reportText('settings.intro')}</p><div class="scroll"><table><thead><tr><th>${reportText('column.setting')}</th>
<th>${reportText('column.value')}</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

export function methodSection(input: ReportInput): Html {
  const { capture } = input
  return html`<p>${reportText(capture.trace ? 'method.howTrace' : 'method.how')} ${reportText(input.shortPaths ? 'method.shortPaths' : 'method.fullPaths')}</p>
<dl class="facts">${facts(input).map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** The words that the report uses, in the order in which they build on each other. */
export const glossarySection = (input: ReportInput): Html =>
  html`<dl class="definitions">${definitions(input).map(([term, meaning]) => html`<div><dt>${term}</dt><dd>${meaning}</dd></div>`)}</dl>`

type Pair = readonly [term: string, text: string | Html]

const placeTerms = ['segment', 'block', 'pool', 'pending', 'refused', 'outside'] as const

function definitions({ capture, temporaryEvents }: ReportInput): readonly Pair[] {
  const ofLayout: readonly Pair[] = capture.hasBlocks
    ? [
        [plotText('curve.active'), reportText('define.active')],
        [plotText('curve.requested'), reportText('define.requested')],
        ...placeTerms.map((name): Pair => [reportText(`term.${name}`), reportText(`define.${name}`)]),
        ...(['stranded', 'returnable', 'largestFree'] as const).map(
          (name): Pair => [fragmentationText(`tile.${name}`), fragmentationText(`meaning.${name}`)],
        ),
        [fragmentationText('column.inactiveSplit'), fragmentationText('meaning.inactiveSplit')],
        [fragmentationText('tile.external'), fragmentationText('definition.external')],
        [fragmentationText('tile.rounding'), fragmentationText('definition.rounding')],
      ]
    : []
  return [
    [reportText('devices.events'), reportText('define.event')],
    [reportText('define.stackTerm'), reportText('define.stack')],
    [reportText('term.ownCode'), reportText('define.ownCode')],
    [reportText('term.merged'), reportText('define.merged')],
    [plotText('curve.reserved'), reportText('define.reserved')],
    [plotText('curve.allocated'), reportText('define.allocated')],
    ...ofLayout,
    [shellText('filter.temporary'), reportText('define.temporary', { events: formatCount(temporaryEvents) })],
    [shellText('filter.neverFreed'), reportText('define.neverFreed')],
  ]
}

const facts = ({ capture, version, madeAtMs }: ReportInput): readonly Pair[] => [
  [reportText('method.file'), html`<code>${capture.sourceName}</code>`],
  [reportText('method.format'), capture.formatDetail],
  [reportText('method.size'), formatBytes(capture.sourceBytes)],
  [reportText('method.fingerprint'), html`<code>${capture.fingerprint}</code>`],
  [reportText('method.version'), `Tidemark ${version}`],
  [reportText('method.date'), utcMinute(madeAtMs)],
]
