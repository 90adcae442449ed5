// The page as HTML: a file of its own, and the first section of a report.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { DiagnosisPage } from '../../preload/contract/diagnosis.ts'
import { svgAddress } from '../report/figure.ts'
import { type Html, html } from '../report/html.ts'
import type { ReportDiagnosis } from '../report/input.ts'
import { sheetHtml } from '../report/sheet.ts'
import { shortPath } from '../report/words.ts'
import { type Block, type DocumentSection, documentOf, documentTitle } from './document.ts'
import { labelName, diagnosisText as t } from './words.ts'

/** What the report tells in sections of its own. */
const ofReport: readonly DocumentSection['name'][] = ['settings', 'file', 'method']

interface SectionOptions {
  readonly capture: CaptureSummary
  readonly shortPaths: boolean
}

/** The section of a report. */
export function diagnosisSection({ page, sumSvg }: ReportDiagnosis, { capture, shortPaths }: SectionOptions): Html {
  const sections = documentOf(shortPaths ? withShortPaths(page) : page, capture).filter(({ name }) => !ofReport.includes(name))
  return html`${sections.map(({ title, blocks }) => html`${title === '' ? null : html`<h3>${title}</h3>`}${blocksHtml(blocks, sumSvg)}`)}`
}

interface PageOptions {
  readonly capture: CaptureSummary | undefined
  readonly sumSvg: string | undefined
  readonly lead: string // by which program and when it was made
  readonly version: string
}

/** The page as a file of its own, in the language shown. */
export function diagnosisHtml(page: DiagnosisPage, { capture, sumSvg, lead, version }: PageOptions): string {
  const title = documentTitle(page)
  return sheetHtml({
    title,
    heading: html`<bdi>${title}</bdi>`,
    lead: html`${lead}`,
    sections: documentOf(page, capture).map(({ name, title, blocks }) => ({
      id: name,
      title: title === '' ? labelName(page.verdict.label) : title,
      content: html`${blocksHtml(blocks, sumSvg)}`,
    })),
    version,
  })
}

const blocksHtml = (blocks: readonly Block[], sumSvg: string | undefined): Html[] => blocks.map((block) => blockHtml(block, sumSvg))

function blockHtml(block: Block, sumSvg: string | undefined): Html {
  switch (block.kind) {
    case 'paragraph':
      return html`<p>${block.text}</p>`
    case 'strong':
      return html`<p class="verdict">${block.text}</p>`
    case 'text':
    case 'code':
      return html`<pre>${block.text}</pre>`
    case 'list':
      return html`<ul>${block.items.map((item) => html`<li>${item}</li>`)}</ul>`
    case 'steps':
      return html`<ol class="steps">${block.items.map((blocks) => html`<li>${blocksHtml(blocks, undefined)}</li>`)}</ol>`
    case 'table':
      return tableHtml(block)
    default:
      // The table below says the same, so that the picture needs no text of its own.
      return sumSvg === undefined ? html`` : html`<figure><img src="${svgAddress(sumSvg)}" alt="${t('section.arithmetic')}"></figure>`
  }
}

function tableHtml({ head, rows, numbers }: Extract<Block, { readonly kind: 'table' }>): Html {
  const cellOf = (text: string, at: number) => {
    if (at === 0) return html`<th scope="row">${text}</th>`
    return numbers.includes(at) ? html`<td class="n">${text}</td>` : html`<td>${text}</td>`
  }
  const headOf = (text: string, at: number) => (numbers.includes(at) ? html`<th class="n">${text}</th>` : html`<th>${text}</th>`)
  return html`<div class="scroll"><table><thead><tr>${head.map(headOf)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map(cellOf)}</tr>`)}</tbody></table></div>`
}

const pathInFrame = /\((.+)(:\d+\))$/
const pathInQuotes = /(?<=["'])(?:\/|[A-Za-z]:\\)[^"'\n]+(?=["'])/g

/** Paths of frames and of the error's traceback cut to their last two parts. */
export function withShortPaths(page: DiagnosisPage): DiagnosisPage {
  const { request, errorText } = page
  return {
    ...page,
    request: request && {
      ...request,
      frames: request.frames.map((frame) => frame.replace(pathInFrame, (_, path: string, line: string) => `(${shortPath(path)}${line}`)),
    },
    errorText: errorText && { ...errorText, text: errorText.text.replace(pathInQuotes, shortPath) },
  }
}
