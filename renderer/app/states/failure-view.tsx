// A capture could not be opened: what happened, why, what to do.
import { OctagonX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../preload/contract/errors.ts'
import { failuresText } from '../../failures/texts.ts'
import { formatCount } from '../../i18n/format.ts'
import { type CodedText, failureText } from '../../i18n/texts.ts'
import type { CaptureTab } from '../../state/captures.ts'
import { type AppInfo, useShell } from '../../state/shell.ts'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { closeTab, reopen } from '../open-captures.ts'

type FailedTab = Extract<CaptureTab, { status: 'failed' }>

/** What a report needs, without anything from inside the file. */
export function failureDetails(failure: Failure, sizeBytes: number, info: AppInfo | undefined): string {
  const offset = failure.offset === undefined ? [] : [`byte offset: ${failure.offset}`]
  const program = info ? `Tidemark ${info.version}, Electron ${info.electron}, ${info.platform}` : 'Tidemark'
  return [`code: ${failure.code}`, `message: ${failure.message}`, ...offset, `file size: ${sizeBytes} B`, program].join('\n')
}

/** That a folder holds nothing of use is no fault of a file. */
const emptyFolderText = (): CodedText => ({
  title: failuresText('nothing.title'),
  cause: failuresText('nothing.cause'),
  next: failuresText('nothing.next'),
})

/** The page of a tab that failed. */
export function FailureView({ tab }: { readonly tab: FailedTab }) {
  const { t } = useTranslation()
  const info = useShell((state) => state.info)
  const { failure, tabId } = tab
  const { name, sizeBytes, token, isFolder } = tab.request
  const { title, cause, next } = isFolder && failure.code === 'file/unknown_format' ? emptyFolderText() : failureText(failure)
  const place = failure.offset === undefined ? '' : t('failure.offset', { offset: formatCount(failure.offset) })
  return (
    <div className='state-page'>
      <div className='state-card' role='alert'>
        <OctagonX className='bad' aria-hidden='true' size={24} />
        <h1>{title}</h1>
        <p className='mono truncate' title={name}>
          {name}
        </p>
        <p>{cause}</p>
        <p className='strong'>{next}</p>
        <dl className='detail-list'>
          <dt>{t('failure.code')}</dt>
          <dd className='mono'>{failure.code}</dd>
          <dt>{t('failure.detail')}</dt>
          <dd className='mono'>{[failure.message, place].filter(Boolean).join(' ')}</dd>
        </dl>
        <div className='actions'>
          {token !== '' && (
            <button type='button' className='button primary' onClick={() => reopen(tabId)}>
              {t('failure.retry')}
            </button>
          )}
          <CopyButton text={failureDetails(failure, sizeBytes, info)} label={t('failure.copy')} done={t('failure.copied')} />
          <button type='button' className='button' onClick={() => closeTab(tabId)}>
            {t('failure.close')}
          </button>
        </div>
      </div>
    </div>
  )
}
