// The second row: views, the device, export.
import { useTranslation } from 'react-i18next'
import { busiestDevice, type CaptureSummary } from '../../preload/contract/capture.ts'
import { canRun, runCommand } from '../commands/registry.ts'
import { useCommandChanges, useKeyLabel } from '../commands/use-commands.ts'
import { deviceName, formatBytes } from '../i18n/format.ts'
import { commandTitle } from '../i18n/texts.ts'
import { chooseDevice } from '../state/initial-view.ts'
import { useView } from '../state/use-view.ts'
import { viewOf } from '../state/view-state.ts'
import { MenuButton } from '../widgets/menu-button.tsx'
import { useActiveView, viewsOf } from './views.ts'

/** The row itself; without a capture it only keeps its place. */
export function ViewBar({ capture }: { readonly capture: CaptureSummary | undefined }) {
  const { t } = useTranslation()
  const active = useActiveView(capture)
  if (!capture) return null
  return (
    <nav className='view-bar' data-region='views' aria-label={t('region.views')}>
      {viewsOf(capture).map((view) => (
        <button
          key={view.id}
          type='button'
          className='view-button'
          aria-current={view === active ? 'page' : undefined}
          onClick={() => runCommand(`view.${view.id}`)}
        >
          {commandTitle(`view.${view.id}`)}
          <span className='digit'>{view.digit}</span>
        </button>
      ))}
      <span className='spacer' />
      <DeviceChooser capture={capture} />
      <ExportMenu csvLabel={active.csv?.label()} />
    </nav>
  )
}

/** GPU 0, CPU. */
const nameOf = ({ devices }: CaptureSummary, device: number): string =>
  deviceName(device, devices.find((each) => each.device === device)?.deviceType ?? '')

function DeviceChooser({ capture }: { readonly capture: CaptureSummary }) {
  const { t } = useTranslation()
  const device = useView(capture.captureId, (view) => view.device)
  if (device === undefined || capture.devices.length === 0) return null
  if (capture.devices.length < 2) {
    return (
      <span className='device-only'>
        {t('bar.device')} <span className='t1'>{nameOf(capture, device)}</span>
      </span>
    )
  }
  const choose = (value: string) => chooseDevice(capture, Number(value), viewOf(capture.captureId)?.axis ?? 'event')
  return (
    <label className='button select' title={t('bar.deviceHint', { device: nameOf(capture, busiestDevice(capture)?.device ?? device) })}>
      <span className='weak'>{t('bar.device')}</span>
      <select value={device} onChange={(event) => choose(event.target.value)}>
        {capture.devices.map((each) => (
          <option key={each.device} value={each.device}>
            {each.eventCount > 0
              ? t('bar.deviceOption', { device: nameOf(capture, each.device), peak: formatBytes(each.peakAllocatedBytes) })
              : nameOf(capture, each.device)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Offered while the flame graph is in front. */
const profileCommands = ['file.exportFolded', 'file.exportD3', 'file.exportSpeedscope', 'file.exportPprof']

function ExportMenu({ csvLabel }: { readonly csvLabel: string | undefined }) {
  const { t } = useTranslation()
  useCommandChanges()
  const imageKey = useKeyLabel('file.exportImage')
  const reportKey = useKeyLabel('file.exportReport')
  const items = [
    { id: 'file.exportImage', label: t('export.image'), keys: imageKey },
    { id: 'edit.copyImage', label: t('export.copyImage') },
    { id: 'file.exportReport', label: t('export.report'), keys: reportKey },
    { id: 'file.exportCsv', label: csvLabel ?? t('export.csv') },
    ...profileCommands.filter(canRun).map((id) => ({ id, label: commandTitle(id) })),
  ]
  return (
    <MenuButton
      label={t('bar.export')}
      items={items.map((item) => ({ ...item, disabled: !canRun(item.id) }))}
      onChoose={(id) => runCommand(id)}
    />
  )
}
