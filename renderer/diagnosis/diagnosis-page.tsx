// The whole page of one failure, usable with nothing but its diagnosis: also of a log, without a capture.
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { DiagnosisPage } from '../../preload/contract/diagnosis.ts'
import { CutNotice } from '../panels/cut-notice.tsx'
import { forgetPart, useWantedPart } from '../state/page-part.ts'
import { showMessage, useShell } from '../state/shell.ts'
import { MenuButton } from '../widgets/menu-button.tsx'
import { AdviceList, NeedsList } from './advice-list.tsx'
import { ArithmeticBars } from './arithmetic-bars.tsx'
import { CheckedFacts } from './checked-facts.tsx'
import { EvidenceCards } from './evidence-cards.tsx'
import { GrowthSection } from './growth-section.tsx'
import { HeldMemory } from './held-memory.tsx'
import { MetricsCurves } from './metrics-curves.tsx'
import { MomentFacts, SettingsFacts } from './moment-facts.tsx'
import { type OnPlace, PlaceProvider } from './place-link.tsx'
import { ErrorTextSection, RequestSection } from './request-section.tsx'
import { copyDiagnosis, saveDiagnosis } from './save.ts'
import { Section } from './section.tsx'
import { SourcesList } from './sources-list.tsx'
import { VerdictHead } from './verdict-head.tsx'
import { diagnosisText, useDiagnosisTexts } from './words.ts'
import './diagnosis.css'
import './sum.css'
import './cards.css'
import './amounts.css'

interface DiagnosisProps {
  readonly diagnosis: DiagnosisPage
  /** Shows a place in the capture; absent: the page has no links. */
  readonly onPlace?: OnPlace | undefined
  /** Buttons before those that copy and save the page. */
  readonly actions?: ReactNode
  /** Whose file facts exports tell. */
  readonly capture?: CaptureSummary | undefined
  /** False where the numbers of the moment and the settings stand beside the page. */
  readonly hasMoment?: boolean
  /** It is about to be replaced by the page of more files. */
  readonly isPending?: boolean
  /** Takes off a file that the user gave. */
  readonly onRemoveSource?: ((given: number) => void) | undefined
}

/** A scrolling region that fills its place. */
export function DiagnosisView({
  diagnosis,
  onPlace,
  actions,
  capture,
  hasMoment = true,
  isPending = false,
  onRemoveSource,
}: DiagnosisProps) {
  const t = useDiagnosisTexts()
  // Of a capture, the side bar has the notice that its file is cut.
  const hasSideBar = useShell(({ showSideBar }) => showSideBar)
  const part = useRef<HTMLElement>(null)
  useShownPart(part, isPending)
  const buttons = (
    <>
      {actions}
      <PageActions diagnosis={diagnosis} capture={capture} />
    </>
  )
  return (
    <PlaceProvider value={onPlace}>
      <section
        ref={part}
        className={isPending ? 'diag-page pending' : 'diag-page'}
        aria-label={t('region')}
        aria-busy={isPending}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll the page, so it takes the focus
        tabIndex={0}
        data-testid='diagnosis'
      >
        <div className='diag-inner'>
          {capture && !hasSideBar && <CutNotice capture={capture} />}
          <VerdictHead diagnosis={diagnosis} actions={buttons} />
          {diagnosis.verdict.isUncertain && <NeedsList needs={diagnosis.needs} />}
          <div className={diagnosis.situation.isFailure ? 'diag-top' : undefined}>
            <ArithmeticBars situation={diagnosis.situation} />
            {diagnosis.situation.isFailure && <CheckedFacts facts={diagnosis.situation.facts} />}
          </div>
          <EvidenceCards {...diagnosis} />
          <AdviceList advice={diagnosis.advice} situation={diagnosis.situation} />
          <HeldMemory held={diagnosis.held} />
          <GrowthSection {...diagnosis} />
          <RequestSection {...diagnosis} />
          <MetricsCurves {...diagnosis} />
          <ErrorTextSection errorText={diagnosis.errorText} />
          {!diagnosis.verdict.isUncertain && <NeedsList needs={diagnosis.needs} />}
          {hasMoment && (
            <div className='diag-moment'>
              <MomentFacts diagnosis={diagnosis} />
              <SettingsFacts diagnosis={diagnosis} />
            </div>
          )}
          <SourcesList sources={diagnosis.sources} onRemove={isPending ? undefined : onRemoveSource} />
          <Section title={t('section.method')} className='diag-method'>
            <p>{t('method.text')}</p>
          </Section>
        </div>
      </section>
    </PlaceProvider>
  )
}

/** Shows the part that was asked for: what the allocator would have done under other settings stands with the advice. */
function useShownPart(page: RefObject<HTMLElement | null>, isPending: boolean): void {
  const wanted = useWantedPart()
  useEffect(() => {
    if (wanted === undefined || isPending || !page.current) return
    forgetPart()
    const tried = page.current.querySelector<HTMLElement>('[data-tried]')
    if (!tried) return showMessage(diagnosisText('advice.noneTried'))
    tried.scrollIntoView({ block: 'center' })
    tried.focus({ preventScroll: true })
  }, [wanted, isPending, page])
}

function PageActions({ diagnosis, capture }: Pick<DiagnosisProps, 'diagnosis' | 'capture'>) {
  const t = useDiagnosisTexts()
  const items = [
    { id: 'html', label: t('action.saveHtml') },
    { id: 'pdf', label: t('action.savePdf') },
    { id: 'fullHtml', label: t('action.saveFullHtml') },
  ]
  return (
    <>
      <button type='button' className='button' onClick={() => void copyDiagnosis(diagnosis, capture)}>
        {t('action.copy')}
      </button>
      <MenuButton
        label={t('action.save')}
        items={items}
        onChoose={(id) => void saveDiagnosis(diagnosis, { format: id === 'pdf' ? 'pdf' : 'html', capture, shortPaths: id !== 'fullHtml' })}
      />
    </>
  )
}
