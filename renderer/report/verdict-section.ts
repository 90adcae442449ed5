// The head of a report of a failure: the verdict with its arithmetic, and what a reader needs to know of the capture.
import { type DocumentSection, noFramesKey } from '../diagnosis/document.ts'
import { diagnosisPart } from '../diagnosis/document-html.ts'
import { diagnosisText } from '../diagnosis/words.ts'
import { type Html, html } from '../sheet/html.ts'
import { type DeviceInput, mainMoment } from './input.ts'
import { captureParagraph, devicesTable, failureParagraph, heldSentence, trustSentences } from './summary-section.ts'
import { say } from './words.ts'

/** Sections of the diagnosis that stand here. */
export const verdictParts: ReadonlySet<DocumentSection['name']> = new Set(['verdict', 'arithmetic'])

/** Nothing without a diagnosis. */
export function verdictSection(about: DeviceInput): Html | null {
  const { diagnosis, facts } = about
  const main = mainMoment(facts)
  if (!diagnosis || !main?.failure) return null
  return html`${diagnosisPart(diagnosis, about, (name) => name === 'verdict')}
${failureParagraph(about, main.failure, diagnosisText(noFramesKey(diagnosis.page.work)))}
<p>${heldSentence(about, main)}</p>
${diagnosisPart(diagnosis, about, (name) => name === 'arithmetic')}
${captureParagraph(about)}
<p>${trustSentences(about)}</p>
<p class="primer">${say('primer')}</p>
${about.capture.devices.length > 1 ? devicesTable(about) : null}`
}
