// A report as one HTML file: its sections in their order.
import { diagnosisSection } from '../diagnosis/document-html.ts'
import { figures } from './figure.ts'
import { heldSection } from './held-section.ts'
import { type Html, html } from './html.ts'
import type { ReportInput } from './input.ts'
import { findingsSection, methodSection, settingsSection } from './method-section.ts'
import { type SheetSection, sheetHtml } from './sheet.ts'
import { spaceSection } from './space-section.ts'
import { summarySection } from './summary-section.ts'
import { livesSection, timeSection } from './time-section.ts'
import { reportText, say, sentences, utcMinute } from './words.ts'

type SectionName = 'diagnosis' | 'summary' | 'notes' | 'time' | 'held' | 'space' | 'lives' | 'trace' | 'findings' | 'settings' | 'method'

interface Section {
  readonly name: SectionName
  readonly content: Html | null
}

function sectionsOf(input: ReportInput): readonly SheetSection[] {
  const { device, facts } = input
  const about = device && facts ? { ...input, device, facts } : undefined
  const trace = figures(input, 'trace')
  const all: readonly Section[] = [
    { name: 'diagnosis', content: input.diagnosis ? diagnosisSection(input.diagnosis, input) : null },
    { name: 'summary', content: summarySection(input) },
    { name: 'notes', content: notesSection(input) },
    { name: 'trace', content: trace.length > 0 ? html`${trace}` : null },
    { name: 'time', content: about ? timeSection(about) : null },
    { name: 'held', content: about ? heldSection(about) : null },
    { name: 'space', content: about ? spaceSection(about) : null },
    { name: 'lives', content: about ? livesSection(about) : null },
    { name: 'findings', content: findingsSection(input) },
    { name: 'settings', content: settingsSection(input) },
    { name: 'method', content: methodSection(input) },
  ]
  return all.flatMap(({ name, content }) => (content ? [{ id: name, title: reportText(`section.${name}`), content }] : []))
}

/** Notes as they were typed: an empty line ends a paragraph. */
function notesSection({ notes }: ReportInput): Html | null {
  const paragraphs = notes.flatMap((note) => note.split(/\n\s*\n/)).filter((paragraph) => paragraph.trim() !== '')
  return paragraphs.length === 0 ? null : html`<div class="notes">${paragraphs.map((paragraph) => html`<p>${paragraph.trim()}</p>`)}</div>`
}

/** The whole file, in the language shown. */
export function reportPage(input: ReportInput): string {
  const { capture, madeAtMs, version } = input
  const recorded = capture.startUnixUs === null ? null : say('recorded', { date: utcMinute(capture.startUnixUs / 1000) })
  return sheetHtml({
    title: reportText('title', { name: capture.sourceName }),
    heading: say('title', { name: html`<bdi>${capture.sourceName}</bdi>` }),
    lead: sentences(recorded, say('madeBy', { app: `Tidemark ${version}`, date: utcMinute(madeAtMs) })),
    sections: sectionsOf(input),
    version,
  })
}
