// A report as one HTML file: its sections in their order.
import type { DocumentSection } from '../diagnosis/document.ts'
import { diagnosisPart } from '../diagnosis/document-html.ts'
import { type Html, html } from '../sheet/html.ts'
import { type SheetSection, sheetHtml } from '../sheet/sheet.ts'
import { utcMinute } from '../sheet/words.ts'
import { figures } from './figure.ts'
import { heldSection } from './held-section.ts'
import { type DeviceInput, isDiagnosed, type ReportInput } from './input.ts'
import { findingsSection, glossarySection, methodSection, settingsSection } from './method-section.ts'
import { spaceSection } from './space-section.ts'
import { summarySection } from './summary-section.ts'
import { livesSection, timeSection } from './time-section.ts'
import { verdictParts, verdictSection } from './verdict-section.ts'
import { reportText, say, sentences } from './words.ts'

type SectionName =
  | 'diagnosis'
  | 'summary'
  | 'notes'
  | 'held'
  | 'evidence'
  | 'advice'
  | 'request'
  | 'trace'
  | 'time'
  | 'flame'
  | 'space'
  | 'lives'
  | 'findings'
  | 'settings'
  | 'method'
  | 'glossary'

interface Section {
  readonly name: SectionName
  readonly title?: string // where the usual one does not fit
  readonly content: Html | null
}

/** With a diagnosis of its failure the report begins with it, and tells what held the memory right after; else with the summary. */
function sectionsOf(input: ReportInput): readonly SheetSection[] {
  const all: readonly Section[] = [...(isDiagnosed(input) ? diagnosed(input) : summarised(input)), ...appendix(input)]
  return all.flatMap(({ name, title, content }) => (content ? [{ id: name, title: title ?? reportText(`section.${name}`), content }] : []))
}

/** Only of captures with memory. */
function ofDevice(input: ReportInput, section: (about: DeviceInput) => Html | null): Html | null {
  const { device, facts } = input
  return device && facts ? section({ ...input, device, facts }) : null
}

/** The failure first: verdict and arithmetic, what held the memory then, the evidence, what to try; then the pictures. */
const diagnosed = (input: ReportInput): readonly Section[] => [
  { name: 'diagnosis', content: ofDevice(input, verdictSection) },
  { name: 'notes', content: notesSection(input) },
  { name: 'held', title: reportText('section.heldAtFailure'), content: ofDevice(input, heldSection) },
  { name: 'evidence', content: partOf(input, (name) => !toldElsewhere.has(name)) },
  { name: 'advice', content: partOf(input, (name) => adviceParts.has(name), reportText('section.advice')) },
  { name: 'request', content: partOf(input, (name) => requestParts.has(name)) },
  { name: 'trace', content: pictures(input, 'trace') },
  { name: 'time', content: ofDevice(input, timeSection) },
  { name: 'flame', content: pictures(input, 'flame') },
]

const summarised = (input: ReportInput): readonly Section[] => [
  { name: 'diagnosis', content: partOf(input, (name) => !reportParts.has(name)) },
  { name: 'summary', content: summarySection(input) },
  { name: 'notes', content: notesSection(input) },
  { name: 'trace', content: pictures(input, 'trace') },
  { name: 'time', content: ofDevice(input, timeSection) },
  { name: 'held', content: ofDevice(input, heldSection) },
  { name: 'flame', content: pictures(input, 'flame') },
]

const appendix = (input: ReportInput): readonly Section[] => [
  { name: 'space', content: ofDevice(input, spaceSection) },
  { name: 'lives', content: ofDevice(input, livesSection) },
  { name: 'findings', content: findingsSection(input) },
  { name: 'settings', content: settingsSection(input) },
  { name: 'method', content: methodSection(input) },
  { name: 'glossary', content: glossarySection(input) },
]

type PartName = DocumentSection['name']
const adviceParts: ReadonlySet<PartName> = new Set(['advice', 'needs'])
const requestParts: ReadonlySet<PartName> = new Set(['request', 'errorText', 'moment'])
/** What the report tells in sections of its own. */
const reportParts: ReadonlySet<PartName> = new Set(['settings', 'file', 'method'])
const toldElsewhere: ReadonlySet<PartName> = new Set([...verdictParts, ...adviceParts, ...requestParts, ...reportParts, 'held'])

const partOf = (input: ReportInput, told: (name: PartName) => boolean, heading?: string): Html | null =>
  input.diagnosis ? diagnosisPart(input.diagnosis, input, told, heading) : null

function pictures(input: ReportInput, view: 'trace' | 'flame'): Html | null {
  const all = figures(input, view)
  return all.length > 0 ? html`${all}` : null
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
