// A capture is being opened: nothing for a moment, then what is done, how fast, how long still.
import type { TFunction } from 'i18next'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LoadProgress } from '../../../preload/contract/capture.ts'
import { runCommand } from '../../commands/registry.ts'
import { failuresText } from '../../failures/texts.ts'
import { formatBytes, formatCount, formatShare, formatWholeSeconds } from '../../i18n/format.ts'
import type { CaptureTab } from '../../state/captures.ts'
import { estimatedRestNs, loadShare } from '../load-progress.ts'

type LoadingTab = Extract<CaptureTab, { status: 'loading' }>

const quietMs = 150 // small files must not flash
const stalledMs = 30_000
const tickMs = 500

/** The page of a loading tab. */
export function LoadingView({ tab }: { readonly tab: LoadingTab }) {
  const { t } = useTranslation()
  const now = useClock(tab.startedAtMs)
  const movedAt = useLastChange(tab.progress, tab.startedAtMs)
  const elapsedMs = now - tab.startedAtMs
  if (elapsedMs < quietMs) return null
  const { progress } = tab
  const { name } = tab.request
  const share = loadShare(tab)
  const stage = progress ? stageText(tab, progress, t) : t('loading.waiting')
  return (
    <div className='state-page'>
      <div className='state-card'>
        <h1 className='truncate' title={name}>
          {t('loading.title', { name })}
        </h1>
        <p className='strong'>{stage}</p>
        <progress aria-label={t('loading.progress', { name })} max={1} {...(share === undefined ? {} : { value: share })} />
        <Figures tab={tab} elapsedMs={elapsedMs} />
        {now - movedAt > stalledMs && <p role='alert'>{t('loading.stalled')}</p>}
        <button type='button' className='button' onClick={() => runCommand('file.cancelLoad')}>
          {t('loading.cancel')}
          <kbd>Esc</kbd>
        </button>
      </div>
    </div>
  )
}

function stageText({ request }: LoadingTab, { stage, done, total }: LoadProgress, t: TFunction): string {
  if (!request.failures) return t(`loading.stage.${stage}`)
  if (total < 2) return t('loading.stage.read')
  return failuresText('loading.runs', { count: total, done: formatCount(done), total: formatCount(total) })
}

function Figures({ tab, elapsedMs }: { readonly tab: LoadingTab; readonly elapsedMs: number }) {
  const { t } = useTranslation()
  const { progress } = tab
  const restNs = estimatedRestNs(loadShare(tab), elapsedMs)
  const figures = [
    done(tab, t),
    progress?.bytesPerSecond ? t('loading.rate', { rate: formatBytes(progress.bytesPerSecond) }) : '',
    restNs === undefined ? '' : t('loading.rest', { rest: formatWholeSeconds(restNs) }),
  ]
  return <p className='figures weak'>{figures.filter(Boolean).join(' · ')}</p>
}

function done({ progress, request: { sizeBytes, failures } }: LoadingTab, t: TFunction): string {
  if (!progress || progress.total === 0 || failures) return sizeBytes > 0 ? formatBytes(sizeBytes) : ''
  if (progress.stage === 'read') return t('loading.bytes', { done: formatBytes(progress.done), total: formatBytes(progress.total) })
  return t('loading.share', { share: formatShare(progress.done, progress.total) })
}

/** The time now, first told when the quiet moment is over, then twice a second. */
function useClock(startedAtMs: number): number {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const tell = () => setNow(performance.now())
    const first = setTimeout(tell, Math.max(0, startedAtMs + quietMs - performance.now()) + 1)
    const timer = setInterval(tell, tickMs)
    return () => {
      clearTimeout(first)
      clearInterval(timer)
    }
  }, [startedAtMs])
  return now
}

function useLastChange(progress: LoadProgress | undefined, startedAtMs: number): number {
  const [last, setLast] = useState({ progress, atMs: startedAtMs })
  if (last.progress !== progress) setLast({ progress, atMs: performance.now() })
  return last.atMs
}
