// The details of an allocation as plain text for the clipboard.
import type { DeviceSummary } from '../../preload/contract/capture.ts'
import type { AllocationDetails } from '../../preload/contract/queries.ts'
import { categoryLines } from '../categories/words.ts'
import { exactBytes, exactTime, formatAddressVersion, formatBytes, unknownValue } from '../i18n/format.ts'
import { panelText as t } from '../i18n/part-texts.ts'
import { poolTitle, streamTitle } from '../plot/legend.ts'

type Ends = Pick<AllocationDetails, 'state' | 'allocEvent' | 'freeRequestedEvent' | 'allocTimeNs' | 'freeTimeNs'>

export interface Life {
  readonly events: number
  readonly timeNs: number | undefined // undefined where the file has no times
}

/** How long it lived; of what was never freed, until the device's last event. Undefined when an end is not in the capture. */
export function lifeOf(
  { state, allocEvent, freeRequestedEvent, allocTimeNs, freeTimeNs }: Ends,
  { eventCount, lastTimeNs }: Pick<DeviceSummary, 'eventCount' | 'lastTimeNs'>,
): Life | undefined {
  const isAlive = state === 'alive'
  const lastEvent = isAlive ? eventCount - 1 : freeRequestedEvent
  const endNs = isAlive ? lastTimeNs : freeTimeNs
  if (allocEvent === null || lastEvent === null) return undefined
  return { events: lastEvent - allocEvent, timeNs: allocTimeNs === null || endNs === null ? undefined : endNs - allocTimeNs }
}

/** What was asked for and what was given, once where that is the same: "1.5 MiB → 2 MiB". */
export const sizesText = ({ requestedBytes, sizeBytes }: Pick<AllocationDetails, 'requestedBytes' | 'sizeBytes'>): string =>
  requestedBytes === sizeBytes ? formatBytes(sizeBytes) : `${formatBytes(requestedBytes)} → ${formatBytes(sizeBytes)}`

/** Lines "name: value" and the whole stack, numbers exact, addresses plain. */
export function detailsText(details: AllocationDetails): string {
  const moment = (event: number | null, timeNs: number | null): string =>
    event === null ? unknownValue : `${t('details.event', { event })}${timeNs === null ? '' : ` · ${exactTime(timeNs)}`}`
  const lines = [
    `${formatBytes(details.sizeBytes)} (${exactBytes(details.sizeBytes)})`,
    `${t('details.address')}: ${details.address}`,
    `${t('details.version')}: ${formatAddressVersion(details.address, details.version)}`,
    `${t('details.requested')}: ${exactBytes(details.requestedBytes)}`,
    `${t('details.allocated')}: ${details.allocEvent === null ? t('beforeHistory') : moment(details.allocEvent, details.allocTimeNs)}`,
    `${t('details.freed')}: ${details.state === 'alive' ? t('details.never') : moment(details.freeRequestedEvent, details.freeTimeNs)}`,
    `${t('details.state')}: ${t(`details.states.${details.state}`)}`,
    `${t('details.stream')}: ${streamTitle(details.stream)}`,
    `${t('details.pool')}: ${poolTitle(details.pool)}`,
    `${t('details.segment')}: ${details.segmentAddress ?? unknownValue}`,
    `${t('colorBy.category')}: ${categoryLines(details.category).join(' · ')}`,
    `${t('details.stack')}:`,
    ...details.frames.map(({ name, filename, line }) => `  ${name} (${filename}:${line})`),
  ]
  return `${lines.join('\n')}\n`
}
