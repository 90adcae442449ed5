// The view of an open capture, or why it has nothing to show.
import { useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { busiestDevice, type CaptureSummary, type DeviceSummary, type Finding } from '../../../preload/contract/capture.ts'
import { runCommand } from '../../commands/registry.ts'
import { registerSelectionCommands } from '../../focus/commands.ts'
import { startFocus } from '../../focus/loader.ts'
import { startNoteMarks } from '../../focus/note-marks.ts'
import { startSpeaking } from '../../focus/spoken.ts'
import { deviceName, formatBytes, formatCount } from '../../i18n/format.ts'
import { commandTitle, findingText } from '../../i18n/texts.ts'
import { chooseDevice, deviceOf } from '../../state/initial-view.ts'
import { useView } from '../../state/use-view.ts'
import { NoticeStrip, ViewNotice } from '../../widgets/view-notice.tsx'
import { useActiveView, viewsOf } from '../views.ts'

/** The view's main part with its notices. */
export function ViewArea({ capture }: { readonly capture: CaptureSummary }) {
  const deviceId = useView(capture.captureId, (view) => view.device)
  const device = deviceId === undefined ? undefined : deviceOf(capture, deviceId)
  const view = useActiveView(capture)
  const { Main } = view
  // Before the effects of the view, whose commands of the same id come first.
  useLayoutEffect(() => startCapture(capture), [capture])
  if (!view.shows(capture, device)) return <NothingToShow capture={capture} device={device} />
  return (
    <div className='view-area'>
      <h1 className='visually-hidden'>{capture.sourceName}</h1>
      <Strips capture={capture} />
      <div className='view-main'>
        <Main key={view.id} capture={capture} />
      </div>
    </div>
  )
}

/** What every view needs of a capture in front; answers the end. */
function startCapture(capture: CaptureSummary): () => void {
  const stops = [registerSelectionCommands(capture), startSpeaking(capture), startFocus(capture), startNoteMarks(capture)]
  return () => {
    for (const stop of stops) stop()
  }
}

const empty = ['snapshot/segments_only', 'snapshot/no_history'] as const
const limited = ['snapshot/no_stacks', 'snapshot/no_times'] as const

interface NothingProps {
  readonly capture: CaptureSummary
  readonly device: DeviceSummary | undefined
}

function NothingToShow({ capture, device }: NothingProps) {
  return capture.trace ? <NotInTrace capture={capture} device={device} /> : <NothingOverTime capture={capture} device={device} />
}

/** What a trace does not hold: blocks, or memory at all. */
function NotInTrace({ capture, device }: NothingProps) {
  const { t } = useTranslation()
  const view = useActiveView(capture)
  const hasMemory = capture.devices.some(({ eventCount }) => eventCount > 0)
  if (hasMemory && ['timeline', 'lifetimes', 'flame'].includes(view.id)) return <NothingOverTime capture={capture} device={device} />
  const noMemory = findingText({ code: 'trace/no_memory_events', message: '' })
  const words = hasMemory ? { title: t('notice.noBlocks'), cause: t('notice.noBlocksCause'), next: t('notice.noBlocksNext') } : noMemory
  return (
    <ViewNotice {...words}>
      <AbleViews capture={capture} device={device} />
    </ViewNotice>
  )
}

function NothingOverTime({ capture, device }: NothingProps) {
  const { t } = useTranslation()
  const busiest = busiestDevice(capture)
  if (device && busiest && busiest.eventCount > 0) {
    const next = t('notice.otherDeviceNext', {
      device: deviceName(busiest.device, busiest.deviceType),
      count: busiest.eventCount,
      formatted: formatCount(busiest.eventCount),
    })
    return (
      <ViewNotice title={t('notice.filteredOut')} cause={t('notice.otherDevice')} next={next}>
        <button
          type='button'
          className='button primary'
          onClick={() => chooseDevice(capture, busiest.device, capture.trace ? 'time' : 'event')}
        >
          {t('notice.chooseDevice', { device: deviceName(busiest.device, busiest.deviceType) })}
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
      {device && <AbleViews capture={capture} device={device} />}
    </ViewNotice>
  )
}

/** Buttons to the views that can show what the file does hold. */
function AbleViews({ capture, device }: NothingProps) {
  const able = viewsOf(capture).filter((view) => view.shows(capture, device))
  if (able.length === 0) return null
  return (
    <div className='actions'>
      {able.map(({ id }) => (
        <button key={id} type='button' className='button' onClick={() => runCommand(`showIn.${id}`)}>
          {commandTitle(`showIn.${id}`)}
        </button>
      ))}
    </div>
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
