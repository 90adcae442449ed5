// The left column: the capture in numbers that lead somewhere, the view's own part, and what was found in the file.
import { Check, Info, OctagonX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CaptureSummary, DeviceSummary, Finding } from '../../preload/contract/capture.ts'
import { runCommand } from '../commands/registry.ts'
import { exactBytes, formatBytes, formatCount, isCpu } from '../i18n/format.ts'
import { findingText } from '../i18n/texts.ts'
import { JoinSections } from '../join/join-section.tsx'
import { CutNotice } from '../panels/cut-notice.tsx'
import { goToEvent, goToFailure } from '../state/go-to.ts'
import { deviceOf } from '../state/initial-view.ts'
import { useView } from '../state/use-view.ts'
import { FilterSection } from './filter-section.tsx'
import { NotesSection } from './notes-section.tsx'
import { useActiveView, useCanShow } from './views.ts'

/** The column itself. */
export function SideBar({ capture }: { readonly capture: CaptureSummary }) {
  const { t } = useTranslation()
  const deviceId = useView(capture.captureId, (view) => view.device)
  const device = deviceId === undefined ? undefined : deviceOf(capture, deviceId)
  const { SideBar: ViewPart } = useActiveView(capture)
  const isShown = useCanShow(capture)
  return (
    <aside className='side-bar' data-region='sideBar' aria-label={t('region.sideBar')}>
      <CutNotice capture={capture} />
      {device && <Summary capture={capture} device={device} />}
      {capture.profile && <ProfileSummary capture={capture} profile={capture.profile} />}
      <JoinSections capture={capture} />
      {isShown && device && <FilterSection capture={capture} />}
      {isShown && <ViewPart capture={capture} />}
      <NotesSection capture={capture} />
      <Findings capture={capture} device={device} />
    </aside>
  )
}

interface RowProps {
  readonly label: string
  readonly value: string
  readonly title?: string | undefined
  readonly strong?: boolean
  readonly inner?: boolean
  readonly onJump?: (() => void) | undefined
  readonly jumpLabel?: string | undefined
}

function Row({ label, value, title, strong = false, inner = false, onJump, jumpLabel }: RowProps) {
  return (
    <div className='row'>
      <dt className={inner ? 'inner' : undefined}>{label}</dt>
      <dd className={strong ? 'strong' : undefined} title={title}>
        {onJump ? (
          <button type='button' className='jump' aria-label={jumpLabel} title={jumpLabel} onClick={onJump}>
            {value}
          </button>
        ) : (
          value
        )}
      </dd>
    </div>
  )
}

interface DeviceProps {
  readonly capture: CaptureSummary
  readonly device: DeviceSummary
}

function Summary({ capture, device }: DeviceProps) {
  const { t } = useTranslation()
  const { captureId } = capture
  const jump = (event: number) => () => void goToEvent(captureId, event)
  const bytes = (value: number) => ({ value: formatBytes(value), title: exactBytes(value) })
  const unknown = { value: '—', title: t('summary.noHistory') }
  const firstOom = device.ooms[0]
  const peak = device.peakEvent
  const hasEvents = device.eventCount > 0
  return (
    <section className='panel-section' aria-labelledby='summary-title'>
      <h2 id='summary-title'>{t('summary.title')}</h2>
      <dl>
        {/* Without history the largest moment is not in the file: the end state is no peak. */}
        <Row label={t('summary.peak')} strong {...(hasEvents ? bytes(device.peakAllocatedBytes) : unknown)} />
        {hasEvents && peak >= 0 && (
          <Row
            inner
            label={t('summary.atEvent')}
            value={formatCount(peak)}
            onJump={jump(peak)}
            jumpLabel={t('summary.jumpToEvent', { event: formatCount(peak) })}
          />
        )}
        {hasEvents && peak < 0 && <Row inner label={t('summary.atEvent')} value={t('summary.beforeFirst')} />}
        {!isCpu(device.device, device.deviceType) && (
          <Row label={t('summary.peakReserved')} {...(hasEvents ? bytes(device.peakReservedBytes) : unknown)} />
        )}
        <Row label={t('summary.atEnd')} {...bytes(device.allocatedBytes)} />
        {hasEvents && <Row label={t('summary.allocations')} value={formatCount(device.allocationCount)} />}
        {hasEvents && (
          <Row
            inner
            label={t('summary.neverFreed')}
            value={formatCount(device.neverFreedCount)}
            onJump={() => runCommand('go.aliveAtEnd')}
            jumpLabel={t('summary.jumpToAlive', { count: formatCount(device.neverFreedCount) })}
          />
        )}
        <Row label={t('summary.events')} value={formatCount(device.eventCount)} />
        {firstOom && (
          <Row
            label={t('summary.oom')}
            value={formatCount(device.oomCount)}
            onJump={() => void goToFailure(captureId, firstOom.event)}
            jumpLabel={t('summary.jumpToOom', { count: device.oomCount })}
          />
        )}
      </dl>
    </section>
  )
}

interface ProfileProps {
  readonly capture: CaptureSummary
  readonly profile: NonNullable<CaptureSummary['profile']>
}

/** A profile of another tool in numbers. */
function ProfileSummary({ capture, profile }: ProfileProps) {
  const { t } = useTranslation()
  return (
    <section className='panel-section' aria-labelledby='summary-title'>
      <h2 id='summary-title'>{t('summary.title')}</h2>
      <dl>
        <Row label={t('summary.format')} strong value={capture.formatDetail} />
        <Row label={t('summary.samples')} value={formatCount(capture.eventCount)} />
        <Row label={t('summary.stacks')} value={formatCount(profile.stackCount)} />
        <Row label={t('summary.frames')} value={formatCount(profile.frameCount)} />
        <Row label={t('summary.values')} value={formatCount(profile.valueTypes.length)} />
      </dl>
    </section>
  )
}

const severityIcons = { info: Info, warning: TriangleAlert, error: OctagonX } as const
// Red is kept for what failed.
const severityColors = { info: 'weak', warning: 't1', error: 'bad' } as const
const order: readonly Finding['severity'][] = ['error', 'warning', 'info']

function Findings({ capture, device }: { readonly capture: CaptureSummary; readonly device: DeviceSummary | undefined }) {
  const { t } = useTranslation()
  const findings = [...capture.findings].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
  const hasEvents = device !== undefined && device.eventCount > 0
  const explained = findings.some((finding) => finding.code === 'replay/approximate')
  if (findings.length === 0 && !hasEvents) return null
  return (
    <section className='panel-section' aria-labelledby='findings-title'>
      <h2 id='findings-title'>{t('findings.title')}</h2>
      {hasEvents && (device.exact || !explained) && <Exactness exact={device.exact} isTrace={capture.trace !== null} />}
      {hasEvents && device.noStackCount > 0 && (
        <dl>
          <Row label={t('findings.noStacks')} value={formatCount(device.noStackCount)} />
        </dl>
      )}
      <ul className='findings'>
        {findings.map((finding, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a code may come twice, and the list never changes
          <FindingItem key={index} finding={finding} devices={concerned(capture, finding)} />
        ))}
      </ul>
    </section>
  )
}

/** A snapshot holds its final state to compare with, a trace the total at every event. */
function Exactness({ exact, isTrace }: { readonly exact: boolean; readonly isTrace: boolean }) {
  const { t } = useTranslation()
  const text = isTrace ? (exact ? 'findings.totalsEqual' : 'findings.totalsDiffer') : exact ? 'findings.exact' : 'findings.inexact'
  return (
    <div className='row'>
      <span>{t(text)}</span>
      {exact ? <Check className='good' aria-hidden='true' size={14} /> : <TriangleAlert className='t1' aria-hidden='true' size={14} />}
    </div>
  )
}

/** Devices that a finding is about, where there are several and the file tells: only the replay is judged device by device. */
function concerned({ devices }: CaptureSummary, { code }: Finding): readonly number[] {
  if (devices.length < 2 || code !== 'replay/approximate') return []
  return devices.filter(({ exact, eventCount }) => !exact && eventCount > 0).map(({ device }) => device)
}

interface FindingProps {
  readonly finding: Finding
  readonly devices: readonly number[]
}

function FindingItem({ finding, devices }: FindingProps): ReactNode {
  const { t } = useTranslation()
  const { title, cause, next } = findingText(finding)
  const Icon = severityIcons[finding.severity]
  return (
    <li>
      <details data-finding={finding.code}>
        <summary>
          <Icon className={severityColors[finding.severity]} size={14} role='img' aria-label={t(`findings.severity.${finding.severity}`)} />
          <span className='truncate' title={title}>
            {title}
          </span>
          {finding.count > 1 && <span className='count'>{formatCount(finding.count)}</span>}
        </summary>
        {devices.length > 0 && <p className='t1'>{t('findings.devices', { count: devices.length, devices: devices.join(', ') })}</p>}
        <p>{cause}</p>
        <p>{next}</p>
        <p className='mono weak'>{finding.code}</p>
      </details>
    </li>
  )
}
