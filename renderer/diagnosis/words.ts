// The page's words: what labels, reasons and numbers are called, and its sentences in the language shown.
import type { DiagnosisAdvice, DiagnosisEvidence, DiagnosisPage, VerdictLabel } from '../../preload/contract/diagnosis.ts'
import type { Language } from '../../preload/contract/language.ts'
import { formatBytes, formatCount, formatPercent, unknownValue } from '../i18n/format.ts'
import { currentLanguage } from '../i18n/language.ts'
import { type Translate, textsOf, useTexts } from '../i18n/part-texts.ts'

export const diagnosisText = textsOf('diagnosis')

/** The texts in React; the component is drawn again when the language changes. */
export const useDiagnosisTexts = (): Translate<'diagnosis'> => useTexts(diagnosisText)

/** A sentence of the engine in the language shown. */
const inLanguage = (sentence: Readonly<Record<Language, string>>): string => sentence[currentLanguage()]

/** A sentence of the engine as one that stands alone: with a capital letter, where it does not begin with a name of code. */
export const asSentence = (sentence: Readonly<Record<Language, string>>): string => {
  const text = inLanguage(sentence)
  return /^[a-z]+[\s,:]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text
}

/** What may help first, what is known not to last. */
export const advised = (advice: readonly DiagnosisAdvice[]): readonly DiagnosisAdvice[] => [
  ...advice.filter(({ avoidsFailure }) => avoidsFailure !== false),
  ...advice.filter(({ avoidsFailure }) => avoidsFailure === false),
]

/** Sentences in a row; Chinese ones stand without spaces between them. */
const inRow = (...sentences: readonly string[]): string => sentences.join(currentLanguage() === 'zh-CN' ? '' : ' ')

/** "Fragmentation". */
export const labelName = (label: VerdictLabel): string => diagnosisText(`label.${label}`)

const degrees = [
  { least: 0.8, degree: 'high' },
  { least: 0.5, degree: 'medium' },
  { least: 0, degree: 'low' },
] as const

/** "high, 95 %". */
export function confidenceText(confidence: number): string {
  const { degree } = degrees.find(({ least }) => confidence >= least) ?? degrees[2]
  return diagnosisText(`confidence.${degree}`, { share: formatPercent(confidence) })
}

/** True where the verdict names a cause. */
export const hasCause = ({ verdict }: DiagnosisPage): boolean => verdict.label !== 'healthy' && verdict.label !== 'not_enough_evidence'

export const bytesText = (bytes: number | null): string => (bytes === null ? unknownValue : formatBytes(bytes))

/** The number of an evidence as it is shown large. */
export function valueText({ value, unit }: Pick<DiagnosisEvidence, 'value' | 'unit'>): string {
  if (typeof value === 'string') return value
  switch (unit) {
    case 'bytes':
      return formatBytes(value)
    case 'bytes/step':
      return diagnosisText('unit.perStep', { value: formatBytes(value) })
    case 'share':
      return formatPercent(value)
    case 'ratio':
      return `${plainNumber(value)}\u00a0×`
    case 'steps':
      return diagnosisText('unit.steps', { count: value, formatted: formatCount(value) })
    default:
      return plainNumber(value)
  }
}

const mostDigits = 1e7

/** Whole numbers whole while they are short, others with three significant digits: 1,204 or 0.42. */
export const plainNumber = (value: number): string => {
  const size = Math.abs(value)
  if (size >= mostDigits || (size > 0 && size < 1e-3)) return value.toExponential(2)
  return Number.isInteger(value) || size >= 1000 ? formatCount(value) : String(Number(value.toPrecision(3)))
}

/** A value of a curve of the metrics for people. */
export const curveValue = (value: number, unit: 'bytes' | 'number'): string => (unit === 'bytes' ? formatBytes(value) : plainNumber(value))

/** Which word says whether a fact holds. */
export const holdsKey = ({ holds }: DiagnosisPage['situation']['facts'][number]) =>
  holds === null ? 'holds.unknown' : holds ? 'holds.yes' : 'holds.no'

/** What happened, in one sentence with the number first. */
export function headline({ situation, growing }: DiagnosisPage): string {
  const { isFailure, reason, requestedBytes, isLimitKnown } = situation
  const bytes = {
    requested: bytesText(requestedBytes),
    allocated: bytesText(situation.allocatedBytes),
    limit: bytesText(situation.limitBytes),
    reserved: bytesText(situation.reservedBytes),
    free: bytesText(situation.freeBytes),
    largest: bytesText(situation.largestFreeBytes),
    outside: bytesText(situation.outsideBytes),
  }
  if (!isFailure) {
    if (situation.allocatedBytes === null) return diagnosisText('headline.noFailure')
    return diagnosisText(growing.length > 0 ? 'headline.noFailureGrowing' : 'headline.noFailurePeak', bytes)
  }
  if (requestedBytes === null) return diagnosisText('headline.noRequest')
  if (reason === 'no_contiguous_block' && situation.freeBytes !== null && situation.largestFreeBytes !== null)
    return diagnosisText('headline.noContiguousBlock', bytes)
  if (reason === 'outside_pytorch' && situation.outsideBytes !== null) return diagnosisText('headline.outside', bytes)
  if (situation.allocatedBytes !== null && situation.limitBytes !== null && reason !== 'unknown')
    return diagnosisText(isLimitKnown ? 'headline.exhausted' : 'headline.exhaustedUnknownLimit', bytes)
  return diagnosisText('headline.unknown', bytes)
}

/** How the verdict's mechanism works, and what was missing for the request. */
export function explanation({ verdict: { label }, situation, neededBytes }: DiagnosisPage): string {
  const key = situation.reason === 'no_contiguous_block' ? 'request.neededPiece' : 'request.needed'
  const missing = neededBytes === null || neededBytes <= 0 ? [] : [diagnosisText(key, { bytes: formatBytes(neededBytes) })]
  return inRow(diagnosisText(`mechanism.${label}`), ...missing)
}
