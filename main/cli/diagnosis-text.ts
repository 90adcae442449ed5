// How diagnoses look on a terminal: one in full, several as a table with the share of each verdict.
import { formatBytes, plainSpaces } from '../../preload/contract/format.ts'
import type { DiagnosedCase } from '../engine/diagnosis/cases.ts'
import { factText } from '../engine/diagnosis/report.ts'
import type { Language } from '../engine/diagnosis/types.ts'
import { printable } from './printable.ts'

const headings = ['file', 'verdict', 'confidence', 'why the request failed', 'evidence'] as const
const maxFileLength = 60
const maxEvidenceLength = 110

const percent = (confidence: number): string => `${Math.round(confidence * 100)} %`
const text = (lines: readonly string[]): string => plainSpaces(`${lines.map(printable).join('\n')}\n`)

/** One line a failure, then how many there are of each verdict. */
export function tableText(cases: readonly DiagnosedCase[], language: Language): string {
  const rows = cases.map((one) => rowOf(one, language))
  const widths = headings.map((heading, at) => Math.max(heading.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  const counts = new Map<string, number>()
  for (const { diagnosis } of cases) counts.set(diagnosis.verdict.label, (counts.get(diagnosis.verdict.label) ?? 0) + 1)
  const shares = [...counts].sort((a, b) => b[1] - a[1]).map(([label, count]) => `  ${count} × ${label} (${percent(count / cases.length)})`)
  return text([line(headings), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line), '', `${cases.length} in all`, ...shares])
}

function rowOf({ file, diagnosis }: DiagnosedCase, language: Language): string[] {
  const { verdict, candidates, situation } = diagnosis
  const [evidence] = candidates[0]?.evidence ?? []
  return [
    file.length > maxFileLength ? `…${file.slice(1 - maxFileLength)}` : file,
    `${verdict.label}${verdict.isUncertain ? ' ?' : ''}`,
    percent(verdict.confidence),
    situation.isFailure ? situation.reason : '',
    (evidence?.text[language] ?? '').slice(0, maxEvidenceLength),
  ]
}

/** Everything that is known of one failure. */
export function caseText({ file, diagnosis }: DiagnosedCase, language: Language): string {
  const { verdict, candidates, situation, advice, needs } = diagnosis
  return text([
    file,
    `  verdict    ${verdict.label}, ${percent(verdict.confidence)}${verdict.isUncertain ? ', uncertain' : ''}`,
    ...situation.facts.map((code) => `  fact       ${factText(code, situation)[language]}`),
    ...candidates.flatMap(({ label, confidence, evidence }) => [
      `  ${label}, ${percent(confidence)}`,
      ...evidence.map((proof) => `    ${proof.text[language]}`),
    ]),
    ...advice.map(
      ({ text: words, gainBytes }) => `  try        ${words[language]}${gainBytes === null ? '' : ` (${formatBytes(gainBytes)})`}`,
    ),
    ...needs.map((need) => `  needed     ${need[language]}`),
  ])
}
