// Words that several parts of a report share.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { ReportStack } from '../../preload/contract/report.ts'
import { formatBytes, formatBytesLong, formatCount } from '../i18n/format.ts'
import { currentLanguage } from '../i18n/language.ts'
import { type Translate, textsOf } from '../i18n/part-texts.ts'
import { type Html, type HtmlValue, html, joined, sentence } from '../sheet/html.ts'
import { reportText } from '../sheet/words.ts'

export { reportText }

export const fragmentationText = textsOf('fragmentation')
export type ReportKey = Parameters<Translate<'report'>>[0]

/** A sentence with values that may be markup. */
export const say = (key: ReportKey, values: Readonly<Record<string, HtmlValue>> = {}): Html =>
  sentence((marks) => reportText(key, marks), values)

/** A sentence in the form that a number asks for; `formatted` is the number for people. */
export const sayCount = (key: ReportKey, count: number, values: Readonly<Record<string, HtmlValue>> = {}): Html =>
  sentence((marks) => reportText(key, { ...marks, count }), { formatted: strong(formatCount(count)), ...values })

export const strong = (text: string): Html => html`<b>${text}</b>`
export const code = (text: string): Html => html`<code>${text}</code>`

/** Bytes for people, all digits in the tooltip. */
export const bytes = (value: number): Html => html`<b class="n" title="${formatBytesLong(value)}">${formatBytes(value)}</b>`

/** The same in a table. */
export const bytesCell = (value: number): Html => html`<td class="n" title="${formatBytesLong(value)}">${formatBytes(value)}</td>`
export const countCell = (value: number): Html => html`<td class="n">${formatCount(value)}</td>`

/** What a stack is called: its telling frame and place. In a trace what has no stack may be older than the recording. */
export function stackName({ title, place }: Pick<ReportStack, 'title' | 'place'>, { trace }: Pick<CaptureSummary, 'trace'>): Html {
  if (title === '') return html`<i>${reportText(trace ? 'held.beforeOrNoStack' : 'held.noStack')}</i>`
  return place === '' ? code(title) : html`${code(title)} <span class="w">${place}</span>`
}

/** Sentences in a row; Chinese ones stand without spaces between them. */
export function sentences(...all: readonly (Html | null)[]): Html {
  const said = all.filter((each): each is Html => each !== null && each.text !== '')
  return joined(said, currentLanguage() === 'zh-CN' ? html`` : html` `)
}
