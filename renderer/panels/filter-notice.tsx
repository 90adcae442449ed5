// Says over a picture that the filter leaves nothing of it, with the way out.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { runCommand } from '../commands/registry.ts'
import { useFocus } from '../focus/focus-data.ts'
import { usePanelTexts } from '../i18n/part-texts.ts'
import { isFiltering } from '../state/filter.ts'
import { useView } from '../state/use-view.ts'

/** The notice; nothing while an allocation passes. */
export function FilterNotice({ capture }: { readonly capture: CaptureSummary }) {
  const t = usePanelTexts()
  const { captureId } = capture
  const isOn = useView(captureId, (view) => isFiltering(view.filter))
  const device = useView(captureId, (view) => view.device)
  const hidesAll = useFocus(captureId, ({ passing }) => passing?.device === device && passing?.count === 0)
  if (!isOn || !hidesAll) return null
  return (
    <div className='filter-notice' role='status'>
      <span className='t1'>{t('filter.hidesAll')}</span>
      <button type='button' className='tool-button' onClick={() => runCommand('filter.clear')}>
        {t('filter.clear')}
      </button>
    </div>
  )
}
