// Why the last statement has no result, and where in it the reason lies.
import { TriangleAlert } from 'lucide-react'
import { failureText } from '../../i18n/texts.ts'
import type { ViewProps } from '../view.ts'
import { selectText } from './editor-focus.ts'
import { placeOf } from './error-place.ts'
import { useSqlState } from './sql-state.ts'
import { useSqlTexts } from './texts.ts'

/** Nothing while there is no failure. */
export function FailureStrip({ capture }: ViewProps) {
  const t = useSqlTexts()
  const { captureId } = capture
  const failure = useSqlState(captureId, (state) => state.failure)
  const text = useSqlState(captureId, (state) => state.text)
  if (!failure) return null
  const { error } = failure
  // Of wrong SQL the message says it all; other failures have words of their own.
  const { title, next } = failureText(error)
  const isOfText = error.code === 'query/failed' || error.code === 'query/bad_argument'
  const place = placeOf(error.message, text)
  return (
    <div className='sql-failure' role='alert'>
      <TriangleAlert aria-hidden='true' size={14} />
      <span className='mono weak'>{error.code}</span>
      {!isOfText && <span className='strong'>{title}</span>}
      <span className={isOfText ? 'strong sql-message' : 'sql-message'}>{error.message}</span>
      {!isOfText && <span className='weak'>{next}</span>}
      {place && (
        <button type='button' className='link-button' title={t('failure.show')} onClick={() => selectText(place.from, place.to)}>
          {t('failure.place', { line: place.line, column: place.column })}
        </button>
      )}
    </div>
  )
}
