// The details of an allocation as plain text for the clipboard.
import type { AllocationDetails } from '../../preload/contract/queries.ts'
import { exactBytes, exactTime, formatAddressVersion, formatBytes, unknownValue } from '../i18n/format.ts'
import { panelText as t } from '../i18n/part-texts.ts'
import { poolTitle, streamTitle } from '../plot/legend.ts'

/** How long it lived, in ns; undefined when an end or its time is not in the capture. */
export function lifetimeNs({ allocTimeNs, freeTimeNs }: Pick<AllocationDetails, 'allocTimeNs' | 'freeTimeNs'>): number | undefined {
  return allocTimeNs === null || freeTimeNs === null ? undefined : freeTimeNs - allocTimeNs
}

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
    `${t('details.freed')}: ${moment(details.freeRequestedEvent, details.freeTimeNs)}`,
    `${t('details.state')}: ${t(`details.states.${details.state}`)}`,
    `${t('details.stream')}: ${streamTitle(details.stream)}`,
    `${t('details.pool')}: ${poolTitle(details.pool)}`,
    `${t('details.segment')}: ${details.segmentAddress ?? unknownValue}`,
    `${t('details.stack')}:`,
    ...details.frames.map(({ name, filename, line }) => `  ${name} (${filename}:${line})`),
  ]
  return `${lines.join('\n')}\n`
}
