// The page as HTML: a file of its own, and the first section of a report.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { DiagnosisPage } from '../../preload/contract/diagnosis.ts'
import { type Html, html } from '../sheet/html.ts'
import { sheetHtml } from '../sheet/sheet.ts'
import { svgAddress } from '../sheet/svg-address.ts'
import { reportText, shortPath } from '../sheet/words.ts'
import { type Block, type DocumentSection, documentOf, documentTitle } from './document.ts'
import { labelName, diagnosisText as t } from './words.ts'

/** A page with the bars of its sum, where it has any. */
export interface DrawnDiagnosis {
  readonly page: DiagnosisPage
  readonly sumSvg: string | undefined
}

interface SectionOptions {
  readonly capture: CaptureSummary
  readonly shortPaths: boolean
}

/** What a report shows of the sections that are `told`, each under a heading of its own where `heading`, that of them all, does not say it; null where there is nothing. */
export function diagnosisPart(
  { page, sumSvg }: DrawnDiagnosis,
  { capture, shortPaths }: SectionOptions,
  told: (name: DocumentSection['name']) => boolean,
  heading = '',
): Html | null {
  const sections = documentOf(shortPaths ? withShortPaths(page) : page, capture).filter(({ name }) => told(name))
  if (sections.length === 0) return null
  return html`${sections.map(({ title, blocks }) => html`${title === '' || title === heading ? null : html`<h3>${title}</h3>`}${blocksHtml(blocks, sumSvg)}`)}`
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

type TableBlock = Extract<Block, { readonly kind: 'table' }>

/** A picture and the table after it say the same: the table stands folded under it, and is its text for who cannot see it. */
function blocksHtml(blocks: readonly Block[], sumSvg: string | undefined): Html[] {
  return blocks.map((block, at) => {
    const [before, next] = [blocks[at - 1], blocks[at + 1]]
    if (block.kind === 'figure') return sumSvg === undefined ? html`` : figureHtml(sumSvg, next?.kind === 'table' ? next : undefined)
    if (block.kind !== 'table' || before?.kind !== 'figure' || sumSvg === undefined) return blockHtml(block)
    return html`<details><summary>${reportText('arithmeticTable')}</summary>${tableHtml(block)}</details>`
  })
}

const figureHtml = (svg: string, table: TableBlock | undefined): Html =>
  html`<figure><img src="${svgAddress(svg)}" alt="${[t('section.arithmetic'), ...(table?.rows ?? []).map(rowText)].join('. ')}"></figure>`

/** "allocated + request: 2,080.0 > 2,048.0, 32.0 too much". */
const rowText = ([name = '', , ...said]: readonly string[]): string => `${name}: ${said.join(', ')}`

function blockHtml(block: Exclude<Block, { readonly kind: 'figure' }>): Html {
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
    default:
      return tableHtml(block)
  }
}

function tableHtml({ head, rows, numbers }: TableBlock): Html {
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

/** Such as a warning begins with; not the path of a web address. */
const pathInText = /(?<![\w.:/…])\/(?:[\w.@+-]+\/){2,}[\w.@+-]+/g

const withoutFolders = (text: string): string => text.replace(pathInQuotes, shortPath).replace(pathInText, shortPath)

/** Paths of frames, of the error's text and of what metrics note cut to their last two parts. */
export function withShortPaths(page: DiagnosisPage): DiagnosisPage {
  const { request, errorText, metrics } = page
  return {
    ...page,
    request: request && {
      ...request,
      frames: request.frames.map((frame) => frame.replace(pathInFrame, (_, path: string, line: string) => `(${shortPath(path)}${line}`)),
    },
    errorText: errorText && { ...errorText, text: withoutFolders(errorText.text) },
    metrics: metrics && { ...metrics, others: metrics.others.map((other) => ({ ...other, value: withoutFolders(other.value) })) },
  }
}
