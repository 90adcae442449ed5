// A report as one HTML file: no script, nothing fetched, readable on a screen of any width and on paper.
import { currentLanguage } from '../i18n/language.ts'
import { figures } from './figure.ts'
import { heldSection } from './held-section.ts'
import { type Html, html } from './html.ts'
import type { ReportInput } from './input.ts'
import { findingsSection, methodSection, settingsSection } from './method-section.ts'
import { spaceSection } from './space-section.ts'
import { pageStyle } from './style.ts'
import { summarySection } from './summary-section.ts'
import { livesSection, timeSection } from './time-section.ts'
import { reportText, say, sentences, utcMinute } from './words.ts'

/** What the page may load: the pictures in it, and nothing from anywhere. */
const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"

type SectionName = 'summary' | 'notes' | 'time' | 'held' | 'space' | 'lives' | 'trace' | 'findings' | 'settings' | 'method'

interface Section {
  readonly name: SectionName
  readonly content: Html | null
}

function sectionsOf(input: ReportInput): readonly Section[] {
  const { device, facts } = input
  const about = device && facts ? { ...input, device, facts } : undefined
  const trace = figures(input, 'trace')
  const all: readonly Section[] = [
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
  return all.filter(({ content }) => content !== null)
}

/** Notes as they were typed: an empty line ends a paragraph. */
function notesSection({ notes }: ReportInput): Html | null {
  const paragraphs = notes.flatMap((note) => note.split(/\n\s*\n/)).filter((paragraph) => paragraph.trim() !== '')
  return paragraphs.length === 0 ? null : html`<div class="notes">${paragraphs.map((paragraph) => html`<p>${paragraph.trim()}</p>`)}</div>`
}

const heading = ({ name }: Section): string => reportText(`section.${name}`)

/** The whole file, in the language shown. */
export function reportPage(input: ReportInput): string {
  const { capture, madeAtMs, version } = input
  const sections = sectionsOf(input)
  const title = reportText('title', { name: capture.sourceName })
  const recorded = capture.startUnixUs === null ? null : say('recorded', { date: utcMinute(capture.startUnixUs / 1000) })
  const page = html`<!doctype html>
<html lang="${currentLanguage()}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Tidemark ${version}">
<title>${title}</title>
<style>${pageStyle}</style>
</head>
<body>
<header><h1>${say('title', { name: html`<bdi>${capture.sourceName}</bdi>` })}</h1>
<p class="w">${sentences(recorded, say('madeBy', { app: `Tidemark ${version}`, date: utcMinute(madeAtMs) }))}</p></header>
<nav aria-label="${reportText('contents')}"><ol>${sections.map((section) => html`<li><a href="#${section.name}">${heading(section)}</a></li>`)}</ol></nav>
<main>${sections.map(
    (section) => html`
<section id="${section.name}" aria-labelledby="${section.name}-title"><h2 id="${section.name}-title">${heading(section)}</h2>
${section.content}
</section>`,
  )}
</main>
</body>
</html>
`
  return page.text
}
