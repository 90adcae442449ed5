// How diagnoses look on a terminal: one in full, several as a table with the patterns that they fall into.
import type { VerdictLabel } from '../../preload/contract/diagnosis.ts'
import { formatBytes, plainSpaces } from '../../preload/contract/format.ts'
import type { DiagnosedCase } from '../engine/diagnosis/cases.ts'
import { factText } from '../engine/diagnosis/fact-states.ts'
import { patternsOf } from '../engine/diagnosis/patterns.ts'
import type { Advice, Language } from '../engine/diagnosis/types.ts'
import { type Heading, headingText, labelText, reasonText } from '../engine/diagnosis/words/labels.ts'
import { printable } from './printable.ts'
import { padded, tableLine, tableRule, widthsOf } from './terminal-table.ts'

const headings = ['file', 'verdict', 'confidence', 'reason', 'evidence'] as const satisfies readonly Heading[]
const maxFileLength = 60
const maxEvidenceLength = 110
const maxPatterns = 20
/** Room for the longest word of the left column. */
const leftWidth = 11

const percent = (confidence: number): string => `${Math.round(confidence * 100)} %`
const text = (lines: readonly string[]): string => plainSpaces(`${lines.map(printable).join('\n')}\n`)

/** "Memory outside the allocator (context_leak)": the name, and the code by which JSON and documents call it. */
const verdictName = (label: VerdictLabel, language: Language): string => `${labelText(label)[language]} (${label})`

const cut = (words: string): string => (words.length > maxEvidenceLength ? `${words.slice(0, maxEvidenceLength - 1).trimEnd()}…` : words)

/** One line a failure, then the patterns with their shares. */
export function tableText(cases: readonly DiagnosedCase[], language: Language): string {
  const head = headings.map((heading) => headingText(heading)[language])
  const rows = cases.map((one) => rowOf(one, language))
  const widths = widthsOf([head, ...rows])
  const line = (cells: readonly string[]) => tableLine(cells, widths)
  const inAll = headingText('inAll')[language].replace('{count}', String(cases.length))
  return text([line(head), tableRule(widths), ...rows.map(line), '', inAll, ...patternLines(cases, language)])
}

/** The failures by what happened and where, then how many runs did not fail. */
function patternLines(cases: readonly DiagnosedCase[], language: Language): string[] {
  const { patterns, patternOf } = patternsOf(cases)
  const failed = patterns.slice(0, maxPatterns).map(({ label, reason, place, count, share }) => {
    const words = [verdictName(label, language), reasonText(reason)[language], ...(place === '' ? [] : [place])]
    return `  ${count} × ${words.join(' · ')} (${percent(share)})`
  })
  const fine = patternOf.filter((pattern) => pattern === null).length
  return [
    ...failed,
    ...(patterns.length > maxPatterns
      ? [`  ${headingText('morePatterns')[language].replace('{count}', String(patterns.length - maxPatterns))}`]
      : []),
    ...(fine > 0 ? [`  ${fine} × ${headingText('noFailure')[language]}`] : []),
  ]
}

function rowOf({ file, diagnosis }: DiagnosedCase, language: Language): string[] {
  const { verdict, candidates, situation } = diagnosis
  const [evidence] = candidates[0]?.evidence ?? []
  return [
    file.length > maxFileLength ? `…${file.slice(1 - maxFileLength)}` : file,
    `${verdictName(verdict.label, language)}${verdict.isUncertain ? ' ?' : ''}`,
    percent(verdict.confidence),
    situation.isFailure ? reasonText(situation.provedReason)[language] : '',
    cut(evidence?.text[language] ?? ''),
  ]
}

/** Everything that is known of one failure. */
export function caseText({ file, diagnosis }: DiagnosedCase, language: Language): string {
  const { verdict, candidates, situation, advice, needs } = diagnosis
  const left = (heading: Heading): string => `  ${padded(headingText(heading)[language], leftWidth)}`
  const uncertain = verdict.isUncertain ? `, ${headingText('uncertain')[language]}` : ''
  return text([
    file,
    `${left('verdict')}${verdictName(verdict.label, language)}, ${percent(verdict.confidence)}${uncertain}`,
    ...situation.facts.map((code) => `${left('fact')}${factText(code, situation)[language]}`),
    ...candidates.flatMap(({ label, confidence, evidence }) => [
      `  ${verdictName(label, language)}, ${percent(confidence)}`,
      ...evidence.map((proof) => `    ${proof.text[language]}`),
    ]),
    ...advice.map((each) => `${left('try')}${each.text[language]}${gainWords(each, language)}`),
    ...needs.map((need) => `${left('note')}${need[language]}`),
  ])
}

/** " (gains at most 1.07 GiB)"; nothing where it is not known. */
function gainWords({ gainBytes, basis }: Advice, language: Language): string {
  if (gainBytes === null) return ''
  return ` (${headingText(basis === 'most' ? 'gainMost' : 'gain')[language].replace('{bytes}', formatBytes(gainBytes))})`
}
