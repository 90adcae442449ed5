// What a page was made from, in words.
import type { DiagnosisPage, DiagnosisSource } from '../../preload/contract/diagnosis.ts'
import { formatBytes } from '../i18n/format.ts'
import { asSentence, diagnosisText as t } from './words.ts'

/** "metrics.jsonl". */
export const sourceName = ({ name }: DiagnosisSource): string => (name === '' ? t('source.pasted') : name)

/** What it is, or why it was not read. */
export const sourceUse = ({ kind, use, why }: DiagnosisSource): string =>
  why ? asSentence(why) : use === 'read' ? t(`source.kind.${kind}`) : t(`source.use.${use}`)

/** "metrics.jsonl: metrics of its steps". */
export const sourceLine = (source: DiagnosisSource): string => t('source.line', { name: sourceName(source), use: sourceUse(source) })

/** Why PyTorch's own message names another size than the request's; null where it names the same. */
export function saidSizeText({ requestedBytes, segmentBytes }: DiagnosisPage['situation']): string | null {
  if (requestedBytes === null || segmentBytes === null || requestedBytes === segmentBytes) return null
  return t('request.said', { requested: formatBytes(requestedBytes), segment: formatBytes(segmentBytes) })
}
