// A part of the window threw: the rest goes on.
import { useTranslation } from 'react-i18next'
import { useShell } from '../../state/shell.ts'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { failureDetails } from './failure-view.tsx'

interface BrokenPartProps {
  readonly error: Error
  readonly onRetry: () => void
}

/** Takes the place of the part. */
export function BrokenPart({ error, onRetry }: BrokenPartProps) {
  const { t } = useTranslation()
  const info = useShell((state) => state.info)
  const details = failureDetails({ code: 'engine/internal', message: error.stack ?? error.message }, 0, info)
  return (
    <div className='state-page'>
      <div className='state-card' role='alert'>
        <h1>{t('broken.title')}</h1>
        <p>{t('broken.text')}</p>
        <div className='actions'>
          <button type='button' className='button primary' onClick={onRetry}>
            {t('broken.retry')}
          </button>
          <CopyButton text={details} label={t('failure.copy')} done={t('failure.copied')} />
        </div>
      </div>
    </div>
  )
}
