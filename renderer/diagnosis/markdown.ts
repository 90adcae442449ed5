// The page as Markdown, for a bug report: who reads it was not there.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { DiagnosisPage } from '../../preload/contract/diagnosis.ts'
import { markdownTable } from '../data/markdown.ts'
import { plainSpaces } from '../i18n/format.ts'
import { type Block, type DocumentSection, documentOf, documentTitle } from './document.ts'

/** What would be emphasis, code, a link or a tag; not an underscore within a name, nor a comparison. */
const markup = /[\\`*[\]]|(?<![^\W_])_|_(?![^\W_])|<(?=[a-z/!?])/gi

/** Text that means itself. */
const plain = (text: string): string =>
  text
    .replace(markup, '\\$&')
    .replace(/^(\s*)([#+>-]|\d+\.)(?=\s)/gm, '$1\\$2')
    .replace(/\r?\n/g, ' ')

/** The same within a table, which itself escapes backslashes and what would end a cell. */
const cell = (text: string): string => text.replace(markup, (mark) => (mark === '\\' ? mark : `&#${mark.charCodeAt(0)};`))

/** A fence longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text.trimEnd()}\n${fence}\n`
}

const indented = (text: string): string => text.trimEnd().replace(/\n(?=[^\n])/g, '\n   ')

function blockText(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return `${plain(block.text)}\n`
    case 'strong':
      return `**${plain(block.text)}**\n`
    case 'text':
    case 'code':
      return fenced(block.text)
    case 'list':
      return block.items.map((item) => `- ${plain(item)}\n`).join('')
    case 'steps':
      return block.items.map((blocks, at) => `${at + 1}. ${indented(blocks.map(blockText).join('\n'))}\n`).join('')
    case 'table':
      return markdownTable(
        block.head.map(cell),
        block.rows.map((cells) => cells.map(cell)),
        (column) => block.numbers.includes(column),
      )
    default:
      return '' // a picture has no place in a text; its numbers follow as a table
  }
}

function sectionText({ title, blocks }: DocumentSection): string {
  const head = title === '' ? [] : [`## ${plain(title)}\n`]
  return [...head, ...blocks.map(blockText).filter((text) => text !== '')].join('\n')
}

/** The whole page. `lead`: by which program and when it was made. */
export function diagnosisMarkdown(page: DiagnosisPage, capture: CaptureSummary | undefined, lead: string): string {
  const parts = [`# ${plain(documentTitle(page))}\n`, ...documentOf(page, capture).map(sectionText), `${plain(lead)}\n`]
  return plainSpaces(parts.join('\n'))
}
