// Nothing is open: what can be opened, how to record it, recent files, samples.
import { FolderOpen, HardDriveDownload } from 'lucide-react'
import { useEffect } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { sampleNames } from '../../../preload/contract/shell.ts'
import { runCommand } from '../../commands/registry.ts'
import { useKeyLabel } from '../../commands/use-commands.ts'
import { failuresText } from '../../failures/texts.ts'
import { formatBytes, formatDate } from '../../i18n/format.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { useShell } from '../../state/shell.ts'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { askShell, hasBridge } from '../bridge.ts'
import { refreshRecent } from '../recent.ts'

// PyTorch's own calls. The first recipe is for a program that runs, the second for one that fails.
const recipes = {
  recordHistory: [
    'torch.cuda.memory._record_memory_history(stacks="python")',
    'train_a_few_steps()',
    'torch.cuda.memory._dump_snapshot("snapshot.pickle")',
  ],
  recordOom: [
    'torch.cuda.memory._record_memory_history(stacks="python")',
    'dump = lambda *_: torch.cuda.memory._dump_snapshot("oom.pickle")',
    'torch._C._cuda_attach_out_of_memory_observer(dump)',
  ],
} as const

/** The welcome page. */
export function Welcome() {
  const { t } = useTranslation()
  const paletteKey = useKeyLabel('go.quickOpen')
  return (
    <div className='welcome'>
      <div className='welcome-inner'>
        <h1>{t('welcome.title')}</h1>
        {!hasBridge() && (
          <p role='alert' className='welcome-alert'>
            <strong>{t('noBridge.title')}</strong> {t('noBridge.text')}
          </p>
        )}
        <DropArea />
        <div className='welcome-columns'>
          <Samples />
          <RecentFiles />
        </div>
        <Recipes />
        <p className='welcome-keys'>
          <Trans i18nKey='welcome.keys' values={{ palette: paletteKey }} components={{ 1: <kbd />, 3: <kbd /> }} />
        </p>
      </div>
    </div>
  )
}

function DropArea() {
  const { t } = useTranslation()
  const openKey = useKeyLabel('file.open')
  const pasteKey = useKeyLabel('edit.pasteText')
  return (
    <div className='drop-area'>
      <HardDriveDownload aria-hidden='true' size={24} />
      <div>
        <h2>{t('welcome.drop')}</h2>
        <p>{t('welcome.opens')}</p>
        <p>{failuresText('welcome.opens')}</p>
      </div>
      <div className='drop-ways'>
        <button type='button' className='button primary' onClick={() => runCommand('file.open')}>
          <FolderOpen aria-hidden='true' size={14} />
          {t('welcome.open')}
          <kbd>{openKey}</kbd>
        </button>
        <button type='button' className='link-button' onClick={() => runCommand('file.openFolder')}>
          {failuresText('welcome.folder')}
        </button>
        <button type='button' className='link-button' onClick={() => runCommand('edit.pasteText')}>
          {failuresText('welcome.paste')}
          <kbd>{pasteKey}</kbd>
        </button>
      </div>
    </div>
  )
}

function Samples() {
  const { t } = useTranslation()
  return (
    <section aria-labelledby='samples-title'>
      <h2 id='samples-title'>{t('welcome.samples')}</h2>
      <ul className='file-list'>
        {sampleNames.map((name) => (
          <li key={name}>
            <button type='button' onClick={() => void askShell('files.openSample', { name })}>
              <span className='strong'>{t(`welcome.sample.${name}.name`)}</span>
              <span className='weak'>{t(`welcome.sample.${name}.text`)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const recentShown = 6

function RecentFiles() {
  const { t } = useTranslation()
  useEffect(() => void refreshRecent(), [])
  const recent = useShell((state) => state.recent)
  return (
    <section aria-labelledby='recent-title'>
      <h2 id='recent-title'>{t('welcome.recent')}</h2>
      {recent.length === 0 && <p className='weak'>{t('welcome.noRecent')}</p>}
      <ul className='file-list'>
        {recent.slice(0, recentShown).map(({ id, name, folder, sizeBytes, openedAtMs, missing, isFolder }) => (
          <li key={id}>
            <button type='button' disabled={missing} title={folder} onClick={() => void askShell('files.openRecent', { id })}>
              {/* Most snapshots have one and the same name: the folder tells them apart. */}
              <span className='strong truncate'>
                {name} <span className='weak'>{lastPart(folder)}</span>
              </span>
              <span className='weak truncate'>
                {missing ? t('welcome.missing') : isFolder ? failuresText('recent.folder') : formatBytes(sizeBytes)} ·{' '}
                {formatDate(openedAtMs, currentLanguage())}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Name of a folder without where it lies. */
const lastPart = (folder: string): string => folder.split(/[\\/]/).at(-1) ?? folder

function Recipes() {
  const { t } = useTranslation()
  return (
    <section aria-labelledby='record-title'>
      <h2 id='record-title'>{t('welcome.record')}</h2>
      <div className='welcome-columns'>
        {(['recordHistory', 'recordOom'] as const).map((id) => (
          <div key={id} className='recipe'>
            <div className='recipe-head'>
              <h3>{t(`welcome.${id}`)}</h3>
              <CopyButton
                className='link-button'
                text={`${recipes[id].join('\n')}\n`}
                label={t('welcome.copy')}
                done={t('welcome.copied')}
                name={t('welcome.copyRecipe', { name: t(`welcome.${id}`) })}
              />
            </div>
            <pre>{recipes[id].join('\n')}</pre>
          </div>
        ))}
      </div>
    </section>
  )
}
