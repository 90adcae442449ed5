// Says in a view's tool row that the numbers of the device in front are close, not exact.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { usePanelTexts } from '../i18n/part-texts.ts'
import { useDevice } from '../state/use-view.ts'

/** The word with its reason; nothing where the device's replay ends in the file's own state. */
export function Approximate({ capture }: { readonly capture: CaptureSummary }) {
  const t = usePanelTexts()
  const device = useDevice(capture)
  if (!device || device.exact) return null
  const reason = t('approximate.why')
  return (
    <span className='approximate' data-testid='approximate' title={reason}>
      ≈ {t('approximate.word')}
      <span className='visually-hidden'> {reason}</span>
    </span>
  )
}
