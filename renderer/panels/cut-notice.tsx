// Says on top that a part of the file is missing, so that its numbers are not taken for those of the whole run.
import { OctagonX } from 'lucide-react'
import type { CaptureSummary, Finding } from '../../preload/contract/capture.ts'
import { usePanelTexts } from '../i18n/part-texts.ts'
import { findingText } from '../i18n/texts.ts'
import { useShell } from '../state/shell.ts'

const cutReasons: ReadonlySet<string> = new Set(['truncated', 'damaged_gzip', 'damaged_entry', 'event_cap'])

/** The worst finding that tells of data that are missing; undefined where the file is whole. */
export function cutOf(findings: readonly Finding[]): Finding | undefined {
  const cuts = findings.filter(({ code, severity }) => severity !== 'info' && cutReasons.has(code.split('/')[1] ?? ''))
  return cuts.find(({ severity }) => severity === 'error') ?? cuts[0]
}

/** Opens the finding in the side bar and gives it the keys. */
function showFinding(code: string): void {
  useShell.setState({ showSideBar: true })
  // After React has put the side bar there.
  setTimeout(() => {
    const details = document.querySelector<HTMLDetailsElement>(`details[data-finding="${CSS.escape(code)}"]`)
    if (!details) return
    details.open = true
    details.querySelector('summary')?.focus()
  })
}

/** One line with the way to the finding; nothing where the file is whole. */
export function CutNotice({ capture }: { readonly capture: Pick<CaptureSummary, 'findings'> }) {
  const t = usePanelTexts()
  const cut = cutOf(capture.findings)
  if (!cut) return null
  return (
    <p className='cut-notice' role='note' data-testid='cut-notice'>
      <OctagonX className={cut.severity === 'error' ? 'bad' : 't1'} aria-hidden='true' size={14} />
      <span>
        {t('cut.line', { title: findingText(cut).title })}{' '}
        <button type='button' className='link-button' onClick={() => showFinding(cut.code)}>
          {t('cut.findings')}
        </button>
      </span>
    </p>
  )
}
