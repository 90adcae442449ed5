// The view's main part: the page, or that it is being made, or why there is none.
import { useEffect } from 'react'
import { DiagnosisView } from '../../diagnosis/diagnosis-page.tsx'
import { useDiagnosisTexts } from '../../diagnosis/words.ts'
import { failureText } from '../../i18n/texts.ts'
import { detachSource, useSources } from '../../state/diagnosis-sources.ts'
import { showPlace } from '../../state/show-place.ts'
import { ViewNotice } from '../../widgets/view-notice.tsx'
import type { ViewProps } from '../view.ts'
import { momentPlace } from './actions.ts'
import { registerDiagnosisCommands } from './commands.ts'
import { askDiagnosis, retryDiagnosis, useDiagnosis } from './diagnosis-data.ts'

/** Everything between the side bar and the drawer. */
export function DiagnosisMain({ capture }: ViewProps) {
  const t = useDiagnosisTexts()
  const { captureId } = capture
  const sources = useSources(captureId)
  const { page, failure, isPending } = useDiagnosis(captureId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other sources are another question
  useEffect(() => void askDiagnosis(capture), [capture, sources])
  useEffect(() => registerDiagnosisCommands(capture), [capture])
  if (failure) {
    const { title, cause, next } = failureText(failure)
    return (
      <ViewNotice title={title} cause={cause} next={next} severity='warning'>
        <button type='button' className='button primary' onClick={() => retryDiagnosis(capture)}>
          {t('failed.next')}
        </button>
      </ViewNotice>
    )
  }
  if (!page) return <Asking />
  return (
    <DiagnosisView
      key={captureId}
      diagnosis={page}
      capture={capture}
      hasMoment={false}
      isPending={isPending}
      onRemoveSource={(given) => detachSource(captureId, sources[given] ?? '')}
      onPlace={(place) => void showPlace(capture, place)}
      actions={(['blocks', 'flame'] as const).map((view) => {
        const place = momentPlace(capture, page, view)
        return (
          place && (
            <button key={view} type='button' className='button' onClick={() => void showPlace(capture, place)}>
              {t(`action.${view}`)}
            </button>
          )
        )
      })}
    />
  )
}

function Asking() {
  const t = useDiagnosisTexts()
  return (
    <div className='diag-state' role='status'>
      <p className='diag-asking strong'>
        <span className='spinner' aria-hidden='true' /> {t('loading.title')}
      </p>
      <p className='weak'>{t('loading.cause')}</p>
    </div>
  )
}
