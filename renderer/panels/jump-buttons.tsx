// The ways to a device's marked moments, for a view's tool row.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { runCommand } from '../commands/registry.ts'
import { useKeyLabel } from '../commands/use-commands.ts'
import { usePanelTexts } from '../i18n/part-texts.ts'
import { useDevice } from '../state/use-view.ts'

/** To the peak, and to the next out-of-memory error where there is one. */
export function JumpButtons({ capture }: { readonly capture: CaptureSummary }) {
  const t = usePanelTexts()
  const device = useDevice(capture)
  const peakKey = useKeyLabel('go.peak')
  const oomKey = useKeyLabel('go.nextOom')
  return (
    <>
      <button
        type='button'
        className='tool-button'
        disabled={(device?.peakEvent ?? -1) < 0}
        title={`${t('jumps.goToPeak')} (${peakKey})`}
        onClick={() => runCommand('go.peak')}
      >
        {t('jumps.peak')}
      </button>
      {device && device.ooms.length > 0 && (
        <button
          type='button'
          className='tool-button bad'
          title={`${t('jumps.goToOom')} (${oomKey})`}
          onClick={() => runCommand('go.nextOom')}
        >
          ▲ {t('jumps.oom')}
        </button>
      )}
    </>
  )
}
