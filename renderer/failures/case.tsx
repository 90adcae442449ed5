// The page of one failure without a snapshot, inside its tab.
import { ArrowLeft } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { DiagnosisPage } from '../../preload/contract/diagnosis.ts'
import type { Result } from '../../preload/contract/errors.ts'
import { useKeyLabel } from '../commands/use-commands.ts'
import { engine } from '../data/engine-client.ts'
import { DiagnosisView } from '../diagnosis/diagnosis-page.tsx'
import { failureText } from '../i18n/texts.ts'
import { ViewNotice } from '../widgets/view-notice.tsx'
import { useFailuresTexts } from './texts.ts'

interface CaseProps {
  readonly failuresId: string
  readonly index: number
  readonly onBack: (() => void) | undefined // undefined: there is no table
}

/** The page, with the way back. */
export function FailureCase({ failuresId, index, onBack }: CaseProps) {
  const t = useFailuresTexts()
  const backKey = useKeyLabel('go.escape')
  const part = useRef<HTMLDivElement>(null)
  // The row that had the keys is gone: they scroll the page.
  const takeKeys = useCallback(() => {
    if (onBack && document.activeElement === document.body) part.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }, [onBack])
  return (
    <div ref={part} className='fail-case'>
      {onBack && (
        <div className='tool-row'>
          <button type='button' className='tool-button' onClick={onBack}>
            <ArrowLeft aria-hidden='true' size={14} />
            {t('case.back')}
            <kbd>{backKey}</kbd>
          </button>
        </div>
      )}
      <CasePage key={`${failuresId} ${index}`} failuresId={failuresId} index={index} onShown={takeKeys} />
    </div>
  )
}

interface CasePageProps extends Pick<CaseProps, 'failuresId' | 'index'> {
  readonly onShown: () => void
}

function CasePage({ failuresId, index, onShown }: CasePageProps) {
  const t = useFailuresTexts()
  const [answer, setAnswer] = useState<Result<DiagnosisPage>>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt asks anew
  useEffect(() => {
    const controller = new AbortController()
    void engine.call('failures.case', { failuresId, index }, { signal: controller.signal }).then((result) => {
      if (!controller.signal.aborted) setAnswer(result)
    })
    return () => controller.abort()
  }, [failuresId, index, attempt])
  const isShown = answer?.ok ?? false
  useEffect(() => {
    if (isShown) onShown()
  }, [isShown, onShown])
  if (!answer) return <p className='fail-none weak'>{t('case.loading')}</p>
  if (answer.ok) return <DiagnosisView diagnosis={answer.value} onPlace={undefined} />
  const retry = () => {
    setAnswer(undefined)
    setAttempt(attempt + 1)
  }
  return (
    <ViewNotice {...failureText(answer.error)}>
      <button type='button' className='button primary' onClick={retry}>
        {t('case.retry')}
      </button>
    </ViewNotice>
  )
}
