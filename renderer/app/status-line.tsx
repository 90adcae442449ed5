// The bottom line: the view's read-outs, the index and the theme.
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { runCommand } from '../commands/registry.ts'
import { engine as engineLine } from '../data/engine-client.ts'
import { formatBytes } from '../i18n/format.ts'
import { useCaptures } from '../state/captures.ts'
import { useView } from '../state/use-view.ts'
import { useTokens } from '../theme/theme.ts'
import { hasDetails, useActiveView, useCanShow } from './views.ts'

/** The line itself. */
export function StatusLine({ capture }: { readonly capture: CaptureSummary | undefined }) {
  const { t } = useTranslation()
  const engine = useCaptures((state) => state.engine)
  const isSlow = useSyncExternalStore(engineLine.onSlowness, engineLine.isSlow)
  const tokens = useTokens()
  const opposite = tokens.name === 'dark' ? 'theme.light' : 'theme.dark'
  return (
    <section className='status-line' data-region='status' aria-label={t('region.status')}>
      {capture && <ViewStatus capture={capture} />}
      <span className='status-room'>
        <span />
        {capture && <Hint capture={capture} />}
      </span>
      {engine === 'starting' && <span>{t('status.engineDown')}</span>}
      {engine === 'stopped' && <span className='bad'>{t('status.engineStopped')}</span>}
      {engine === 'up' && isSlow && <span role='status'>{t('status.waiting')}</span>}
      {engine === 'up' && capture && !isSlow && (
        <span title={formatBytes(capture.indexBytes)}>{capture.fromCache ? t('status.fromCache') : t('status.ready')}</span>
      )}
      <button type='button' className='status-button' title={t('status.toggleTheme')} onClick={() => runCommand(opposite)}>
        {tokens.name === 'dark' ? t('status.dark') : t('status.light')}
      </button>
    </section>
  )
}

/** How to select something in this view, while nothing is. */
function Hint({ capture }: { readonly capture: CaptureSummary }) {
  const { t } = useTranslation()
  const { id } = useActiveView(capture)
  const isNeeded = useView(capture.captureId, (view) => !view.showEmptyDetails && !hasDetails(capture, view))
  const isShown = useCanShow(capture)
  return isNeeded && isShown && <span className='status-hint'>{t(`status.hint.${id}`)}</span>
}

function ViewStatus({ capture }: { readonly capture: CaptureSummary }) {
  const { Status } = useActiveView(capture)
  return useCanShow(capture) && <Status capture={capture} />
}
