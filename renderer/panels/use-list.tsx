// The uses of an address around the selected one, as a list: which, when, how long.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { AllocationDetails } from '../../preload/contract/queries.ts'
import { runCommand } from '../commands/registry.ts'
import { useKeyLabels } from '../commands/use-commands.ts'
import { counted, formatCount } from '../i18n/format.ts'
import { usePanelTexts } from '../i18n/part-texts.ts'
import { goToAllocation } from '../state/go-to.ts'

const mostRows = 5

interface UseListProps {
  readonly capture: CaptureSummary
  readonly details: AllocationDetails
}

/** At most five rows, the selected use in the middle where there are more, and the keys that step through all. */
export function UseList({ capture, details }: UseListProps) {
  const t = usePanelTexts()
  const keys = useKeyLabels()
  const { uses, useIndex, useCount } = details
  const at = uses.findIndex(({ allocationId }) => allocationId === details.allocationId)
  const start = Math.max(0, Math.min(at - Math.floor(mostRows / 2), uses.length - mostRows))
  const step = (id: string, text: string, isThere: boolean) => (
    <button type='button' className='jump plain' disabled={!isThere} onClick={() => runCommand(id)}>
      {text} <kbd>{keys(id)}</kbd>
    </button>
  )
  return (
    <>
      <ul className='use-list'>
        {uses.slice(start, start + mostRows).map((use, row) => (
          <li key={use.allocationId}>
            <button
              type='button'
              aria-current={use.allocationId === details.allocationId}
              onClick={() => void goToAllocation(capture.captureId, use)}
            >
              <span>{t('details.useOf', { index: formatCount(useIndex - at + start + row + 1), ...counted(useCount) })}</span>
              <span>{eventsOf(use, t)}</span>
              <span>{lengthOf(use, t)}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className='use-keys'>
        {step('go.previousItem', t('details.earlierUse'), useIndex > 0)}
        {step('go.nextItem', t('details.laterUse'), useIndex < useCount - 1)}
      </p>
      <p className='panel-note'>{t('details.versionNote')}</p>
    </>
  )
}

type Use = AllocationDetails['uses'][number]
type Translate = ReturnType<typeof usePanelTexts>

const eventsOf = ({ allocEvent, freeEvent }: Use, t: Translate): string =>
  `${allocEvent === null ? t('beforeHistory') : formatCount(allocEvent)} – ${freeEvent === null ? t('details.end') : formatCount(freeEvent)}`

const lengthOf = ({ allocEvent, freeEvent }: Use, t: Translate): string =>
  allocEvent === null || freeEvent === null
    ? ''
    : t('details.lifeEvents', { count: freeEvent - allocEvent, events: formatCount(freeEvent - allocEvent) })
