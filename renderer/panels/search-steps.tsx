// The buttons of a search box.
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { usePanelTexts } from '../i18n/part-texts.ts'

interface SearchStepsProps {
  readonly hasHits: boolean
  readonly onStep: (forward: boolean) => void
  readonly onClear: () => void
}

/** To the hit before and to the next one, where there are any; and out of the search. */
export function SearchSteps({ hasHits, onStep, onClear }: SearchStepsProps) {
  const t = usePanelTexts()
  const steps = [
    { name: t('search.previous'), Icon: ChevronUp, run: () => onStep(false) },
    { name: t('search.next'), Icon: ChevronDown, run: () => onStep(true) },
  ]
  return [...(hasHits ? steps : []), { name: t('search.clear'), Icon: X, run: onClear }].map(({ name, Icon, run }) => (
    <button key={name} type='button' className='icon-button' aria-label={name} title={name} onClick={run}>
      <Icon aria-hidden='true' size={14} />
    </button>
  ))
}
