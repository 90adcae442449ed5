// The view of an open capture, or why it has nothing to show.
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { busiestDevice, type CaptureSummary, type DeviceSummary, type Finding } from '../../../preload/contract/capture.ts'
import { formatBytes, formatCount } from '../../i18n/format.ts'
import { findingText } from '../../i18n/texts.ts'
import { chooseDevice, deviceOf } from '../../state/initial-view.ts'
import { useView } from '../../state/use-view.ts'
import { NoticeStrip, ViewNotice } from '../../widgets/view-notice.tsx'
import { views } from '../views.ts'

/** The view's main part with its notices. */
export function ViewArea({ capture }: { readonly capture: CaptureSummary }) {
  const deviceId = useView(capture.captureId, (view) => view.device)
  const device = deviceId === undefined ? undefined : deviceOf(capture, deviceId)
  const Main = views[0]?.Main
  if (!Main) return null
  if (!device || device.eventCount === 0) return <NothingOverTime capture={capture} device={device} />
  return (
    <div className='view-area'>
      <h1 className='visually-hidden'>{capture.sourceName}</h1>
      <Strips capture={capture} />
      <div className='view-main'>
        <Main capture={capture} />
      </div>
    </div>
  )
}

const empty = ['snapshot/segments_only', 'snapshot/no_history'] as const
const limited = ['snapshot/no_stacks', 'snapshot/no_times'] as const

function NothingOverTime({ capture, device }: { readonly capture: CaptureSummary; readonly device: DeviceSummary | undefined }) {
  const { t } = useTranslation()
  const busiest = busiestDevice(capture)
  if (device && busiest && busiest.eventCount > 0) {
    const next = t('notice.otherDeviceNext', {
      device: busiest.device,
      count: busiest.eventCount,
      formatted: formatCount(busiest.eventCount),
    })
    return (
      <ViewNotice title={t('notice.filteredOut')} cause={t('notice.otherDevice')} next={next}>
        <button type='button' className='button primary' onClick={() => chooseDevice(capture, busiest.device, 'event')}>
          {t('notice.chooseDevice', { device: busiest.device })}
        </button>
      </ViewNotice>
    )
  }
  const code = empty.find((each) => capture.findings.some((finding) => finding.code === each)) ?? 'snapshot/no_history'
  const { title, cause, next } = findingText({ code, message: '' })
  const state = { reserved: formatBytes(device?.reservedBytes ?? 0), allocated: formatBytes(device?.allocatedBytes ?? 0) }
  return (
    <ViewNotice title={title} cause={cause} next={next}>
      <p className='weak'>{t('notice.state', state)}</p>
    </ViewNotice>
  )
}

function Strips({ capture }: { readonly capture: CaptureSummary }) {
  const { t } = useTranslation()
  const [dismissed, setDismissed] = useState<readonly string[]>([])
  const isShown = ({ code }: Finding) => !dismissed.includes(code)
  // A code may come once a device: one strip says it for all.
  const found = limited.flatMap((code) => capture.findings.find((finding) => finding.code === code) ?? [])
  return found.filter(isShown).map((finding) => {
    const { title, cause } = findingText(finding)
    const dismiss = () => setDismissed([...dismissed, finding.code])
    return <NoticeStrip key={finding.code} title={title} cause={cause} dismissLabel={t('notice.dismiss')} onDismiss={dismiss} />
  })
}
