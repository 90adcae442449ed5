// The view's part of the status line.
import { formatTime } from '../../i18n/format.ts'
import { Part } from '../../panels/status-part.tsx'
import type { ViewProps } from '../view.ts'
import { rowsText } from './actions.ts'
import { useSqlState } from './sql-state.ts'
import { useSqlTexts } from './texts.ts'

const nsOfMs = 1e6

/** How many rows the result has and how long it took. */
export function SqlStatus({ capture }: ViewProps) {
  const t = useSqlTexts()
  const { captureId } = capture
  const result = useSqlState(captureId, (state) => state.result)
  const isRunning = useSqlState(captureId, (state) => state.running !== undefined)
  if (isRunning) return <span>{t('result.running')}</span>
  if (!result) return null
  return (
    <>
      <Part label={t('status.rows')}>{rowsText(result)}</Part>
      <Part label={t('status.time')}>{formatTime(result.elapsedMs * nsOfMs)}</Part>
    </>
  )
}
