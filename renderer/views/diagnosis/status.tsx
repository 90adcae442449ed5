// The view's part of the status line.
import { confidenceText, hasCause, labelName, useDiagnosisTexts } from '../../diagnosis/words.ts'
import { formatBytes, formatCount } from '../../i18n/format.ts'
import { Part } from '../../panels/status-part.tsx'
import type { ViewProps } from '../view.ts'
import { useDiagnosis } from './diagnosis-data.ts'

/** The verdict in short. */
export function DiagnosisStatus({ capture }: ViewProps) {
  const t = useDiagnosisTexts()
  const { page, failure, isPending } = useDiagnosis(capture.captureId)
  if (failure) return null
  if (!page || isPending) return <span>{t('status.asking')}</span>
  const { verdict, candidates, neededBytes } = page
  return (
    <>
      <Part label={t('status.verdict')}>
        {labelName(verdict.label)}
        {hasCause(page) && ` (${confidenceText(verdict.confidence)})`}
      </Part>
      <Part label={t('status.evidence')}>{formatCount(candidates[0]?.evidence.length ?? 0)}</Part>
      {neededBytes !== null && neededBytes > 0 && <Part label={t('status.needed')}>{formatBytes(neededBytes)}</Part>}
    </>
  )
}
