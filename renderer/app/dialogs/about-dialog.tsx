// What program this is: the lines a report needs.
import { useTranslation } from 'react-i18next'
import { showDialog, useShell } from '../../state/shell.ts'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { Modal } from '../../widgets/modal.tsx'
import { Logo } from '../logo.tsx'

/** Name, version and runtime. */
export function AboutDialog() {
  const { t } = useTranslation()
  const info = useShell((state) => state.info)
  const close = () => showDialog(undefined)
  const version = info?.version ?? '—'
  const runtime = info ? `${info.electron} (${info.platform})` : '—'
  return (
    <Modal label={t('about.title')} className='small-dialog' onClose={close}>
      <h1 className='with-logo'>
        <Logo size={24} />
        {t('appName')}
      </h1>
      <p>{t('about.text')}</p>
      <dl className='detail-list'>
        <dt>{t('about.version')}</dt>
        <dd>{version}</dd>
        <dt>{t('about.runtime')}</dt>
        <dd>{runtime}</dd>
        <dt>{t('about.licence')}</dt>
        <dd>MIT</dd>
      </dl>
      <div className='actions end'>
        <CopyButton text={`Tidemark ${version}, Electron ${runtime}`} label={t('about.copy')} done={t('welcome.copied')} />
        <button type='button' className='button primary' onClick={close}>
          {t('about.done')}
        </button>
      </div>
    </Modal>
  )
}
